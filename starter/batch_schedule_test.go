package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
)

// withdrawn was scheduled and cancelled: the ledger keeps its time.
func withdrawn(t *testing.T, slug string) publication.Snapshot {
	t.Helper()
	s := of(slug, scheduledOla(t))
	s.State, s.WaitingFor = publication.StateProposed, ""
	return s
}

// A time that the ledger keeps is part of what a person approves, and of what is started.
func TestABatchShowsTheTimeThatTheLedgerKeeps(t *testing.T) {
	f := newFleet()
	f.ends["a"] = scheduledOla(t)
	b := newBench(t, f)
	b.withLedger(withdrawn(t, "a"))
	person := &fakePerson{yes: true}
	b.prompt = person
	b.mustRun(t, 6, "publish", articles(t, "a", "b"))
	if len(f.started) != 2 || !publication.SameTime(f.started[0].Schedule, scheduledOla(t).Schedule) || f.started[1].Schedule != nil {
		t.Fatalf("started %+v", f.started)
	}
	if !strings.Contains(person.details[0], bothZones) {
		t.Errorf("the question lacks the time: %q", person.details)
	}
	b.saysOnStderr(t, "publish/ana/a keeps its time", "send at "+bothZones)
	if shown := strings.Count(b.err.String(), bothZones); shown < 3 { // told, in the preview, in the table
		t.Errorf("the time is shown %d times:\n%s", shown, &b.err)
	}
}

// Waiting for its time is no waiting for a person: the rest goes on.
func TestOneThatWaitsForItsTimeHoldsNothing(t *testing.T) {
	for name, past := range map[string]bool{"started now": false, "started before": true} {
		t.Run(name, func(t *testing.T) {
			f, starts := newFleet(), []string{"a", "b"}
			if past {
				f.was("a", scheduledOla(t))
				starts = []string{"b"}
			} else {
				f.ends["a"] = scheduledOla(t)
			}
			b := newBench(t, f)
			b.mustRun(t, 6, "publish", "--yes", "--json", articles(t, "a", "b"))
			if diff := cmp.Diff(starts, f.slugs()); diff != "" {
				t.Error(diff)
			}
			d := b.batch(t)
			if diff := cmp.Diff([]string{"planned", "accepted"}, d.states()); diff != "" {
				t.Error(diff)
			}
			if d.Summary.HeldBy != "" || d.Items[0].WayOut != "" || d.Items[0].ExitCode != exitWaiting {
				t.Errorf("summary %+v, item %+v", d.Summary, d.Items[0])
			}
		})
	}
}

// What missed its time waits for a person, and holds the rest.
func TestOneThatMissedItsTimeHoldsTheRest(t *testing.T) {
	missed := scheduledOla(t)
	missed.Schedule.Missed, missed.Parked, missed.WaitingFor = true, true, ""
	f := newFleet()
	f.was("a", missed)
	b := newBench(t, f)
	b.mustRun(t, 6, "publish", "--yes", "--json", articles(t, "a", "b"))
	if d := b.batch(t); len(f.order) != 0 || !d.Items[1].Held || d.Summary.HeldBy != "publish/ana/a" {
		t.Errorf("started %s, %+v", f.order, d.Summary)
	}
}
