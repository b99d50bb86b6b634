package ledger

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
)

func TestTheBaseIsKeptAsItWas(t *testing.T) {
	f := newFixture(t)
	away := base
	away.UpdatedAt = base.UpdatedAt.In(time.FixedZone("BRT", -3*3600))
	for _, id := range []publication.OperationID{reviseOp, removeOp} {
		req := changeRequest(id, payload("texto"), away, "run-1", "ana")
		for _, rec := range []Record{f.open(req), f.get(id)} {
			if *rec.Base != base { // also in the same time zone, so that a repetition writes the same
				t.Errorf("the base of %s became %+v", id, *rec.Base)
			}
			if rec.State != publication.StatePlanned || rec.Reference != "autora/ola" || rec.Snapshot().Reference != "autora/ola" {
				t.Errorf("got %+v", rec)
			}
			if publication.DigestOf(rec.Payload, rec.Base) != rec.Digest {
				t.Errorf("what came back of %s is not what its digest names", id)
			}
		}
	}
	if rec := f.planned(); rec.Base != nil {
		t.Errorf("a publish starts from %+v", rec.Base)
	}
}

func TestOpenRefusesWhatIsNotWhole(t *testing.T) {
	f := newFixture(t)
	draft := publication.Base{ID: base.ID, Payload: base.Payload}
	for name, c := range map[string]struct {
		id     publication.OperationID
		change func(*OpenRequest)
		want   string
	}{
		"a revise without base":       {reviseOp, func(r *OpenRequest) { r.Base = nil }, "base is missing"},
		"a remove without base":       {removeOp, func(r *OpenRequest) { r.Base = nil }, "base is missing"},
		"a publish with base":         {op, func(r *OpenRequest) { r.Base = &base }, "starts from nothing"},
		"a track with base":           {trackOp, func(*OpenRequest) {}, "starts from nothing"},
		"another base":                {removeOp, func(r *OpenRequest) { r.Base = &draft }, "the digest"},
		"another version":             {reviseOp, func(r *OpenRequest) { r.Base = &draft }, "is version draft-5b1f6a0e, not"},
		"the digest of a publish":     {reviseOp, func(r *OpenRequest) { r.Digest = r.Payload.Digest() }, "the digest"},
		"another payload of a remove": {removeOp, func(r *OpenRequest) { r.Payload.Body = "outro" }, "the digest"},
	} {
		t.Run(name, func(t *testing.T) {
			req := anyRequest(c.id, "run-1")
			c.change(&req)
			if _, err := f.OpenOperation(context.Background(), req); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if n := f.count(`select count(*) from operations`); n != 0 {
		t.Errorf("%d operations were opened", n)
	}
}

// The content was edited between two tries to remove it: what a person allowed was the removal of the old version.
func TestAnotherBaseReplacesOneThatWaitsAndVoidsItsApproval(t *testing.T) {
	f := newFixture(t)
	f.open(anyRequest(removeOp, "run-1"))
	newer := base
	newer.UpdatedAt = base.UpdatedAt.Add(time.Hour)
	rec := f.open(changeRequest(removeOp, payload(""), newer, "run-2", ""))
	if rec.State != publication.StateProposed || !rec.Base.UpdatedAt.Equal(newer.UpdatedAt) {
		t.Errorf("got %s from %s", rec.State, rec.Base.UpdatedAt)
	}
	if rec = f.open(changeRequest(removeOp, payload(""), base, "run-3", "")); rec.State != publication.StateProposed {
		t.Errorf("the first base is %s without a new approval", rec.State)
	}
	f.legal(removeOp, publication.StateProposed)
}

func TestAChangeGoesTheWholeWay(t *testing.T) {
	f := newFixture(t)
	for _, id := range []publication.OperationID{reviseOp, removeOp} {
		rec := f.reach(id, publication.OutcomeAccepted)
		if rec.Identity.ID != identity.ID || *rec.Base != base || len(rec.Attempts) != 1 {
			t.Errorf("got %+v", rec)
		}
		f.legal(id, publication.StateAccepted)
	}
	if rec := f.get(removeOp); rec.RemoteStatus != publication.StatusDeleted {
		t.Errorf("what was removed is %s", rec.RemoteStatus)
	}
}

// A lost change is rebuilt with its base, and not without: it could not be restored.
func TestALostChangeIsRebuiltWithItsBase(t *testing.T) {
	f := newFixture(t)
	lost := f.reach(reviseOp, publication.OutcomeAccepted)
	req := RecordRequest{Account: "autora", Lane: "home", Payload: lost.Payload, Snapshot: lost.Snapshot()}
	f.must(f.Record(context.Background(), req)) // it is there: a snapshot without base adds what it knows
	if rec := f.get(reviseOp); rec.Base == nil || rec.LocalRecord != publication.LocalRecorded {
		t.Errorf("got %+v", rec)
	}
	empty := newFixture(t)
	if err := empty.Record(context.Background(), req); err == nil || !strings.Contains(err.Error(), "base is missing") {
		t.Errorf("got %v", err)
	}
	req.Base = lost.Base
	empty.must(empty.Record(context.Background(), req))
	if rec := empty.get(reviseOp); *rec.Base != base || rec.Digest != lost.Digest {
		t.Errorf("got %+v", rec)
	}
	empty.legal(reviseOp, publication.StateAccepted)
}

func TestFindGivesAllOfAReferenceTheNewestFirst(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.reach(reviseOp, publication.OutcomeAccepted)
	f.reach(removeOp, publication.OutcomeAccepted)
	f.reach(publication.PublishAgainID("autora", "ola", 2), publication.OutcomeAccepted)
	f.open(request(publication.PublishID("autora", "ola-2"), payload("texto"), "run-1", ""))
	found, err := f.Find(context.Background(), "autora", "ola")
	f.must(err)
	got := []publication.OperationID{}
	for _, r := range found {
		got = append(got, r.Operation)
		if diff := cmp.Diff(f.get(r.Operation), r); diff != "" {
			t.Errorf("%s differs from what is loaded:\n%s", r.Operation, diff)
		}
	}
	if diff := cmp.Diff([]publication.OperationID{"publish/autora/ola@2", removeOp, reviseOp, op}, got); diff != "" {
		t.Error(diff)
	}
	if all, err := f.List(context.Background(), Filter{}); err != nil || len(all) != 5 {
		t.Errorf("the list has %d, %v", len(all), err)
	}
	if none, err := f.Find(context.Background(), "autora", "nada"); err != nil || len(none) != 0 {
		t.Errorf("got %v, %v", none, err)
	}
}
