package workflows

import "postonce/publication"

// Names under which the workflows are registered, and which appear in the Web UI.
const (
	PublishWorkflow      = "Publish"
	ReviseWorkflow       = "Revise"
	RemoveWorkflow       = "Remove"
	TrackWorkflow        = "Track"
	RepairRecordWorkflow = "RepairRecord"
	WatchWorkflow        = "Watch"
)

// Names of the signals and the query, as people type them.
const (
	SignalApprove    = "approve"
	SignalResolve    = "resolve"
	SignalRecheck    = "recheck"
	SignalReschedule = "reschedule"
	SignalCancel     = "cancel"
	SignalLook       = "look"
	QueryStatus      = "status"
)

// Names of the search attributes, all of type Keyword.
const (
	AttributeState   = "PublicationState"
	AttributeRef     = "PublicationRef"
	AttributeAccount = "PublicationAccount"
)

// WorkflowOf is the name of the workflow that models a kind of operation.
func WorkflowOf(kind publication.Kind) string {
	switch kind {
	case publication.KindRevise:
		return ReviseWorkflow
	case publication.KindRemove:
		return RemoveWorkflow
	case publication.KindTrack:
		return TrackWorkflow
	default:
		return PublishWorkflow
	}
}

// TaskQueue is the queue of an account: one worker process serves one account, since it holds that account's session.
func TaskQueue(account string) string { return "tabnews/" + account }

// PublishInput starts Publish, Revise, Remove and Track. It holds no secret.
type PublishInput struct {
	Operation  publication.OperationID `json:"operation"`
	Payload    publication.Payload     `json:"payload"`        // prepared: the content as it is to be
	Base       *publication.Base       `json:"base,omitempty"` // the content as it was; nil for publish
	Digest     publication.Digest      `json:"digest"`         // publication.DigestOf(Payload, Base)
	ProposedBy string                  `json:"proposed_by"`
	// ApprovedBy names who approved Digest already; empty: the operation waits for the approve signal.
	ApprovedBy string `json:"approved_by,omitempty"`
	// Schedule is when it is to be sent; nil: as soon as it is approved, or when the ledger says that it is to be.
	Schedule *publication.Schedule `json:"schedule,omitempty"`
	// LastState is what a run that was continued as new shows until the ledger has answered.
	LastState publication.State `json:"last_state,omitempty"`
	// LastKnown is what else that run knew. Nil in a first run.
	LastKnown *LastKnown `json:"last_known,omitempty"`
}

// LastKnown is what a run that continues as new hands on, since a ledger that was restored meanwhile may lack it.
type LastKnown struct {
	Memory   string                `json:"memory"`   // names the ledger's memory when it last answered
	Attempts []publication.Attempt `json:"attempts"` // without their evidence
}

func (in PublishInput) lastKnown() LastKnown {
	if in.LastKnown == nil {
		return LastKnown{}
	}
	return *in.LastKnown
}

// Memory names the ledger's memory as the run before knew it; empty in a first run.
func (in PublishInput) Memory() string { return in.lastKnown().Memory }

// Snapshot is what is known of the operation at the start, before the ledger has said what it knows.
func (in PublishInput) Snapshot() publication.Snapshot {
	state := publication.StateProposed
	switch {
	case in.LastState != "":
		state = in.LastState
	case in.ApprovedBy != "":
		state = publication.StatePlanned
	}
	return publication.Snapshot{
		Operation:    in.Operation,
		State:        state,
		Verification: publication.VerificationPending,
		LocalRecord:  publication.LocalPending,
		Reference:    in.Operation.Reference().String(),
		Digest:       in.Digest,
		Attempts:     append([]publication.Attempt{}, in.lastKnown().Attempts...),
		Decisions:    []publication.Decision{},
		Title:        in.Payload.Title,
		Draft:        in.Payload.Status == publication.StatusDraft,
		Schedule:     in.Schedule,
	}
}

// ApproveInput is the JSON of the signal approve.
type ApproveInput struct {
	By     string             `json:"by"`
	Digest publication.Digest `json:"digest"`
	ID     string             `json:"id,omitempty"` // optional, to find the decision again in the snapshot
}

// ResolveInput is the JSON of the signal resolve.
type ResolveInput struct {
	By               string                   `json:"by"`
	Attempt          int                      `json:"attempt"`
	Decision         publication.DecisionKind `json:"decision"` // adopt, not_created, abandon, probe
	Reference        string                   `json:"reference,omitempty"`
	AcceptDivergence bool                     `json:"accept_divergence,omitempty"`
	Reason           string                   `json:"reason"`
	ID               string                   `json:"id,omitempty"`
}

// RecheckInput is the JSON of the signal recheck.
type RecheckInput struct {
	By string `json:"by"`
	ID string `json:"id,omitempty"`
}

// RescheduleInput is the JSON of the signal reschedule.
type RescheduleInput struct {
	By string `json:"by"`
	// At is a local time of Zone such as 2026-12-24T09:00, a time with its offset (RFC 3339), or "now".
	At     string `json:"at"`
	Zone   string `json:"zone,omitempty"` // a name of the IANA time zone database
	Reason string `json:"reason,omitempty"`
	ID     string `json:"id,omitempty"`
}

// CancelInput is the JSON of the signal cancel.
type CancelInput struct {
	By     string `json:"by"`
	Reason string `json:"reason,omitempty"`
	ID     string `json:"id,omitempty"`
}
