package workflows

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/publication"
)

func TestAcceptedIsReadBackRecordedAndReturned(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.start("ana")
	s := w.result()
	w.wantSends(1)
	w.wantState(s, publication.StateAccepted)
	if s.Identity == nil || *s.Identity != identity || s.Verification != publication.VerificationMatched || s.LocalRecord != publication.LocalRecorded {
		t.Errorf("got %+v", s)
	}
	if len(w.recorded) != 1 || w.recorded[0].Snapshot.Identity == nil {
		t.Errorf("recorded %+v", w.recorded)
	}
}

func TestTheSendIsOrderedOnceWhateverTheActivitySays(t *testing.T) {
	for name, fails := range map[string]error{
		"a retryable error": errors.New("boom"),
		"a panic":           temporal.NewApplicationError("panic", "PanicError"),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.send = func(context.Context, int) (api.SendOutput, error) { return api.SendOutput{}, fails }
			w.at(time.Minute, func() {
				w.wantState(w.status(), publication.StateUnknown)
				w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
			})
			w.start("ana")
			w.wantSends(1)
			w.wantState(w.result(), publication.StateAbandoned)
		})
	}
}

func TestUnknownParksShowsCandidateAndIsAdopted(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.public = true
	w.at(time.Hour, func() {
		s := w.status()
		w.wantState(s, publication.StateUnknown)
		if !s.Parked || len(s.Signals) == 0 || len(s.Attempts[0].Candidates) != 1 {
			t.Errorf("parked %v, signals %q, attempts %+v", s.Parked, s.Signals, s.Attempts)
		}
		w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1))
	})
	w.start("ana")
	s := w.result()
	w.wantSends(1)
	w.wantState(s, publication.StateAccepted)
	if s.Verification != publication.VerificationMatched || *s.Identity != identity {
		t.Errorf("got %+v", s)
	}
}

func TestAdoptingWhatDiffersNeedsItToBeSaid(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.public, w.equal = true, false
	w.at(time.Minute, func() { w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1)) })
	w.at(2*time.Minute, func() {
		s := w.status()
		w.wantState(s, publication.StateUnknown)
		if d := s.Decisions[len(s.Decisions)-1]; d.Taken || !strings.Contains(d.Refusal, "accept_divergence") || s.Divergence == "" {
			t.Errorf("decision %+v, divergence %q", d, s.Divergence)
		}
		in := w.resolve(publication.DecisionAdopt, 1)
		in.AcceptDivergence = true
		w.signal(SignalResolve, in)
	})
	w.start("ana")
	s := w.result()
	w.wantState(s, publication.StateAccepted)
	if s.Verification != publication.VerificationDiverged {
		t.Errorf("verification %s", s.Verification)
	}
}

func TestNotCreatedIsRefusedWhileTheContentCanBeRead(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.public = true
	w.at(time.Minute, func() { w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1)) })
	w.at(2*time.Minute, func() {
		s := w.status()
		w.wantState(s, publication.StateUnknown)
		if d := s.Decisions[len(s.Decisions)-1]; d.Taken || !strings.Contains(d.Refusal, "can be read") {
			t.Errorf("decision %+v", d)
		}
		w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1))
	})
	w.start("ana")
	w.wantSends(1)
}

func TestNotCreatedWaitsUntilNothingIsInFlightAndOpensOneAttempt(t *testing.T) {
	w := newWorld(t)
	w.send = func(_ context.Context, n int) (api.SendOutput, error) {
		if n == 1 {
			return w.outcome(publication.OutcomeUnknown), nil
		}
		w.public = true
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.at(time.Second, func() { w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1)) })
	w.at(5*time.Second, func() {
		w.wantSends(1) // within the quiet time nothing may leave
		if s := w.status(); !strings.Contains(s.WaitingFor, "in flight") {
			t.Errorf("waits for %q", s.WaitingFor)
		}
	})
	w.start("ana")
	s := w.result()
	w.wantSends(2)
	w.wantState(s, publication.StateAccepted)
	if s.Attempts[0].Outcome != publication.OutcomeNotCreated || s.Attempts[1].Number != 2 || !w.sends[1].Doubt {
		t.Errorf("attempts %+v, second send %+v", s.Attempts, w.sends[1])
	}
}

func TestNotCreatedIsRefusedWhenTheContentAppearsDuringTheWait(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.at(time.Second, func() { w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1)) })
	w.at(5*time.Second, func() { w.public = true })
	w.at(time.Minute, func() {
		w.wantState(w.status(), publication.StateUnknown)
		w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1))
	})
	w.start("ana")
	w.wantSends(1)
	w.wantState(w.result(), publication.StateAccepted)
}

func TestALostReadDecidesNothing(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.readFails = true
	w.at(time.Minute, func() { w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1)) })
	w.at(5*time.Minute, func() {
		w.wantState(w.status(), publication.StateUnknown)
		w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
	})
	w.start("ana")
	w.wantSends(1)
}

func TestRejectedFailsTheRunWithTheSnapshot(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeRejected), nil }
	w.start("ana")
	var failure *temporal.ApplicationError
	if err := w.env.GetWorkflowError(); !errors.As(err, &failure) || failure.Type() != api.ErrorRejected {
		t.Fatalf("got %v", err)
	}
	var s publication.Snapshot
	if err := failure.Details(&s); err != nil || s.State != publication.StateRejected {
		t.Errorf("details %+v, %v", s, err)
	}
	w.wantSends(1)
}

func TestATakenSlugStopsBeforeTheSend(t *testing.T) {
	w := newWorld(t)
	w.found = &publication.Candidate{Reference: "autora/ola", ID: "x"}
	w.start("ana")
	w.wantSends(0)
	if w.env.GetWorkflowError() == nil {
		t.Error("a taken slug was not told as rejected")
	}
}

func TestDraftsAreNotReadBack(t *testing.T) {
	w := newWorld(t)
	draft := identity
	draft.Status = publication.StatusDraft
	w.send = func(context.Context, int) (api.SendOutput, error) {
		out := w.outcome(publication.OutcomeAccepted)
		out.Attempt.Identity = &draft
		return out, nil
	}
	w.start("ana")
	s := w.result()
	if s.Verification != publication.VerificationNotApplicable || s.RemoteStatus != publication.StatusDraft {
		t.Errorf("got %+v", s)
	}
}
