package workflows

import (
	"context"
	"testing"
	"time"

	"postonce/activities/api"
	"postonce/publication"
)

// restored is an older ledger: it holds the approved intention, and no attempt, until it is told.
func (w *world) restored() {
	older := publication.Snapshot{Operation: "publish/autora/ola", State: publication.StatePlanned, Digest: payload.Digest()}
	w.opened = &api.Opened{Payload: payload, Snapshot: older, Memory: "b"}
	w.onRecord = func() { w.opened.Snapshot = w.recorded[len(w.recorded)-1].Snapshot }
}

// The ledger is restored from before an attempt of which a person decided that it created nothing: the attempt is
// written to it before the next is sent, which still knows of the doubt.
func TestAnOlderLedgerIsToldOfTheAttemptsThatItLacks(t *testing.T) {
	w := newWorld(t)
	w.memory = "a"
	w.send = func(context.Context, int) (api.SendOutput, error) {
		switch len(w.sends) {
		case 1:
			return w.outcome(publication.OutcomeUnknown), nil
		case 2:
			w.restored()
			return api.SendOutput{Refusal: "the ledger was restored"}, nil
		}
		w.public = true
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.at(time.Hour, func() { w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1)) })
	w.start("ana")
	w.wantState(w.result(), publication.StateAccepted)
	if len(w.sends) != 3 {
		t.Fatalf("%d sends were ordered", len(w.sends))
	}
	if first, last := w.sends[0], w.sends[2]; first.Memory != "a" || last.Memory != "b" || last.Attempt != 2 || !last.Doubt {
		t.Errorf("ordered %+v, then %+v", first, last)
	}
}

// A run that was continued as new knows what the one before knew, and the ledger does not: it parks, also where the
// ledger's memory has the same name, as that of a copied disk, or none was asked for, as before there were any.
func TestAContinuedRunRemembersWhatARestoredLedgerForgot(t *testing.T) {
	for _, memory := range []string{"a", "b", ""} {
		t.Run(memory, func(t *testing.T) { continuedWith(t, memory) })
	}
}

func continuedWith(t *testing.T, memory string) {
	w := newWorld(t)
	w.restored()
	w.at(time.Minute, func() {
		w.wantState(w.status(), publication.StateUnknown)
		w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
	})
	w.env.ExecuteWorkflow(PublishWorkflow, PublishInput{
		Operation: "publish/autora/ola", Payload: payload, Digest: payload.Digest(), ProposedBy: "ana", LastState: publication.StateUnknown,
		LastKnown: &LastKnown{memory, []publication.Attempt{{Number: 1, Outcome: publication.OutcomeUnknown, Digest: payload.Digest()}}},
	})
	w.wantState(w.result(), publication.StateAbandoned)
	w.wantSends(0)
}

// Nobody knows whether the claim was in the ledger that was lost: the run asks with the memory that it knows, and parks.
func TestAnAttemptThatARestoredLedgerLacksIsUnknown(t *testing.T) {
	w := newWorld(t)
	w.memory = "a"
	w.send = func(context.Context, int) (api.SendOutput, error) {
		w.forgotten = true
		return api.SendOutput{}, forgot
	}
	w.at(time.Minute, func() {
		w.wantState(w.status(), publication.StateUnknown)
		w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
	})
	w.start("ana")
	w.wantSends(1)
	if len(w.settles) == 0 || w.settles[0].Memory != "a" {
		t.Errorf("settled %+v", w.settles)
	}
}

// The ledger was lost, and has another run's attempt under this one's number: a recheck shows the number that it gave to
// this one, which can then be decided.
func TestANumberThatTheLedgerGaveAnewCanBeDecided(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.settle = func(in api.SettleInput) api.Settled {
		w.opened = &api.Opened{Payload: payload, Snapshot: publication.Snapshot{State: publication.StateUnknown, Digest: payload.Digest(),
			Attempts: []publication.Attempt{{Number: 1, Outcome: publication.OutcomeRejected}, {Number: 2, Outcome: publication.OutcomeUnknown}}}}
		out := w.settled(in, publication.OutcomeRejected)
		out.State = publication.StateUnknown
		return out
	}
	w.at(time.Minute, func() { w.signal(SignalRecheck, RecheckInput{By: "ana"}) })
	w.at(time.Hour, func() { w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 2)) })
	w.start("ana")
	w.wantState(w.result(), publication.StateAbandoned)
	w.wantSends(1)
}

// The row that a recheck asks for was there: a ledger that lacks it is not believed.
func TestARecheckSaysThatTheAttemptWasClaimed(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.at(time.Minute, func() { w.signal(SignalRecheck, RecheckInput{By: "ana"}) })
	w.at(time.Hour, func() { w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1)) })
	w.start("ana")
	w.wantState(w.result(), publication.StateAbandoned)
	if len(w.settles) != 1 || !w.settles[0].Known {
		t.Errorf("settled %+v", w.settles)
	}
}
