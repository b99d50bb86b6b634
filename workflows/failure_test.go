package workflows

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/publication"
)

func TestTooEarlyAndUnsentAreTriedAgainWithoutAPerson(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.settle = func(in api.SettleInput) api.Settled { return w.settled(in, publication.OutcomeNotSent) }
	w.send = func(_ context.Context, n int) (api.SendOutput, error) {
		switch len(w.sends) {
		case 1:
			return api.SendOutput{NotBefore: time.Minute}, nil
		case 2:
			return api.SendOutput{Token: "t", Problem: "PostgreSQL away", Attempt: publication.Attempt{Number: n, Outcome: publication.OutcomeNotSent}}, nil
		}
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.start("ana")
	w.wantState(w.result(), publication.StateAccepted)
	if w.sends[0].Attempt != 1 || w.sends[1].Attempt != 1 || w.sends[2].Attempt != 2 {
		t.Errorf("too early keeps the number, a tombstone takes it: got %d, %d, %d", w.sends[0].Attempt, w.sends[1].Attempt, w.sends[2].Attempt)
	}
	if w.settles[0].NotSentToken != "t" {
		t.Errorf("the testimony was lost: %+v", w.settles[0])
	}
}

func TestAnExistingAttemptIsNeverSentAgain(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.send = func(context.Context, int) (api.SendOutput, error) {
		return api.SendOutput{Existing: &publication.Attempt{Number: 1, Outcome: publication.OutcomeAccepted}}, nil
	}
	w.settle = func(in api.SettleInput) api.Settled {
		in.Identity = &identity
		return w.settled(in, publication.OutcomeAccepted)
	}
	w.start("ana")
	w.wantSends(1)
	w.wantState(w.result(), publication.StateAccepted)
}

func TestARunThatFindsTheLedgersStateTakesItUp(t *testing.T) {
	for _, state := range []publication.State{publication.StateAccepted, publication.StateAbandoned, publication.StateUnknown, publication.StateSending} {
		t.Run(string(state), func(t *testing.T) {
			w := newWorld(t)
			w.public = true
			w.opened = &api.Opened{Payload: payload, Snapshot: publication.Snapshot{State: state, Digest: payload.Digest(),
				Attempts: []publication.Attempt{{Number: 1, Outcome: publication.OutcomeUnknown}}}}
			if state == publication.StateAccepted {
				w.opened.Snapshot.Identity = &identity
			}
			w.at(time.Minute, func() { w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1)) })
			w.start("ana")
			w.wantSends(0)
			w.result()
		})
	}
}

func TestTheHeartbeatsIdentitySurvivesTheWorker(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.send = func(context.Context, int) (api.SendOutput, error) {
		return api.SendOutput{}, temporal.NewTimeoutError(1, nil, identity) // StartToClose, with the last heartbeat
	}
	w.start("ana")
	s := w.result()
	w.wantSends(1)
	w.wantState(s, publication.StateAccepted)
	if len(w.settles) != 1 || w.settles[0].Identity == nil || *w.settles[0].Identity != identity {
		t.Errorf("settled with %+v", w.settles)
	}
}

func TestASendThatIsStillInFlightIsWaitedFor(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return api.SendOutput{}, errors.New("killed") }
	w.settle = func(in api.SettleInput) api.Settled {
		if len(w.settles) == 1 {
			return api.Settled{InFlight: 20 * time.Second}
		}
		return w.settled(in, publication.OutcomeUnknown)
	}
	w.at(10*time.Second, func() { w.wantState(w.status(), publication.StateSending) })
	w.at(time.Minute, func() {
		w.wantState(w.status(), publication.StateUnknown)
		w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
	})
	w.start("ana")
	w.wantSends(1)
}

