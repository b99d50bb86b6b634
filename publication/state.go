package publication

import "slices"

// State is what is known of an operation.
type State string

// The closed list of states. TestStates fails when one is added here and forgotten in a table below, and the ledger's
// tests fail when PostgreSQL's list differs.
const (
	StateProposed  State = "proposed"  // nobody approved the payload yet
	StatePlanned   State = "planned"   // a person approved an exact payload
	StateSending   State = "sending"   // the call left and has not ended
	StateAccepted  State = "accepted"  // TabNews returned an exact identity, or a person adopted one
	StateUnknown   State = "unknown"   // the call may have had an effect
	StateRejected  State = "rejected"  // TabNews refused before creating anything
	StateAbandoned State = "abandoned" // a person closed an unknown without a new send
)

// States lists every state, in the order of a publication's life.
func States() []State {
	return []State{StateProposed, StatePlanned, StateSending, StateAccepted, StateUnknown, StateRejected, StateAbandoned}
}

// transitions holds the allowed changes of state. What is missing here is forbidden, in Go and in the ledger.
var transitions = map[State][]State{
	// proposed → proposed: another payload is proposed before anybody approved one.
	StateProposed: {StateProposed, StatePlanned},
	// planned → proposed: another payload replaces an approved one that was never sent, or a person withdraws it; planned → rejected: the slug is
	// found taken before the first send; planned → unknown: it is found taken after an earlier attempt of ours.
	StatePlanned: {StateProposed, StatePlanned, StateSending, StateRejected, StateUnknown},
	// sending → planned: it is proven that no request left, for a local reason.
	StateSending: {StateAccepted, StateUnknown, StateRejected, StatePlanned},
	// unknown → planned: a person decided that nothing was created, which opens exactly one new attempt.
	StateUnknown: {StateAccepted, StatePlanned, StateAbandoned},
	// rejected → planned, proposed: the cause was corrected and the operation starts again.
	StateRejected:  {StateProposed, StatePlanned},
	StateAccepted:  {},
	StateAbandoned: {},
}

// CanBecome reports whether an operation in state s may change to next.
func (s State) CanBecome(next State) bool { return slices.Contains(transitions[s], next) }

// Valid reports whether s is one of States.
func (s State) Valid() bool { return slices.Contains(States(), s) }

// Settled reports whether no send of this operation is under way or can follow by itself.
func (s State) Settled() bool {
	return s == StateAccepted || s == StateRejected || s == StateAbandoned
}

var nextSafeActions = map[State]string{
	StateProposed:  "show it to a person",
	StatePlanned:   "reserve the operation",
	StateSending:   "wait",
	StateAccepted:  "keep the reference; read it back if public",
	StateUnknown:   "block any new POST; park for a person",
	StateRejected:  "correct the cause before trying again",
	StateAbandoned: "nothing; no POST can follow",
}

// NextSafeAction says what may be done in state s without risk of a second publication.
func (s State) NextSafeAction() string { return nextSafeActions[s] }

// Verification is the comparison of public content with the approved payload.
type Verification string

// The results of reading back.
const (
	VerificationPending       Verification = "pending"        // not read yet
	VerificationMatched       Verification = "matched"        // reads exactly as approved
	VerificationDiverged      Verification = "diverged"       // readable, and differs
	VerificationUnreadable    Verification = "unreadable"     // could not be read within the window
	VerificationNotApplicable Verification = "not_applicable" // drafts: no public route shows them
)

// Verifications lists every verification.
func Verifications() []Verification {
	return []Verification{VerificationPending, VerificationMatched, VerificationDiverged, VerificationUnreadable, VerificationNotApplicable}
}

// LocalRecord says whether the ledger holds all that is known.
type LocalRecord string

// The local record never hides a remote success: it is repaired on its own.
const (
	LocalRecorded LocalRecord = "recorded"
	LocalPending  LocalRecord = "pending"
)
