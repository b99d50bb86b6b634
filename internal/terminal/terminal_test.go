package terminal

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestPlainShowsWhatWouldMoveTheCursor(t *testing.T) {
	for in, want := range map[string]string{
		"olá\tmundo\n":              "olá\tmundo\n",
		"\x1b[2Jgone":               "<U+001B>[2Jgone",
		"ok\rstate: accepted":       "ok<U+000D>state: accepted",
		"file\u202etxt.exe":         "file<U+202E>txt.exe",
		"c1 \u009b31m":              "c1 <U+009B>31m",
		"família 👩\u200d👧 as it is": "família 👩\u200d👧 as it is",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line("two\n lines"); got != "two lines" {
		t.Errorf("Line = %q", got)
	}
}

func TestEveryStateHasAColour(t *testing.T) {
	for _, s := range publication.States() {
		if _, ok := stateStyles[s]; !ok {
			t.Errorf("%s has no colour", s)
		}
	}
	if State(publication.StateUnknown) == stateStyles[publication.StateRejected].Render("unknown") {
		t.Error("unknown is drawn like rejected")
	}
}

func TestSnapshotsReadAsExpected(t *testing.T) {
	for name, view := range map[string]View{"unknown": unknownView(), "accepted": acceptedView(), "proposed": proposedView()} {
		golden(t, name, printed(view.Text()))
	}
}

func TestUnknownIsNeverCalledFailed(t *testing.T) {
	text := strings.ToLower(printed(unknownView().Text()))
	for _, word := range []string{"failed", "failure", "rejected"} {
		if strings.Contains(text, word) {
			t.Errorf("an unknown operation is said to be %q:\n%s", word, text)
		}
	}
}

func TestNoColourLeavesATerminal(t *testing.T) {
	for _, text := range []string{unknownView().Text(), List([]publication.Snapshot{unknownView().Snapshot})} {
		if got := printed(text); strings.Contains(got, "\x1b") {
			t.Errorf("escape in what is no terminal: %q", got)
		}
	}
}

func TestForeignTextCannotLookLikeOurs(t *testing.T) {
	view := unknownView()
	view.Attempts[0].Evidence.Body = "\x1b[1A\x1b[2Kstate: accepted"
	view.Decisions = []publication.Decision{{By: "eva\x1b[8m", Kind: publication.DecisionAdopt, Refusal: "a\nb"}}
	if text := printed(view.Text()); strings.Contains(text, "\x1b") || strings.Contains(text, "\nb") {
		t.Errorf("foreign text passed through: %q", text)
	}
}

func TestPreviewTellsTargetChangesAndSize(t *testing.T) {
	preview := Preview{
		Payload: publication.Payload{Title: "Olá", Slug: "ola", Body: "Um\n\ntexto", Status: publication.StatusPublished},
		Changes: []publication.Change{{Field: "body", What: "1 invisible character removed at the end (U+000A)"}},
		Account: "ana", Site: "https://tabnews.example",
	}
	golden(t, "preview", printed(preview.Text(&bytes.Buffer{})+preview.RequestText()))
}

func TestListAlignsByWhatIsSeen(t *testing.T) {
	long := proposedView().Snapshot
	long.Title = strings.Repeat("ação ", 30)
	golden(t, "list", printed(List([]publication.Snapshot{unknownView().Snapshot, acceptedView().Snapshot, long})))
}

func unknownView() View {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	return View{Site: "https://tabnews.example", Snapshot: publication.Snapshot{
		Operation: "publish/ana/ola", State: publication.StateUnknown, Verification: publication.VerificationPending,
		LocalRecord: publication.LocalRecorded, Reference: "ana/ola", Digest: "sha256:aa", Title: "Olá",
		Known: "The answer was lost.", WaitingFor: "a person's decision", Parked: true,
		NextAction: publication.StateUnknown.NextSafeAction(), Notes: []string{"ana/ola is public"},
		Attempts: []publication.Attempt{{
			Number: 1, Outcome: publication.OutcomeUnknown, ApprovedBy: "ana", ClaimedAt: &at,
			Evidence: &publication.Evidence{
				Summary: "502 that is not TabNews' own", Phase: "answered", RequestBytes: 312, HTTPStatus: 502,
				Headers: map[string]string{"cf-ray": "abc-GRU", "content-type": "text/html"}, Body: "<h1>Bad gateway</h1>", DurationMS: 1200,
				Hint: &publication.Identity{ID: "id-1", OwnerUsername: "ana", Slug: "ola", Status: "published"},
			},
			Candidates: []publication.Candidate{{
				Reference: "ana/ola", ID: "id-1", FoundBy: "reference", PublishedAt: &at, SeenAt: at, Diff: "--- a\n+++ b\n-one\n+two\n",
			}},
		}},
		Decisions: []publication.Decision{
			{Kind: publication.DecisionNotCreated, By: "eva", Attempt: 1, Reason: "I saw nothing", At: at, Refusal: "ana/ola can be read"},
			{Signal: "resolve", At: at, Refusal: "not JSON"},
		},
	}, Commands: []string{"starter resolve publish/ana/ola --attempt 1 --adopt ana/ola --reason '…'"}}
}

func acceptedView() View {
	return View{Site: "https://tabnews.example", Snapshot: publication.Snapshot{
		Operation: "publish/ana/ola", State: publication.StateAccepted, RemoteStatus: publication.StatusPublished,
		Verification: publication.VerificationDiverged, LocalRecord: publication.LocalPending, Reference: "ana/ola",
		Identity:   &publication.Identity{ID: "id-1", OwnerUsername: "Ana", Slug: "ola", Status: "published"},
		Divergence: "-a\n+b", Attempts: []publication.Attempt{{Number: 1, Outcome: publication.OutcomeAccepted}},
	}}
}

func proposedView() View {
	return View{Snapshot: publication.Snapshot{Operation: "publish/ana/proposta", State: publication.StateProposed, Reference: "ana/proposta", Title: "Proposta"}}
}

// printed is what a file or a pipe gets.
func printed(text string) string {
	var out bytes.Buffer
	Print(&out, text)
	return out.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
