package publication

import "time"

// DecisionKind is what a person decided.
type DecisionKind string

// The decisions that people can take.
const (
	DecisionApprove    DecisionKind = "approve"     // this digest may be sent once
	DecisionAdopt      DecisionKind = "adopt"       // the unknown attempt created this reference
	DecisionNotCreated DecisionKind = "not_created" // the unknown attempt created nothing; open one new attempt
	DecisionAbandon    DecisionKind = "abandon"     // close the operation without a new send
	DecisionRecheck    DecisionKind = "recheck"     // look again
	DecisionProbe      DecisionKind = "probe"       // ask TabNews about an unknown draft by a PATCH that changes nothing but updated_at
	DecisionReschedule DecisionKind = "reschedule"  // send at another time
	DecisionCancel     DecisionKind = "cancel"      // withdraw what was not sent yet
)

// DecisionKinds lists every kind.
func DecisionKinds() []DecisionKind {
	return []DecisionKind{DecisionApprove, DecisionAdopt, DecisionNotCreated, DecisionAbandon, DecisionRecheck, DecisionProbe,
		DecisionReschedule, DecisionCancel}
}

// Authorizes reports whether a taken decision of this kind allows one attempt, and is then used up.
func (k DecisionKind) Authorizes() bool { return k == DecisionApprove || k == DecisionNotCreated }

// Decision is one signal of a person, taken or refused. Refused ones are kept, with the reason.
type Decision struct {
	ID               string       `json:"id"`               // unique within the operation; the sender's own, or made from the signal's place in the history
	Kind             DecisionKind `json:"decision"`         // empty when the signal could not be read
	Signal           string       `json:"signal,omitempty"` // approve, resolve, recheck, reschedule, cancel
	By               string       `json:"by,omitempty"`     // a person's name
	Attempt          int          `json:"attempt,omitempty"`
	Digest           Digest       `json:"digest,omitempty"`
	Reference        string       `json:"reference,omitempty"`
	AcceptDivergence bool         `json:"accept_divergence,omitempty"`
	Reason           string       `json:"reason,omitempty"`
	Schedule         *Schedule    `json:"schedule,omitempty"` // of a reschedule; null: now
	At               time.Time    `json:"at"`
	Taken            bool         `json:"taken"`
	Refusal          string       `json:"refusal,omitempty"` // why it was refused, and the way out
	Voided           string       `json:"voided,omitempty"`  // why it was taken and no longer counts
}
