package main

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"postonce/publication"
)

// failure is the one document on standard output, of a command that failed.
func (b *bench) failure(t *testing.T) failureDocument {
	t.Helper()
	var d failureDocument
	decoder := json.NewDecoder(&b.out)
	if err := decoder.Decode(&d); err != nil || decoder.More() {
		t.Fatalf("%v, or more than one document\n%s", err, &b.err)
	}
	return d
}

func TestAFailureIsAJSONDocumentToo(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		code int
	}{
		"bad input":     {[]string{"publish", "--json", "--yes", "missing.md"}, 2},
		"a bad flag":    {[]string{"list", "--json", "--state", "nowhere"}, 2},
		"no ledger":     {[]string{"lane", "--json"}, 2},
		"no operation":  {[]string{"status", "--json", "ana/nada"}, 2},
		"Temporal away": {[]string{"publish", "--json", "--yes", olaFile(t)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, &fakeEngine{})
			if c.code == 1 {
				b.dial = func(context.Context) (engine, error) { return nil, errors.New("Temporal: nobody answers") }
			}
			b.mustRun(t, c.code, c.args...)
			if d := b.failure(t); d.Error == "" || d.ExitCode != c.code {
				t.Errorf("got %+v", d)
			}
		})
	}
}

// What a command printed before it failed is its document.
func TestAFailureAfterTheDocumentAddsNone(t *testing.T) {
	run := closedRun()
	run.Failed = true
	b := newBench(t, &fakeEngine{run: run})
	b.withLedger(ola(publication.StatePlanned))
	b.mustRun(t, 6, "cancel", "ana/ola", "--json")
	if got := b.document(t); got.Operation != opOla {
		t.Errorf("got %+v", got)
	}
}

func TestCtrlCLeavesADocument(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	sending := ola(publication.StateSending)
	b := newBench(t, &fakeEngine{steps: []step{{snapshot: sending}, {snapshot: sending, before: interrupt}}})
	if code := b.run(ctx, []string{"publish", "--json", "--yes", olaFile(t)}); code != 6 {
		t.Errorf("exit code %d, want 6", code)
	}
	if d := b.failure(t); d.ExitCode != 6 || d.Operation != opOla || d.Publication == nil || d.Publication.State != publication.StateSending {
		t.Errorf("got %+v", d)
	}
}

// An interruption while no worker answers takes nothing away from what was known of the item before.
func TestCtrlCWhileLookingUpKeepsWhatWasKnown(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	f, looks := newFleet(), 0
	running := scheduledOla(t)
	running.Schedule, running.WaitingFor = nil, ""
	f.was("a", running)
	f.atLook = func(publication.OperationID) {
		if looks++; looks == 2 {
			interrupt()
		}
	}
	b := newBench(t, f)
	if code := b.run(ctx, []string{"publish", "--yes", "--json", articles(t, "a", "b")}); code != 6 {
		t.Errorf("exit code %d, want 6", code)
	}
	d := b.batch(t)
	if first := d.Items[0]; first.State != publication.StatePlanned || first.ExitCode != 6 || first.Publication == nil || !d.Items[1].Held || len(f.order) != 0 {
		t.Errorf("started %s, %+v", f.order, d)
	}
}

func TestTheWayOutOfWhatEndedBeforeItWasAttempted(t *testing.T) {
	s := of("a", ola(publication.StatePlanned))
	it := &batchItem{batchFile: batchFile{name: "a.md"}, known: &s}
	it.in.Operation, it.in.Digest, it.open = s.Operation, s.Digest, false
	if got := it.wayOut(); got != "its workflow ended before anything was sent; `starter publish a.md` alone takes it up" {
		t.Errorf("got %q", got)
	}
	s.Attempts = []publication.Attempt{{Number: 1, Outcome: publication.OutcomeSending}}
	if got := it.wayOut(); got != "it was attempted before and its workflow ended; `starter publish a.md` alone takes it up" {
		t.Errorf("got %q", got)
	}
}
