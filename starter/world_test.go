package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"postonce/publication"
	"postonce/tabnews"
)

const opOla = publication.OperationID("publish/ana/ola")

// olaPage is what TabNews shows of olaPayload.
func olaPage() tabnews.Content {
	p := olaPayload()
	return tabnews.Content{
		ID: "11111111-1111-4111-8111-111111111111", OwnerUsername: "Ana", Slug: p.Slug, Title: p.Title, Body: p.Body, Status: p.Status,
		SourceURL: "https://example.com/a", UpdatedAt: time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC), TabCoins: 2, ChildrenDeepCount: 3,
	}
}

const opEdit = publication.OperationID("revise/Ana/ola/20260304T050607-089Z")

func writeFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "texto.md")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// olaFile is an article whose operation is opOla.
func olaFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ola.md")
	if err := os.WriteFile(name, []byte("---\ntitle: Olá\nslug: ola\n---\nUm texto.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func olaPayload() publication.Payload {
	return publication.Payload{Title: "Olá", Slug: "ola", Body: "Um texto.", Status: publication.StatusPublished}
}

// ola is opOla in a state.
func ola(state publication.State) publication.Snapshot {
	return publication.Snapshot{
		Operation: opOla, State: state, Reference: "ana/ola", Digest: olaPayload().Digest(),
		Verification: publication.VerificationPending, LocalRecord: publication.LocalRecorded,
	}
}

func acceptedOla() publication.Snapshot {
	s := ola(publication.StateAccepted)
	s.Verification, s.RemoteStatus = publication.VerificationMatched, publication.StatusPublished
	s.Identity = &publication.Identity{ID: "id-1", OwnerUsername: "ana", Slug: "ola", Status: publication.StatusPublished}
	return s
}

func unknownOla() publication.Snapshot {
	s := ola(publication.StateUnknown)
	s.Parked = true
	s.Attempts = []publication.Attempt{{
		Number: 1, Outcome: publication.OutcomeUnknown,
		Evidence:   &publication.Evidence{Summary: "the answer was cut", RequestBytes: 120},
		Candidates: []publication.Candidate{{Reference: "ana/ola", FoundBy: "reference", Equal: true}},
	}}
	return s
}

func openRun() *execution { return &execution{Operation: opOla, Open: true, Status: "running"} }

func closedRun() *execution { return &execution{Operation: opOla, Status: "completed"} }
