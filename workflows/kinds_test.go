package workflows

import (
	"context"
	"strings"
	"testing"
	"time"

	"postonce/activities/api"
	"postonce/publication"
)

var base = publication.Base{ID: identity.ID, UpdatedAt: time.Date(2026, 11, 30, 15, 0, 0, 0, time.UTC), Payload: publication.Payload{Title: "Olá", Slug: "ola", Body: "Antes.", Status: publication.StatusPublished}}

// change runs a revision or a removal of base.
func (w *world) change(kind publication.Kind) {
	in := PublishInput{Operation: "revise/autora/ola/" + publication.OperationID(base.Version()), Payload: payload, Base: &base, ProposedBy: "ana", ApprovedBy: "ana"}
	if kind == publication.KindRemove {
		in.Operation, in.Payload = "remove/autora/ola", base.Payload
		in.Payload.Status = publication.StatusDeleted
	}
	in.Digest = publication.DigestOf(in.Payload, in.Base)
	w.env.ExecuteWorkflow(WorkflowOf(kind), in)
	if !w.env.IsWorkflowCompleted() {
		w.t.Fatal("the workflow did not end")
	}
}

// unknown lets every send end in doubt.
func (w *world) unknown() {
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
}

func TestAnUnknownRevisionIsSettledByReadingThePayload(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.public = true
	w.settle = func(in api.SettleInput) api.Settled { return w.settled(in, publication.OutcomeUnknown) }
	w.change(publication.KindRevise)
	s := w.result()
	w.wantSends(1)
	w.wantState(s, publication.StateAccepted)
	if s.Identity == nil || s.Identity.ID != base.ID || s.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", s)
	}
	if w.sends[0].Base == nil || w.sends[0].Base.ID != base.ID {
		t.Errorf("the send does not know its base: %+v", w.sends[0])
	}
}

func TestAnUnknownRevisionIsReadAgainAfterTheQuietTime(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.public, w.equal = true, false // still the base
	w.at(5*time.Second, func() {
		if s := w.status(); s.State != publication.StateUnknown || !s.Parked {
			t.Errorf("got %s, parked %v", s.State, s.Parked)
		}
		w.equal = true // TabNews worked on it a while longer
	})
	w.change(publication.KindRevise)
	w.wantSends(1)
	w.wantState(w.result(), publication.StateAccepted)
}

func TestAnUnknownRevisionThatReadsLikeItsBaseWaitsForAPerson(t *testing.T) {
	w := newWorld(t)
	sends := 0
	w.send = func(context.Context, int) (api.SendOutput, error) {
		if sends++; sends == 1 {
			return w.outcome(publication.OutcomeUnknown), nil
		}
		w.equal = true
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.public, w.equal = true, false
	w.at(time.Hour, func() {
		w.wantSends(1)
		w.wantState(w.status(), publication.StateUnknown)
		w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1))
	})
	w.change(publication.KindRevise)
	w.wantSends(2)
	w.wantState(w.result(), publication.StateAccepted)
}

func TestARevisionThatWasAppliedIsNotSentAgain(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.public, w.equal = true, false
	w.at(time.Hour, func() {
		w.equal = true
		w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1))
	})
	w.change(publication.KindRevise)
	s := w.result()
	w.wantSends(1)
	w.wantState(s, publication.StateAccepted) // refused, and settled by what was read
	if d := s.Decisions[len(s.Decisions)-1]; d.Taken || !strings.Contains(d.Refusal, "was applied") {
		t.Errorf("decision %+v", d)
	}
}

func TestAConflictSendsNothingAndShowsBothSides(t *testing.T) {
	w := newWorld(t)
	w.found = &publication.Candidate{Reference: "autora/ola", ID: base.ID, Diff: "base → TabNews now\n…\nbase → ours\n…"}
	w.change(publication.KindRevise)
	w.wantSends(0)
	if err := w.env.GetWorkflowError(); err == nil || !strings.Contains(err.Error(), "conflict") {
		t.Errorf("got %v", err)
	}
	if s := w.status(); !strings.Contains(s.Divergence, "base → ours") || !strings.Contains(s.Known, "conflict") {
		t.Errorf("divergence %q, known %q", s.Divergence, s.Known)
	}
}

