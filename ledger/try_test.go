package ledger

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// abandon lets a person close an operation whose first attempt is unknown.
func (f fixture) abandon(id publication.OperationID) {
	f.t.Helper()
	d, err := f.Decide(context.Background(), id, publication.Decision{ID: "abandon", Kind: publication.DecisionAbandon, By: "ana", Attempt: 1, Taken: true}, nil, "")
	f.must(err)
	if !d.Taken {
		f.t.Fatal(d.Refusal)
	}
}

// longOver puts an attempt's deadline into the past, so that nothing of it can be in flight.
func (f fixture) longOver(id publication.OperationID) {
	f.t.Helper()
	_, err := f.pool.Exec(context.Background(), `update attempts set send_by = clock_timestamp() - interval '1 hour' where operation = $1`, id)
	f.must(err)
}

// givenUp brings an operation to abandoned, long ago.
func (f fixture) givenUp(id publication.OperationID) {
	f.t.Helper()
	f.reach(id, publication.OutcomeUnknown)
	f.abandon(id)
	f.longOver(id)
}

// wantNoTry opens, and wants a refusal that names the try before and its state.
func (f fixture) wantNoTry(id publication.OperationID, state publication.State, words string) *TryError {
	f.t.Helper()
	_, err := f.OpenOperation(context.Background(), anyRequest(id, "run-1"))
	var refused *TryError
	if !errors.As(err, &refused) || refused.State != state || !strings.Contains(err.Error(), words) {
		f.t.Fatalf("got %v, want a refusal with %q and %q", err, state, words)
	}
	if _, err := f.Load(context.Background(), id); !errors.Is(err, ErrNotFound) {
		f.t.Errorf("a refused try left: %v", err)
	}
	return refused
}

func TestAChangeIsTriedAgainOnlyAfterItWasAbandoned(t *testing.T) {
	for _, first := range []publication.OperationID{reviseOp, removeOp, removeSecond} {
		t.Run(string(first), func(t *testing.T) {
			f := newFixture(t)
			second, third := first.WithTry(2), first.WithTry(3)
			f.wantNoTry(second, "", "is not in the ledger")
			f.reach(first, publication.OutcomeUnknown)
			f.wantNoTry(second, publication.StateUnknown, "starter status "+string(first))
			f.abandon(first)
			f.longOver(first)
			f.wantNoTry(third, "", string(second)+", is not in the ledger")
			f.givenUp(second)
			if rec := f.reach(third, publication.OutcomeAccepted); rec.Reference != "autora/ola" {
				t.Errorf("got %+v", rec)
			}
			f.wantNoTry(first.WithTry(4), publication.StateAccepted, "only an abandoned one")
		})
	}
}

// Abandoning says nothing of the request: it may be on its way yet, or with TabNews.
func TestATryWaitsUntilTheOneBeforeCanNoLongerBeInFlight(t *testing.T) {
	f := newFixture(t)
	second := reviseOp.WithTry(2)
	f.reach(reviseOp, publication.OutcomeUnknown)
	f.abandon(reviseOp)
	refused := f.wantNoTry(second, publication.StateAbandoned, "may have an effect until")
	sendBy := *f.get(reviseOp).Attempts[0].SendBy
	if !refused.Until.Equal(sendBy.Add(QuietTime)) || refused.InFlight <= QuietTime || refused.InFlight > QuietTime+30*time.Second {
		t.Errorf("in flight for %s, until %s; the deadline is %s", refused.InFlight, refused.Until, sendBy)
	}
	f.longOver(reviseOp)
	req := anyRequest(second, "run-1")
	req.QuietTime = 2 * time.Hour
	if _, err := f.OpenOperation(context.Background(), req); !errors.As(err, &refused) {
		t.Errorf("within the worker's quiet time: %v", err)
	}
	f.open(anyRequest(second, "run-1"))
	if r := f.try(second, 1); !r.Claimed {
		t.Error(r.Refusal)
	}
	f.open(anyRequest(second, "run-2")) // it is there: asking again judges nothing anew
}

func TestWhatNeverLeftIsTriedAgainAtOnce(t *testing.T) {
	f := newFixture(t)
	f.open(anyRequest(reviseOp, "run-1"))
	f.try(reviseOp, 1)
	req := finishRequest(1, publication.OutcomeUnknown)
	req.Operation, req.Evidence = reviseOp, &publication.Evidence{Summary: "refused", ProvenUnsent: true}
	f.must(f.Finish(context.Background(), req))
	f.abandon(reviseOp)
	f.open(anyRequest(reviseOp.WithTry(2), "run-1"))
}

func TestAnAbandonedPublicationIsNotTriedAgain(t *testing.T) {
	f := newFixture(t)
	f.givenUp(op)
	f.wantNoTry(op.WithTry(2), "", "an abandoned publish stays final")
}

func TestNewestTry(t *testing.T) {
	f := newFixture(t)
	want := func(op publication.OperationID, state publication.State) {
		t.Helper()
		got, gotState, err := f.NewestTry(context.Background(), removeOp)
		f.must(err)
		if got != op || gotState != state {
			t.Errorf("got %s (%s), want %s (%s)", got, gotState, op, state)
		}
	}
	want(removeOp, "")
	f.givenUp(removeOp)
	f.givenUp(reviseOp)
	want(removeOp, publication.StateAbandoned)
	f.reach(removeOp.WithTry(2), publication.OutcomeUnknown)
	want(removeOp.WithTry(2), publication.StateUnknown)
}

// Whichever try removed it, the generation is gone.
func TestASecondRemovalFreesTheSlug(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.givenUp(removeOp)
	f.wantGeneration(1, false)
	f.wantNoGeneration(secondOp, removeOp, publication.StateAbandoned, "nobody knows whether it removed")
	f.reach(removeOp.WithTry(2), publication.OutcomeUnknown)
	f.wantNoGeneration(secondOp, removeOp.WithTry(2), publication.StateUnknown, "must be accepted first")
	f.end(removeOp.WithTry(2), 1, publication.OutcomeAccepted)
	f.wantGeneration(1, true)
	f.wantGone(1, removeOp.WithTry(2))
	f.reach(secondOp, publication.OutcomeAccepted)
	f.wantGeneration(2, false)
}

// An answer that comes after a person gave up is TabNews' own word.
func TestALateAnswerToAnAbandonedRemovalCounts(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.givenUp(removeOp)
	f.end(removeOp, 1, publication.OutcomeAccepted)
	f.legal(removeOp, publication.StateAbandoned)
	f.wantGeneration(1, true)
	f.reach(secondOp, publication.OutcomeAccepted)
}

func (f fixture) wantGone(generation int, want publication.OperationID) {
	f.t.Helper()
	got, err := f.Gone(context.Background(), "autora", "ola", generation)
	f.must(err)
	if got != want {
		f.t.Errorf("generation %d is gone by %q, want %q", generation, got, want)
	}
}
