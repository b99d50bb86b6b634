package runs

import (
	"postonce/activities/api"
	"postonce/publication"
	"postonce/workflows"
)

// Run is what the history of one workflow run tells of its operation.
type Run struct {
	Operation publication.OperationID
	RunID     string
	Open      bool
	Status    string // Temporal's word, such as completed or terminated
	Input     workflows.PublishInput
	// Opened: the ledger had answered the run at least once, so it knew the operation.
	Opened bool
	// Memory names the ledger's memory as the run heard it last; empty: it was not told.
	Memory string
	// Known is all that the run knew last, in the form in which it is recorded. An attempt that is sending here was
	// ordered, and its end was not told.
	Known api.RecordInput
}

// Snapshot is the run's knowledge.
func (r Run) Snapshot() publication.Snapshot { return r.Known.Snapshot }

// Identity is what the run proves to exist, or nil.
func (r Run) Identity() *publication.Identity { return r.Known.Snapshot.Identity }

// Sent reports whether an attempt of which this run knows may have created or changed something.
func (r Run) Sent() bool {
	for _, a := range r.Known.Snapshot.Attempts {
		if a.Outcome.MayHaveCreated() {
			return true
		}
	}
	return false
}

// dropAttempt forgets an attempt that was ordered and never claimed.
func (r *Run) dropAttempt(number int) {
	s := &r.Known.Snapshot
	for i := range s.Attempts {
		if s.Attempts[i].Number == number && s.Attempts[i].Outcome == publication.OutcomeSending {
			s.Attempts = append(s.Attempts[:i:i], s.Attempts[i+1:]...)
			return
		}
	}
}

// accept takes an identity, which nothing takes away again.
func (r *Run) accept(identity publication.Identity) {
	s := &r.Known.Snapshot
	s.State, s.Identity, s.RemoteStatus = publication.StateAccepted, &identity, identity.Status
}

// ended takes the end of an attempt.
func (r *Run) ended(a publication.Attempt) {
	s := &r.Known.Snapshot
	if a.Digest == "" {
		a.Digest = s.Digest
	}
	s.PutAttempt(a)
	switch state := a.Outcome.StateAfter(); {
	case state != publication.StateAccepted:
		s.State = state
	case a.Identity != nil:
		r.accept(*a.Identity)
	default:
		s.State = publication.StateUnknown
	}
}

// putDecision replaces the decision of the same ID.
func (r *Run) putDecision(d publication.Decision) {
	s := &r.Known.Snapshot
	for i := range s.Decisions {
		if s.Decisions[i].ID == d.ID {
			s.Decisions[i] = d
			return
		}
	}
	s.Decisions = append(s.Decisions, d)
}

// became takes the state that the ledger told after a decision or a check.
func (r *Run) became(state publication.State) {
	if state != "" && (state != publication.StateAccepted || r.Identity() != nil) {
		r.Known.Snapshot.State = state
	}
}
