package ledger

import (
	"context"
	"errors"
	"strings"
	"testing"

	"postonce/publication"
)

var (
	secondOp     = publication.PublishAgainID("autora", "ola", 2)
	removeSecond = publication.RemoveID("autora", "ola", 2)
	thirdOp      = publication.PublishAgainID("autora", "ola", 3)
)

func TestASlugIsPublishedAgainOnlyAfterItsRemoval(t *testing.T) {
	f := newFixture(t)
	f.wantNoGeneration(secondOp, op, "", "is not in the ledger")
	f.reach(op, publication.OutcomeUnknown)
	f.wantNoGeneration(secondOp, op, publication.StateUnknown, "finish that one")
	f.end(op, 1, publication.OutcomeAccepted)
	f.wantNoGeneration(secondOp, removeOp, "", "starter remove autora/ola")
	f.reach(removeOp, publication.OutcomeUnknown)
	f.wantNoGeneration(secondOp, removeOp, publication.StateUnknown, "must be accepted first")
	f.wantGeneration(1, false)
	f.end(removeOp, 1, publication.OutcomeAccepted)
	f.wantGeneration(1, true)
	f.reach(secondOp, publication.OutcomeAccepted)
	f.wantGeneration(2, false)
	f.wantNoGeneration(thirdOp, removeSecond, "", "starter remove autora/ola")
	f.reach(removeSecond, publication.OutcomeAccepted)
	f.wantGeneration(2, true)
	f.reach(thirdOp, publication.OutcomeAccepted)
	f.wantGeneration(3, false)
}

// wantNoGeneration opens, and wants a refusal that names what has to be accepted before.
func (f fixture) wantNoGeneration(id, earlier publication.OperationID, state publication.State, words string) {
	f.t.Helper()
	_, err := f.OpenOperation(context.Background(), anyRequest(id, "run-1"))
	var refused *GenerationError
	if !errors.As(err, &refused) || *refused != (GenerationError{id, earlier, state}) || !strings.Contains(err.Error(), words) {
		f.t.Errorf("got %v, want a refusal for %s (%q) with %q", err, earlier, state, words)
	}
	if _, err := f.Load(context.Background(), id); !errors.Is(err, ErrNotFound) {
		f.t.Errorf("a refused generation left: %v", err)
	}
}

func (f fixture) wantGeneration(n int, removed bool) {
	f.t.Helper()
	gotN, gotRemoved, err := f.Generation(context.Background(), "autora", "ola")
	f.must(err)
	if gotN != n || gotRemoved != removed {
		f.t.Errorf("generation %d, removed: %v; want %d, %v", gotN, gotRemoved, n, removed)
	}
}

func TestTrackedContentIsTheFirstGeneration(t *testing.T) {
	f := newFixture(t)
	f.wantGeneration(0, false)
	f.must(f.Record(context.Background(), trackRequest(identity, "texto")))
	f.wantGeneration(1, false)
	f.wantNoGeneration(secondOp, removeOp, "", "starter remove")
	f.reach(removeOp, publication.OutcomeAccepted)
	f.wantGeneration(1, true)
	f.reach(secondOp, publication.OutcomeAccepted)
	f.wantGeneration(2, false)
}

// Somebody else publishes under the slug after our removal, and it is taken up: it can be removed too, and the slug
// published again after that.
func TestContentThatOutlivesARemovalIsTheNextGeneration(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.reach(removeOp, publication.OutcomeAccepted)
	other := identity
	other.ID = "00000000-0000-4000-8000-000000000000"
	f.must(f.Record(context.Background(), trackRequest(other, "de outro")))
	f.wantGeneration(2, false)
	f.open(anyRequest(removeSecond, "run-1"))
	if r := f.try(removeSecond, 1); !r.Claimed {
		t.Fatal(r.Refusal)
	}
	req := finishRequest(1, publication.OutcomeAccepted)
	req.Operation, req.Identity = removeSecond, &other
	f.must(f.Finish(context.Background(), req))
	f.wantGeneration(2, true)
	f.reach(thirdOp, publication.OutcomeAccepted)
}

// A removal is proof enough of what was there, whoever published it; but a publish that may still be sent, or may have
// been, is not passed by.
func TestARemovalOfUnknownContentCounts(t *testing.T) {
	f := newFixture(t)
	f.reach(removeOp, publication.OutcomeAccepted)
	f.wantGeneration(1, true)
	f.open(request(op, payload("texto"), "run-1", ""))
	f.wantNoGeneration(secondOp, op, publication.StateProposed, "finish that one")
	f.open(request(op, payload("texto"), "run-2", "ana"))
	f.claim(1)
	f.finish(1, publication.OutcomeRejected)
	f.reach(secondOp, publication.OutcomeAccepted)
}
