package publication

import (
	"strings"
	"testing"
	"time"
)

var baseTime = time.Date(2026, 11, 30, 15, 18, 40, 456e6, time.UTC)

func someBase() Base {
	return Base{ID: "5b1f6a0e-4f0c-4b8e-9a40-6cf4a4dc54a1", UpdatedAt: baseTime, Payload: Payload{Title: "Olá", Slug: "ola", Body: "Um texto.", SourceURL: "https://example.com/a", Status: StatusPublished}}
}

func TestPatchHoldsOnlyWhatChanges(t *testing.T) {
	b := someBase()
	to := b.Payload
	if !b.PatchTo(to).IsEmpty() {
		t.Error("the same payload changes something")
	}
	to.Title, to.SourceURL = "Outro", ""
	if got := string(b.PatchTo(to).CanonicalJSON()); got != `{"source_url":null,"title":"Outro"}` {
		t.Errorf("got %s", got)
	}
	to = b.Payload
	to.Status = StatusDeleted
	if got := string(b.PatchTo(to).CanonicalJSON()); got != `{"status":"deleted"}` {
		t.Errorf("got %s", got)
	}
}

func TestApprovalBindsPayloadAndBase(t *testing.T) {
	b := someBase()
	to := b.Payload
	to.Body = "Outro texto."
	first := DigestOf(to, &b)
	if first == DigestOf(to, nil) || DigestOf(to, nil) != to.Digest() {
		t.Error("the base is not part of the digest")
	}
	later := b
	later.UpdatedAt = later.UpdatedAt.Add(time.Millisecond)
	moved := b
	moved.Payload.Title = "x"
	for _, other := range []Base{later, moved} {
		if DigestOf(to, &other) == first {
			t.Errorf("%+v has the digest of another base", other)
		}
	}
}

func TestOperationIDsOfEveryKind(t *testing.T) {
	b := someBase()
	for _, c := range []struct {
		id         OperationID
		want       string
		kind       Kind
		generation int
	}{
		{PublishID("autora", "ola"), "publish/autora/ola", KindPublish, 1},
		{PublishAgainID("autora", "ola", 2), "publish/autora/ola@2", KindPublish, 2},
		{ReviseID("autora", "ola", b.Version()), "revise/autora/ola/20261130T151840-456Z", KindRevise, 1},
		{RemoveID("autora", "ola", 3), "remove/autora/ola@3", KindRemove, 3},
		{TrackID("autora", "ola"), "track/autora/ola", KindTrack, 1},
	} {
		if string(c.id) != c.want || c.id.Kind() != c.kind || c.id.Generation() != c.generation || c.id.Reference().String() != "autora/ola" {
			t.Errorf("%q: kind %s, generation %d, reference %s", c.id, c.id.Kind(), c.id.Generation(), c.id.Reference())
		}
		if got, err := ParseOperationID(string(c.id)); err != nil || got != c.id {
			t.Errorf("parsing %q: %q, %v", c.id, got, err)
		}
	}
	for _, bad := range []string{"revise/autora/ola", "track/autora/ola@2", "publish/autora/ola@1", "publish/autora/ola/x", "remove/a/b", "post/autora/ola"} {
		if _, err := ParseOperationID(bad); err == nil || !strings.Contains(err.Error(), "publish/ACCOUNT/SLUG") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if v := (Base{ID: b.ID}).Version(); v != "draft-5b1f6a0e" {
		t.Errorf("draft: %q", v)
	}
}
