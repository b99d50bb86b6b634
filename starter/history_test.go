package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postonce/ledger"
	"postonce/publication"
)

// storyOf is the journal of opOla, its details as they come from the database.
func storyOf(t *testing.T) []ledger.HistoryEntry {
	t.Helper()
	at := time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)
	entry := func(event ledger.Event, by string, from, to publication.State, detail string) ledger.HistoryEntry {
		e := ledger.HistoryEntry{Operation: opOla, Entry: ledger.Entry{At: at, Event: event, By: by, Attempt: 1, Digest: olaPayload().Digest(), From: from, To: to}}
		if err := json.Unmarshal([]byte(detail), &e.Detail); err != nil {
			t.Fatal(err)
		}
		return e
	}
	return []ledger.HistoryEntry{
		entry(ledger.EventProposed, "eva", "", "proposed", `{"run_id":"r"}`),
		entry(ledger.EventSent, ledger.Worker, "", "", `{"request_bytes_written":412,"started_at":"2026-12-24T12:00:00Z"}`),
		entry(ledger.EventAnswered, ledger.Worker, "sending", "unknown", `{"outcome":"unknown","identity":null,"evidence":{"summary":"the answer was cut"}}`),
		entry(ledger.EventRefused, "rui", "", "", `{"decision":{"kind":"adopt","reference":"ana/ola","reason":"seen\u001b[2J","refusal":"it differs"}}`),
		entry(ledger.EventInvestigated, ledger.Worker, "", "", `{"reading":"found","candidates":["ana/ola"]}`),
		entry(ledger.EventAnswered, ledger.Worker, "unknown", "accepted", `{"outcome":"accepted","identity":{"id":"1f"},"evidence":{"summary":"accepted: created, id 1f"}}`),
		entry(ledger.EventDrift, ledger.Worker, "", "", `{"change":"hidden","remote_status":"firewall"}`),
	}
}

func TestHistoryReadsAsATimeline(t *testing.T) {
	rows := timeline(storyOf(t), false, time.FixedZone("", -3*60*60))
	digest := string(olaPayload().Digest())[:15] + "…"
	want := [][]string{
		{"2026-12-24 12:00:00Z", "2026-12-24 09:00:00 -03:00", "eva", "proposed", "1", digest, "→ proposed", ""},
		{"2026-12-24 12:00:00Z", "2026-12-24 09:00:00 -03:00", "worker", "sent", "1", digest, "-", "412 bytes written"},
		{"2026-12-24 12:00:00Z", "2026-12-24 09:00:00 -03:00", "worker", "answered", "1", digest, "sending → unknown", "unknown; the answer was cut"},
		{"2026-12-24 12:00:00Z", "2026-12-24 09:00:00 -03:00", "rui", "refused", "1", digest, "-", "adopt ana/ola: seen\x1b[2J (refused: it differs)"},
		{"2026-12-24 12:00:00Z", "2026-12-24 09:00:00 -03:00", "worker", "investigated", "1", digest, "-", "found; candidates: ana/ola"},
		{"2026-12-24 12:00:00Z", "2026-12-24 09:00:00 -03:00", "worker", "answered", "1", digest, "unknown → accepted", "accepted: created, id 1f"},
		{"2026-12-24 12:00:00Z", "2026-12-24 09:00:00 -03:00", "worker", "drift", "1", digest, "-", "change hidden; remote status firewall"},
	}
	if diff := cmp.Diff(want, rows[1:]); diff != "" {
		t.Error(diff)
	}
}

func withHistory(t *testing.T) (*bench, *fakeRecords) {
	t.Helper()
	b, r := newBench(t, nil), &fakeRecords{}
	r.entries = storyOf(t)
	b.withRecords(r)
	return b, r
}

func TestHistoryOfOneOperationIsAllOfIt(t *testing.T) {
	b, r := withHistory(t)
	b.mustRun(t, 0, "history", "ana/ola")
	if r.wanted.Operation != opOla || r.wanted.Limit != 0 {
		t.Errorf("asked for %+v", r.wanted)
	}
	out := b.out.String()
	if !strings.HasPrefix(out, string(opOla)+"\n") || strings.Contains(out, "OPERATION") || strings.Contains(out, "\x1b[2J") {
		t.Errorf("got\n%s", out)
	}
}

func TestHistoryByReferenceIsThatOfTheNewestPublication(t *testing.T) {
	b, r := withHistory(t)
	second := ola(publication.StatePlanned)
	second.Operation = publication.PublishAgainID("ana", "ola", 2)
	r.generation, r.snapshots = 2, []publication.Snapshot{acceptedOla(), second}
	b.mustRun(t, 0, "history", "ana/ola")
	if r.wanted.Operation != second.Operation {
		t.Errorf("asked for %+v", r.wanted)
	}
}

func TestHistoryOfAllIsTheNewest(t *testing.T) {
	b, r := withHistory(t)
	b.mustRun(t, 0, "history", "--account", "ana", "--since", "2026-12-24T09:00:00-03:00")
	want := ledger.HistoryFilter{Account: "ana", Since: time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC), Limit: defaultLimit}
	if r.wanted.Account != want.Account || !r.wanted.Since.Equal(want.Since) || r.wanted.Limit != want.Limit {
		t.Errorf("asked for %+v, want %+v", r.wanted, want)
	}
	if !strings.Contains(b.out.String(), "OPERATION") {
		t.Errorf("the operations are not named:\n%s", &b.out)
	}
}

func TestHistoryAsJSONIsTheEntries(t *testing.T) {
	b, r := withHistory(t)
	b.mustRun(t, 0, "history", "--json")
	var got []ledger.HistoryEntry
	if err := json.Unmarshal(b.out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.entries, got); diff != "" {
		t.Error(diff)
	}
}

func TestSinceIsADayAMomentOrATimeBack(t *testing.T) {
	now := time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"36h": now.Add(-36 * time.Hour), "2026-12-01": time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), "2026-12-01T00:00:00-03:00": time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC),
	} {
		if got, err := sinceOf(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%s is %s (%v), want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"yesterday", "2026-12-01T09:00", "-3h", "2026-13-01"} {
		if got, err := sinceOf(text, now); err == nil {
			t.Errorf("%s is taken as %s", text, got)
		}
	}
}

func TestHistoryRefusesWhatContradictsItself(t *testing.T) {
	for _, args := range [][]string{{"ana/ola", "--account", "ana"}, {"--limit", "-1"}, {"--since", "soon"}, {"ana/ola", "ana/oi"}, {"ola"}, {"--account", "a b"}} {
		b, _ := withHistory(t)
		b.mustRun(t, 2, append([]string{"history"}, args...)...)
	}
	b, r := withHistory(t)
	r.entries = nil
	b.mustRun(t, 2, "history", "ana/ola")
	b.saysOnStderr(t, "publish/ana/ola is not known to the ledger")
}
