package ledger

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
)

// trackRequest is what the workflow records of content that it took up.
func trackRequest(who publication.Identity, body string) RecordRequest {
	p := payload(body)
	return RecordRequest{Account: "autora", Lane: "home", Payload: p, Snapshot: publication.Snapshot{Operation: trackOp, State: publication.StateAccepted,
		RemoteStatus: who.Status, Verification: publication.VerificationMatched, Identity: &who, Digest: p.Digest()}}
}

func (f fixture) track(req RecordRequest) (Record, []Entry) {
	f.t.Helper()
	f.must(f.Record(context.Background(), req))
	entries := f.legal(trackOp, publication.StateAccepted)
	f.must(f.Record(context.Background(), req))
	if diff := cmp.Diff(entries, f.legal(trackOp, publication.StateAccepted)); diff != "" {
		f.t.Errorf("the repetition changed the journal:\n%s", diff)
	}
	return f.get(trackOp), entries
}

func TestContentIsTakenUpWithoutAnAttempt(t *testing.T) {
	f := newFixture(t)
	rec, _ := f.track(trackRequest(identity, "texto"))
	if len(rec.Attempts) != 0 || *rec.Identity != identity || rec.Verification != publication.VerificationMatched || rec.RemoteStatus != publication.StatusPublished {
		t.Errorf("got %+v", rec)
	}
	if rec.LocalRecord != publication.LocalRecorded || rec.Payload != payload("texto") || rec.Base != nil {
		t.Errorf("got %+v", rec)
	}
}

func TestContentTakenUpAgainIsNotedAsItIsNow(t *testing.T) {
	f := newFixture(t)
	_, first := f.track(trackRequest(identity, "texto"))
	other := identity
	other.ID = "00000000-0000-4000-8000-000000000000"
	for _, req := range []RecordRequest{trackRequest(identity, "editado"), trackRequest(other, "editado"), trackRequest(identity, "texto")} {
		rec, entries := f.track(req)
		if *rec.Identity != *req.Snapshot.Identity || rec.Payload != req.Payload || rec.Digest != req.Snapshot.Digest {
			t.Errorf("got %+v", rec)
		}
		if len(entries) <= len(first) || entries[len(entries)-1].To != "" {
			t.Errorf("the journal ends with %+v", entries[len(entries)-1])
		}
		first = entries
	}
}

// A snapshot of a publication never replaces what was sent: that is for content alone that nobody here sent.
func TestOnlyTrackedContentIsNotedAnew(t *testing.T) {
	f := newFixture(t)
	stories["accepted"](f)
	req := recordRequest(f.load().Snapshot())
	req.Payload = payload("outro")
	req.Snapshot.Digest = req.Payload.Digest()
	f.must(f.Record(context.Background(), req))
	if rec := f.load(); rec.Payload != payload("texto") || rec.Digest != payload("texto").Digest() {
		t.Errorf("got %+v", rec)
	}
}

func TestATrackIsNeverClaimed(t *testing.T) {
	f := newFixture(t)
	f.open(request(trackOp, payload("texto"), "run-1", "ana"))
	if r := f.try(trackOp, 1); r.Claimed || r.Refusal == "" {
		t.Errorf("got %+v", r)
	}
}
