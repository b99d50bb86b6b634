package publication

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestAPatchHoldsTheChangedFieldsAloneInCanonicalForm(t *testing.T) {
	for want, p := range map[string]Patch{
		`{}`:                                   {},
		`{"status":"deleted"}`:                 {Status: new(StatusDeleted)},
		`{"source_url":null}`:                  {SourceURL: new("")},
		`{"title":null}`:                       {Title: new("")},
		`{"body":"","slug":"","status":""}`:    {Body: new(""), Slug: new(""), Status: new(ContentStatus(""))},
		`{"body":"<b>\u0001` + "\u2028" + `"}`: {Body: new("<b>\x01\u2028")},
		`{"body":"b","slug":"s","source_url":"https://example.com","status":"published","title":"t"}`: {
			Title: new("t"), Body: new("b"), SourceURL: new("https://example.com"), Slug: new("s"), Status: new(StatusPublished),
		},
	} {
		if got := string(p.CanonicalJSON()); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if p.IsEmpty() != (want == "{}") {
			t.Errorf("%s is empty: %v", want, p.IsEmpty())
		}
	}
}

// Computed with sha256sum: digests are kept for years, so they must not change with the code.
func TestDigestOfAPatchIsTheSHA256OfItsCanonicalJSON(t *testing.T) {
	const want = "sha256:4df20f95e824b2af44a61642d88daaf041a392f1d38e2716b32ee0648f60b1bc"
	if got := (Patch{Status: new(StatusDeleted)}).Digest(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNotChangedAndTakenAwayHaveDifferentDigests(t *testing.T) {
	seen := map[Digest]string{}
	for name, p := range map[string]Patch{
		"nothing": {}, "title away": {Title: new("")}, "source away": {SourceURL: new("")}, "body away": {Body: new("")},
		"title": {Title: new("x")}, "body": {Body: new("x")}, "source": {SourceURL: new("x")}, "slug": {Slug: new("x")}, "status": {Status: new(ContentStatus("x"))},
	} {
		if other, ok := seen[p.Digest()]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[p.Digest()] = name
	}
}

func TestAPatchReadsBackAsItWasKept(t *testing.T) {
	for _, p := range []Patch{
		{}, {Title: new(""), SourceURL: new("")}, {Title: new("<a> & \"b\""), Body: new("x\u2028\r\n"), SourceURL: new("https://example.com"), Slug: new("s"), Status: new(StatusDeleted)},
	} {
		text, err := json.Marshal(struct{ Patch Patch }{p})
		if err != nil {
			t.Fatal(err)
		}
		var back struct{ Patch Patch }
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back.Patch, p) {
			t.Errorf("%s became %s: %v", p.CanonicalJSON(), back.Patch.CanonicalJSON(), err)
		}
	}
}

func TestWhatIsNoPatchIsToldNotDropped(t *testing.T) {
	for text, words := range map[string]string{
		`{"title":"a","parent_id":"x"}`: `"parent_id" is no field that can be changed`,
		`{"Title":"a"}`:                 `"Title" is no field that can be changed`,
		`{"body":null}`:                 "body must not be null",
		`{"slug":null}`:                 "slug must not be null",
		`{"status":null}`:               "status must not be null",
		`{"title":1}`:                   "patch: json: cannot unmarshal",
		`[]`:                            "patch: json: cannot unmarshal",
	} {
		kept := Patch{Slug: new("was")}
		err := json.Unmarshal([]byte(text), &kept)
		if err == nil || !strings.Contains(err.Error(), words) || *kept.Slug != "was" {
			t.Errorf("%s: %v, want %q; now %s", text, err, words, kept.CanonicalJSON())
		}
	}
}

// The rules of the fields are a payload's; what is only the patch's own stands here (TabNews API, PATCH).
func TestValidateJudgesTheChangedFieldsOfAPatchAlone(t *testing.T) {
	for name, c := range map[string]struct {
		patch   Patch
		refused string
	}{
		"nothing":                 {Patch{}, "object"},
		"title":                   {Patch{Title: new("Olá")}, ""},
		"title taken away":        {Patch{Title: new("")}, ""},
		"title of nothing to see": {Patch{Title: new("\u200b")}, "title"},
		"title too long":          {Patch{Title: new(strings.Repeat("a", 256))}, "title"},
		"body":                    {Patch{Body: new("texto")}, ""},
		"body empty":              {Patch{Body: new("")}, "body"},
		"source taken away":       {Patch{SourceURL: new("")}, ""},
		"source blank":            {Patch{SourceURL: new(" ")}, "source_url"},
		"slug empty":              {Patch{Slug: new("")}, "slug"},
		"published":               {Patch{Status: new(StatusPublished)}, ""},
		"draft":                   {Patch{Status: new(StatusDraft)}, ""},
		"deleted":                 {Patch{Status: new(StatusDeleted)}, ""},
		"firewall":                {Patch{Status: new(StatusFirewall)}, "status"},
		"status empty":            {Patch{Status: new(ContentStatus(""))}, "status"},
		"all wrong":               {Patch{Title: new(" "), Body: new(" "), SourceURL: new("x"), Slug: new("-"), Status: new(ContentStatus("x"))}, "title slug body source_url status"},
		"no UTF-8":                {Patch{Title: new("Ol\xe1"), Slug: new("-")}, "title"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := refusedFields(c.patch.Validate()); got != c.refused {
				t.Errorf("refused for %q, want %q", got, c.refused)
			}
		})
	}
}
