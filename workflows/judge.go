package workflows

import (
	"fmt"

	"postonce/publication"
)

// judge says why a readable decision cannot be taken in the operation's present state, with the way out; empty: it
// can. Deciding needs no I/O here; what needs reading (adopt, not_created) is refused later if reading contradicts it.
func judge(s publication.Snapshot, d publication.Decision) string {
	switch d.Kind {
	case publication.DecisionApprove:
		return judgeApprove(s, d)
	case publication.DecisionAdopt, publication.DecisionNotCreated, publication.DecisionAbandon, publication.DecisionProbe:
		return judgeResolve(s, d)
	case publication.DecisionRecheck:
		if s.State == publication.StateSending {
			return "the call has not ended; wait for its outcome"
		}
		return ""
	case publication.DecisionReschedule, publication.DecisionCancel:
		return judgePlan(s, d)
	}
	return "unknown decision"
}

// judgePlan lets what was not sent yet be moved or withdrawn.
func judgePlan(s publication.Snapshot, d publication.Decision) string {
	switch s.State {
	case publication.StateProposed, publication.StatePlanned:
		if err := publication.CheckSchedule(s.Operation, d.Schedule); err != nil {
			return err.Error()
		}
		return ""
	case publication.StateSending:
		return "too late: the call left, or is about to; its outcome will be reported"
	case publication.StateUnknown:
		return "too late: the call may have had an effect, which nothing here takes back; decide the attempt with resolve (adopt, not_created or abandon)"
	}
	return fmt.Sprintf("too late: the operation is %s, and nothing of it waits to be sent", s.State)
}

func judgeApprove(s publication.Snapshot, d publication.Decision) string {
	if s.State != publication.StateProposed {
		return fmt.Sprintf("nothing waits for an approval: the operation is %s", s.State)
	}
	if d.Digest != s.Digest {
		return fmt.Sprintf("the digest is not that of the proposed payload, which is %s; look at what is proposed and approve that", s.Digest)
	}
	return ""
}

func judgeResolve(s publication.Snapshot, d publication.Decision) string {
	open := s.OpenAttempt()
	if open == nil {
		return fmt.Sprintf("there is no attempt to decide on: the operation is %s", s.State)
	}
	if d.Attempt != open.Number {
		return fmt.Sprintf("it names attempt %d, but attempt %d is the one to decide; look again and name that one", d.Attempt, open.Number)
	}
	switch s.State {
	case publication.StateUnknown:
		return ""
	case publication.StateSending:
		if open.Outcome == publication.OutcomeNotCreated {
			return fmt.Sprintf("too late: attempt %d was decided already, and the next one is being sent", d.Attempt)
		}
		return fmt.Sprintf("too early: attempt %d has not ended; wait for its outcome", d.Attempt)
	case publication.StateAccepted:
		return judgeAccepted(s, d)
	}
	return fmt.Sprintf("too late: the operation is %s, only an unknown attempt can be decided", s.State)
}

// judgeAccepted lets a person close an accepted operation whose content diverged, as it stands.
func judgeAccepted(s publication.Snapshot, d publication.Decision) string {
	open := s.Verification == publication.VerificationDiverged || s.Verification == publication.VerificationUnreadable
	if d.Kind != publication.DecisionAdopt || !open {
		return "the operation is accepted: its identity is kept, and no decision changes that"
	}
	if !d.AcceptDivergence {
		return "the content differs from the payload or cannot be read: add \"accept_divergence\":true to keep it as it stands"
	}
	if d.Reference != s.Reference && (s.Identity == nil || d.Reference != s.Identity.Reference().String()) {
		return fmt.Sprintf("the accepted content is %s, not %s", s.Reference, d.Reference)
	}
	return ""
}