func TestAConflictWithOurOwnEditBlamesNobodyElse(t *testing.T) {
	w := newWorld(t)
	w.found = &publication.Candidate{Reference: "autora/ola", ID: base.ID, Diff: "…", ChangedBy: "revise/autora/ola/20260101T000000-000Z"}
	w.change(publication.KindRemove)
	if s := w.status(); !strings.Contains(s.Known, "changed by our own revise/autora/ola/20260101T000000-000Z since") || strings.Contains(s.Known, "somebody else") {
		t.Errorf("known %q", s.Known)
	}
}

func TestAnUnknownRemovalIsNeverSettledByAbsence(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.at(time.Hour, func() {
		w.wantState(w.status(), publication.StateUnknown)
		if commands := strings.Join(w.status().Signals, "\n"); !strings.Contains(commands, `"decision":"adopt","reference":"autora/ola"`) || !strings.Contains(commands, `"not_created"`) {
			t.Errorf("the decisions that can be taken are not all named:\n%s", commands)
		}
		w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1)) // it may be gone: refused
	})
	w.at(2*time.Hour, func() {
		s := w.status()
		w.wantState(s, publication.StateUnknown)
		if d := s.Decisions[len(s.Decisions)-1]; d.Taken || !strings.Contains(d.Refusal, "may be removed") {
			t.Errorf("decision %+v", d)
		}
		w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1))
	})
	w.change(publication.KindRemove)
	s := w.result()
	w.wantSends(1)
	w.wantState(s, publication.StateAccepted)
	if s.Identity.Status != publication.StatusDeleted || s.RemoteStatus != publication.StatusDeleted {
		t.Errorf("got %+v", s.Identity)
	}
}

func TestARemovalIsNotAdoptedWhileTheContentCanBeRead(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.public = true
	w.at(time.Hour, func() { w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1)) })
	w.at(2*time.Hour, func() {
		if d := w.status().Decisions[1]; d.Taken || !strings.Contains(d.Refusal, "can still be read") {
			t.Errorf("decision %+v", d)
		}
		w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
	})
	w.change(publication.KindRemove)
	w.wantSends(1)
}

// T17: reading cannot settle an unknown draft; a probe, on a person's order, can.
func TestAProbeShowsAnUnknownDraft(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	draft := payload
	draft.Status = publication.StatusDraft
	w.probed = &publication.Candidate{Reference: "autora/ola", ID: identity.ID, FoundBy: "probe", Equal: true}
	w.at(time.Minute, func() { w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1)) }) // nothing to adopt yet
	w.at(2*time.Minute, func() {
		if w.probes != 0 {
			t.Error("a probe was sent that nobody ordered")
		}
		w.signal(SignalResolve, w.resolve(publication.DecisionProbe, 1))
	})
	w.at(3*time.Minute, func() {
		w.wantState(w.status(), publication.StateUnknown)
		w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1))
	})
	w.env.ExecuteWorkflow(PublishWorkflow, PublishInput{Operation: "publish/autora/ola", Payload: draft, Digest: draft.Digest(), ApprovedBy: "ana"})
	s := w.result()
	w.wantSends(1)
	if w.probes != 1 || s.State != publication.StateAccepted || s.Verification != publication.VerificationNotApplicable || s.RemoteStatus != publication.StatusDraft {
		t.Errorf("%d probes, %+v", w.probes, s)
	}
}

