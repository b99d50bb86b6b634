package ledger

import (
	"context"
	"testing"

	"postonce/publication"
)

// deletedElsewhere notes what the watch over accepted content proves.
func (f fixture) deletedElsewhere(id publication.OperationID) {
	f.t.Helper()
	_, err := f.pool.Exec(context.Background(), `update operations set remote_status = 'deleted' where operation = $1`, id)
	f.must(err)
}

func TestContentDeletedElsewhereFreesTheSlug(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.wantGone(1, "")
	f.deletedElsewhere(op)
	f.wantGeneration(1, true)
	f.wantGone(1, op)
	f.reach(secondOp, publication.OutcomeAccepted)
	f.wantGeneration(2, false)
	f.wantNoGeneration(thirdOp, removeSecond, "", "nor is it known to be deleted elsewhere")
	f.reach(removeSecond, publication.OutcomeAccepted)
	f.reach(thirdOp, publication.OutcomeAccepted)
}

// That a hidden content cannot be read frees nothing: its slug stays taken.
func TestHiddenContentFreesNothing(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	_, err := f.pool.Exec(context.Background(), `update operations set remote_status = 'firewall' where operation = $1`, op)
	f.must(err)
	f.wantGeneration(1, false)
	f.wantNoGeneration(secondOp, removeOp, "", "was not removed")
}

// It may be noted with the publication, or with our newest change of its content.
func TestADeletionOfChangedContentCountsWhereverItIsNoted(t *testing.T) {
	for _, noted := range []publication.OperationID{op, reviseOp} {
		f := newFixture(t)
		f.reach(op, publication.OutcomeAccepted)
		f.reach(reviseOp, publication.OutcomeAccepted)
		f.deletedElsewhere(noted)
		f.wantGeneration(1, true)
		f.wantGone(1, op)
	}
}

// A removal that was abandoned had its effect after all, or somebody else deleted: once that is known, the slug is free.
func TestAnAbandonedRemovalOfWhatWasDeletedFreesTheSlug(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.givenUp(removeOp)
	f.deletedElsewhere(op)
	f.wantGeneration(1, true)
	f.wantGone(1, op)
	f.reach(secondOp, publication.OutcomeAccepted)
}

func TestTrackedContentDeletedElsewhereFreesTheSlug(t *testing.T) {
	f := newFixture(t)
	f.must(f.Record(context.Background(), trackRequest(identity, "texto")))
	f.deletedElsewhere(trackOp)
	f.wantGeneration(1, true)
	f.wantGone(1, trackOp)
	other := identity
	other.ID = "00000000-0000-4000-8000-000000000000"
	f.must(f.Record(context.Background(), trackRequest(other, "de outro"))) // taken up anew: it is there
	f.wantGeneration(1, false)
	if rec := f.get(trackOp); rec.RemoteStatus != publication.StatusPublished {
		t.Errorf("got %+v", rec)
	}
	f.reach(removeOp, publication.OutcomeAccepted)
}

// The same content was published and taken up: it is gone once, not twice.
func TestTakenUpContentOfOursThatWasDeletedElsewhereIsNoNewGeneration(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.must(f.Record(context.Background(), trackRequest(identity, "texto")))
	f.deletedElsewhere(op)
	f.wantGeneration(1, true)
}

// What was taken up after a removal is the next generation; once it is deleted elsewhere, nothing is left to remove.
func TestOutlivingContentThatWasDeletedElsewhere(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.reach(removeOp, publication.OutcomeAccepted)
	other := identity
	other.ID = "00000000-0000-4000-8000-000000000000"
	f.must(f.Record(context.Background(), trackRequest(other, "de outro")))
	f.wantGeneration(2, false)
	f.deletedElsewhere(trackOp)
	f.wantGeneration(1, true)
	f.reach(secondOp, publication.OutcomeAccepted)
}

// Published, deleted elsewhere, and created by hand anew: taken up, it can be removed.
func TestContentTakenUpAfterADeletionElsewhereIsTheNextGeneration(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.deletedElsewhere(op)
	other := identity
	other.ID = "00000000-0000-4000-8000-000000000000"
	f.must(f.Record(context.Background(), trackRequest(other, "de outro")))
	f.wantGeneration(2, false)
	f.reach(removeSecond, publication.OutcomeUnknown)
	f.wantGeneration(2, false)
}
