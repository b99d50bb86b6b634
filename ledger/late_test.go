package ledger

import (
	"context"
	"testing"
	"time"

	"postonce/publication"
)

// late gives what a workflow that read the content before would record now.
func (f fixture) late(id publication.OperationID) RecordRequest {
	f.t.Helper()
	rec := f.get(id)
	s := rec.Snapshot()
	s.RemoteStatus, s.Verification = publication.StatusPublished, publication.VerificationMatched
	return RecordRequest{Account: "autora", Lane: "home", Payload: rec.Payload, Base: rec.Base, Snapshot: s, Repair: true}
}

// A repair that comes late, or content adopted as it stands, was read before the change that was told since.
func TestALateSnapshotNeverTakesAToldChangeBack(t *testing.T) {
	for _, c := range []struct {
		seen         publication.Seen
		remote       publication.ContentStatus
		verification publication.Verification
	}{
		{publication.SeenDeleted, publication.StatusDeleted, publication.VerificationUnreadable},
		{publication.SeenHidden, publication.StatusFirewall, publication.VerificationUnreadable},
		{publication.SeenEdited, publication.StatusPublished, publication.VerificationDiverged},
		{publication.SeenGone, publication.StatusPublished, publication.VerificationUnreadable},
	} {
		t.Run(string(c.seen), func(t *testing.T) {
			f := newFixture(t)
			f.published(publication.VerificationMatched)
			late := f.late(op)
			f.sight(f.makeDue(), c.seen, "theirs")
			f.must(f.Record(context.Background(), late))
			if rec := f.get(op); rec.RemoteStatus != c.remote || rec.Verification != c.verification {
				t.Errorf("it is %s, %s; want %s, %s", rec.RemoteStatus, rec.Verification, c.remote, c.verification)
			}
			if c.seen == publication.SeenDeleted {
				f.wantGeneration(1, true)
				f.wantGone(1, op)
			}
		})
	}
}

// Content that is taken up anew was read just now, also where it reads exactly as it did before it was hidden.
func TestContentTakenUpAnewIsWhatWasReadJustNow(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.must(f.Record(ctx, trackRequest(identity, "texto")))
	late := f.late(trackOp)
	f.sight(f.makeDue(), publication.SeenDeleted, "")
	f.must(f.Record(ctx, late))
	f.wantGone(1, trackOp)
	f.must(f.Record(ctx, trackRequest(identity, "texto")))
	f.wantGone(1, "")
	w := f.onlyDue() // it is watched from now on
	if rec := f.get(trackOp); w.Seen != publication.SeenUnchanged || rec.Drift != nil || rec.RemoteStatus != publication.StatusPublished {
		t.Errorf("it is %s, %+v; the watch begins at %s", rec.RemoteStatus, rec.Drift, w.Seen)
	}
	before := len(f.journalOf(trackOp))
	f.must(f.Record(ctx, trackRequest(identity, "texto")))
	if after := len(f.journalOf(trackOp)); after != before {
		t.Errorf("told again, it added %d entries", after-before)
	}
}

// The watch's own rows come first, and those that refer to operations are written while an operation is locked: a look at
// one of its contents locks them in the other order.
func TestTheWatchDoesNotWaitForALockedOperation(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	f.must(f.change(ctx, op, func(ctx context.Context, _ *change) error {
		found, err := f.DueWatches(ctx, "autora", soonAfter, 20)
		if len(found) != 1 {
			t.Errorf("%d are due", len(found))
		}
		return err
	}))
}