// What a probe showed was created: nobody can say that it was not, also not of the attempt after.
func TestAProbeThatFoundTheDraftContradictsNotCreated(t *testing.T) {
	for _, name := range []string{"its own attempt", "an earlier attempt"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.unknown()
			open := 1
			draft := payload
			draft.Status = publication.StatusDraft
			w.probed = &publication.Candidate{Reference: "autora/ola", ID: identity.ID, FoundBy: publication.FoundByProbe, Equal: true}
			if name == "an earlier attempt" {
				open = 2
				attempts := []publication.Attempt{
					{Number: 1, Outcome: publication.OutcomeNotCreated, Candidates: []publication.Candidate{*w.probed}},
					{Number: 2, Outcome: publication.OutcomeUnknown},
				}
				w.opened = &api.Opened{Payload: draft, Snapshot: publication.Snapshot{State: publication.StateUnknown, Digest: draft.Digest(), Attempts: attempts}}
			} else {
				w.at(time.Minute, func() { w.signal(SignalResolve, w.resolve(publication.DecisionProbe, open)) })
			}
			w.at(time.Hour, func() { w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, open)) })
			w.at(2*time.Hour, func() {
				s := w.status()
				w.wantState(s, publication.StateUnknown)
				if d := s.Decisions[len(s.Decisions)-1]; d.Taken || !strings.Contains(d.Refusal, "found autora/ola (id "+identity.ID+"), so it was created; adopt it") {
					t.Errorf("decision %+v", d)
				}
				w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, open))
			})
			w.at(3*time.Hour, func() { w.env.CancelWorkflow() }) // where the decisions above were not taken
			w.env.ExecuteWorkflow(PublishWorkflow, PublishInput{Operation: "publish/autora/ola", Payload: draft, Digest: draft.Digest(), ApprovedBy: "ana"})
			s := w.result()
			w.wantSends(2 - open)
			if s.State != publication.StateAccepted || s.Identity == nil || s.Identity.ID != identity.ID {
				t.Errorf("got %+v", s)
			}
		})
	}
}

func TestAProbeIsForDrafts(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.at(time.Minute, func() { w.signal(SignalResolve, w.resolve(publication.DecisionProbe, 1)) })
	w.at(2*time.Minute, func() { w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1)) })
	w.start("ana")
	if s := w.result(); w.probes != 0 || s.Decisions[1].Taken {
		t.Errorf("%d probes, %+v", w.probes, s.Decisions)
	}
}

func TestTrackRecordsWhatIsThereAndSendsNothing(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.env.ExecuteWorkflow(TrackWorkflow, PublishInput{Operation: "track/autora/ola", Payload: payload, Digest: payload.Digest(), ApprovedBy: "ana"})
	s := w.result()
	w.wantSends(0)
	w.wantState(s, publication.StateAccepted)
	if s.Identity == nil || *s.Identity != identity || len(w.recorded) != 1 {
		t.Errorf("got %+v, recorded %d", s.Identity, len(w.recorded))
	}
}

// What was read once stays evidence: hidden content is adopted with its identity, and never called "not created".
func TestContentThatWasSeenAndIsHiddenNowKeepsItsIdentity(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.public = true
	adopt := w.resolve(publication.DecisionAdopt, 1)
	w.at(time.Minute, func() {
		w.public = false // the firewall hides it
		w.signal(SignalRecheck, RecheckInput{By: "ana"})
		w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1))
	})
	w.at(2*time.Minute, func() {
		if d := w.status().Decisions[2]; d.Taken || !strings.Contains(d.Refusal, "so it was created") {
			t.Errorf("decision %+v", d)
		}
		w.signal(SignalResolve, adopt)
	})
	w.at(3*time.Minute, func() {
		if d := w.status().Decisions[3]; d.Taken || !strings.Contains(d.Refusal, "cannot be read now") {
			t.Errorf("decision %+v", d)
		}
		adopt.AcceptDivergence = true
		w.signal(SignalResolve, adopt)
	})
	w.start("ana")
	s := w.result()
	w.wantSends(1)
	w.wantState(s, publication.StateAccepted)
	if s.Identity == nil || s.Identity.ID != identity.ID || s.Verification != publication.VerificationUnreadable {
		t.Errorf("identity %+v, verification %s", s.Identity, s.Verification)
	}
	if !strings.Contains(s.Known, "may be hidden") || strings.Contains(s.Known, "It is on TabNews") || strings.Contains(s.NextAction, "recheck") {
		t.Errorf("known %q, next %q: nobody can read it, and its workflow is closed", s.Known, s.NextAction)
	}
}

func TestPlaceholdersAreNoPerson(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.at(time.Minute, func() {
		in := w.resolve(publication.DecisionAbandon, 1)
		in.By, in.Reason = "NAME", "WHY"
		w.signal(SignalResolve, in)
	})
	w.at(2*time.Minute, func() {
		w.wantState(w.status(), publication.StateUnknown)
		w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
	})
	w.start("ana")
	w.wantState(w.result(), publication.StateAbandoned)
}
