package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"

	"postonce/publication"
)

func edited() Change {
	base := publication.Base{ID: "id-1", UpdatedAt: time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC), Payload: publication.Payload{
		Title: "Olá", Slug: "ola", Body: "Primeira linha.\n\nUma linha do meio que é longa demais para uma célula estreita.\n\nFim.",
		SourceURL: "https://example.com/a", Status: publication.StatusPublished,
	}}
	c := Change{Base: base, Payload: base.Payload, Account: "ana", Site: "https://tabnews.example"}
	c.Payload.Title, c.Payload.SourceURL = "Olá, mundo", ""
	c.Payload.Body = "Primeira linha.\n\nUma linha do meio que é curta.\nE mais uma.\n\nFim."
	return c
}

func TestAChangeShowsBothDiffsAndTheRequest(t *testing.T) {
	golden(t, "change", printed(edited().Text(80)))
}

func TestAChangeSaysOnlyWhatDiffers(t *testing.T) {
	text := printed(edited().Text(0))
	for _, word := range []string{"Side by side", "status", "slug"} {
		if strings.Contains(text, word) {
			t.Errorf("%q is told:\n%s", word, text)
		}
	}
	want := `PATCH https://tabnews.example/api/v1/contents/ana/ola`
	if !strings.Contains(text, want) || !strings.Contains(text, "-Olá\n") || !strings.Contains(text, "+Olá, mundo\n") {
		t.Errorf("lacks %q or the title:\n%s", want, text)
	}
}

func TestSideBySideKeepsItsWidth(t *testing.T) {
	c := edited()
	c.Payload.Body = strings.Repeat("ação👩‍👧 ", 40) + "\n\tfim\x1b[2J"
	for _, width := range []int{40, 80, 121} {
		for line := range strings.Lines(printed(sideBySide("body", c.Base.Payload.Body, c.Payload.Body, width))) {
			if n := lipgloss.Width(strings.TrimSuffix(line, "\n")); n > max(width, 2*leastWidth+7) || strings.Contains(line, "\x1b") {
				t.Errorf("width %d: %d columns in %q", width, n, line)
			}
		}
	}
}

func TestADraftThatBecomesPublicIsAPatch(t *testing.T) {
	base := publication.Base{ID: "id-1", Payload: publication.Payload{Title: "Olá", Slug: "ola", Body: "Um texto", Status: publication.StatusDraft}}
	v := Preview{Payload: base.Payload, Base: &base, Account: "ana", Site: "https://tabnews.example"}
	v.Payload.Status = publication.StatusPublished
	text := printed(v.Text(&bytes.Buffer{}) + v.RequestText())
	for _, want := range []string{"draft → published", "PATCH https://tabnews.example/api/v1/contents/ana/ola, 22 bytes", "\n" + `{"status":"published"}`, "Um texto", string(publication.DigestOf(v.Payload, &base))} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

func TestARemovalTellsWhatItCosts(t *testing.T) {
	r := Removal{Base: edited().Base, Account: "ana", Site: "https://tabnews.example", Comments: 3, TabCoins: 2}
	golden(t, "removal", printed(r.Text()))
	r.TabCoins = 0
	if text := printed(r.Text()); !strings.Contains(text, "loses the initial TabCoins") {
		t.Errorf("got\n%s", text)
	}
	r.Base.Payload.Status = publication.StatusDraft
	if text := printed(r.Text()); !strings.Contains(text, "nothing: it was never published") || strings.Contains(text, "comments") {
		t.Errorf("got\n%s", text)
	}
}

func TestWordsFollowTheKind(t *testing.T) {
	for _, kind := range publication.Kinds() {
		w := kindWords[kind]
		if w.did == "" || w.matched == "" || w.diverged == "" || w.unreadable == "" || w.pending == "" {
			t.Errorf("%s lacks words: %+v", kind, w)
		}
	}
	gone := View{Snapshot: publication.Snapshot{Operation: "remove/ana/ola", State: publication.StateAccepted, Verification: publication.VerificationMatched}}
	if text := printed(gone.Text()); !strings.Contains(text, "is gone") {
		t.Errorf("got\n%s", text)
	}
}

func TestAConflictShowsBothSides(t *testing.T) {
	v := View{Snapshot: publication.Snapshot{
		Operation: "revise/ana/ola/20260304T050607-089Z", State: publication.StateRejected, Reference: "ana/ola",
		Divergence: "base → TabNews now\n-one\n+theirs\n\nbase → ours\n-one\n+ours\n",
	}}
	text := printed(v.Text())
	for _, want := range []string{"Conflict: what others made of the base", "+theirs", "+ours"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}