func TestCancellingWhileSendingAwaitsTheOutcome(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.send = func(ctx context.Context, _ int) (api.SendOutput, error) {
		w.env.CancelWorkflow()
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.start("ana")
	s := w.result() // too late to cancel: the identity is reported
	w.wantState(s, publication.StateAccepted)
	if len(w.recorded) != 1 {
		t.Error("the acceptance was not recorded")
	}
}

func TestCancellingWhileParkedEndsTheRunAndDecidesNothing(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.at(time.Minute, w.env.CancelWorkflow)
	w.start("ana")
	var cancelled *temporal.CanceledError
	if err := w.env.GetWorkflowError(); !errors.As(err, &cancelled) {
		t.Errorf("got %v", err)
	}
	if len(w.decided) != 0 {
		t.Errorf("decided %+v", w.decided)
	}
}

func TestALostRecordIsRepairedAndHidesNothing(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.ledgerAway = 1000
	w.start("ana")
	s := w.result()
	if s.Identity == nil || s.LocalRecord != publication.LocalPending || w.repairs != 1 {
		t.Errorf("identity %v, local record %s, repairs %d", s.Identity, s.LocalRecord, w.repairs)
	}
	w.wantSends(1)
}

func TestDivergedStaysOpenForAPersonAndIsRechecked(t *testing.T) {
	w := newWorld(t)
	w.public, w.equal = true, false
	w.at(time.Hour, func() {
		s := w.status()
		if !s.Parked || s.Verification != publication.VerificationDiverged || s.Identity == nil {
			t.Errorf("got %+v", s)
		}
		w.equal = true
		w.signal(SignalRecheck, RecheckInput{By: "ana"})
	})
	w.start("ana")
	if s := w.result(); s.Verification != publication.VerificationMatched {
		t.Errorf("verification %s", s.Verification)
	}
	w.wantSends(1)
}

func TestUnreadableMayBeKeptAsItStands(t *testing.T) {
	w := newWorld(t)
	w.at(time.Hour, func() {
		s := w.status()
		if s.Verification != publication.VerificationUnreadable || !strings.Contains(s.Known, "could not be read back") {
			t.Errorf("got %s: %s", s.Verification, s.Known)
		}
		in := w.resolve(publication.DecisionAdopt, 1)
		in.AcceptDivergence = true
		w.signal(SignalResolve, in)
	})
	w.start("ana")
	w.wantState(w.result(), publication.StateAccepted)
}

// A paused activity never times out: the workflow's own timer parks it, and an answer that comes later still counts.
func TestAnAnswerAfterParkingIsNotLost(t *testing.T) {
	w := newWorld(t)
	w.public = true
	now := w.env.Now()
	late := publication.Attempt{Number: 1, Outcome: publication.OutcomeAccepted, Identity: &identity, ClaimedAt: &now}
	w.env.OnActivity(api.Send, mock.Anything, mock.Anything).After(90*time.Second).Return(api.SendOutput{Attempt: late}, nil).Once()
	w.at(80*time.Second, func() {
		s := w.status()
		w.wantState(s, publication.StateUnknown)
		if !s.Parked {
			t.Error("not parked while the activity hangs")
		}
	})
	w.start("ana")
	s := w.result()
	w.wantState(s, publication.StateAccepted)
	if s.Identity == nil || *s.Identity != identity {
		t.Errorf("identity %v", s.Identity)
	}
}

// An empty ledger proves nothing: what it no longer knows is unknown, and the record is rebuilt.
func TestAForgetfulLedgerIsNoProof(t *testing.T) {
	for name, c := range map[string]struct {
		send func(*world, context.Context, int) (api.SendOutput, error)
		want publication.State
	}{
		"the sender died": {func(*world, context.Context, int) (api.SendOutput, error) {
			return api.SendOutput{}, errors.New("killed")
		}, publication.StateUnknown},
		"the sender testifies": {func(w *world, _ context.Context, n int) (api.SendOutput, error) {
			if n > 1 {
				return w.outcome(publication.OutcomeUnknown), nil
			}
			return api.SendOutput{Token: "t", Problem: "not known", Attempt: publication.Attempt{Number: n, Outcome: publication.OutcomeNotSent}}, nil
		}, publication.StateUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.forgotten, w.public = true, true
			w.send = func(ctx context.Context, n int) (api.SendOutput, error) { return c.send(w, ctx, n) }
			w.at(time.Minute, func() {
				s := w.status()
				w.wantState(s, c.want)
				w.forgotten = true // and again, before the decision
				w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, s.OpenAttempt().Number))
			})
			w.start("ana")
			w.wantState(w.result(), publication.StateAccepted)
			if len(w.recorded) < 2 || len(w.decided) != 1 {
				t.Errorf("%d records, %d decisions", len(w.recorded), len(w.decided))
			}
		})
	}
}

// What the ledger knows better counts: it is taken up, not fought.
func TestAConflictTakesUpTheLedgersRecord(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) {
		w.opened = &api.Opened{Payload: payload, Snapshot: publication.Snapshot{State: publication.StateAbandoned, Digest: payload.Digest()}}
		return api.SendOutput{}, errors.New("killed")
	}
	w.env.OnActivity(api.Settle, mock.Anything, mock.Anything).Return(api.Settled{}, temporal.NewNonRetryableApplicationError("another number", api.ErrorConflict, nil))
	w.start("ana")
	w.wantSends(1)
	w.wantState(w.result(), publication.StateAbandoned)
}
