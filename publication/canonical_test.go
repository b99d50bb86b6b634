package publication

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCanonicalJSONIsRFC8785(t *testing.T) {
	p := Payload{
		Title:     "<Título> & \"aspas\" \\",
		Slug:      "um",
		Body:      "a\b\t\n\f\r\x00\x1f\x7f\u2028é😀/",
		SourceURL: "https://example.com/?a=1&b=2",
		Status:    StatusPublished,
		ParentID:  "e7fdd873-c3af-4962-b843-42737ca37a52",
	}
	want := `{"body":"a\b\t\n\f\r\u0000\u001f` + "\x7f\u2028é😀/" + `","parent_id":"e7fdd873-c3af-4962-b843-42737ca37a52",` +
		`"slug":"um","source_url":"https://example.com/?a=1&b=2","status":"published","title":"<Título> & \"aspas\" \\"}`
	if got := string(p.CanonicalJSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCanonicalJSONReadsBackAsThePayload(t *testing.T) {
	p := root()
	p.Body += "\r\n\"\\\u0001"
	var back Payload
	if err := json.Unmarshal(p.CanonicalJSON(), &back); err != nil || back != p {
		t.Errorf("got %+v, %v", back, err)
	}
}

func TestEmptyOptionalFieldsAreLeftOut(t *testing.T) {
	want := `{"body":"b","slug":"s","status":"draft"}`
	if got := string(Payload{Slug: "s", Body: "b", Status: StatusDraft}.CanonicalJSON()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Computed with sha256sum: digests are kept for years, so they must not change with the code.
func TestDigestIsTheSHA256OfTheCanonicalJSON(t *testing.T) {
	const want = "sha256:e26afa967a701a8091ddc7af77dd17db2f2f1e7af7b4d7a0026c5ca5cfa547df"
	if got := (Payload{Slug: "s", Body: "b", Status: StatusDraft}).Digest(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEveryFieldChangesTheDigest(t *testing.T) {
	seen := map[Digest]string{root().Digest(): "none"}
	for _, name := range []string{"title", "slug", "body", "source_url", "status", "parent_id"} {
		p := root()
		*field(&p, name) += "x"
		if other, ok := seen[p.Digest()]; ok {
			t.Errorf("a change of %s gives the digest of a change of %s", name, other)
		}
		seen[p.Digest()] = name
	}
}

func TestParseDigest(t *testing.T) {
	whole := string(root().Digest())
	if got, err := ParseDigest(" " + whole + "\n"); err != nil || string(got) != whole {
		t.Errorf("got %q, %v", got, err)
	}
	for _, bad := range []string{"", whole[:len(whole)-1], whole + "0", strings.ToUpper(whole), whole[7:], "sha256:" + strings.Repeat("g", 64)} {
		if got, err := ParseDigest(bad); err == nil {
			t.Errorf("%q was taken for %q", bad, got)
		}
	}
}
