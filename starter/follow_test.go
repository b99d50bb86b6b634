package main

import (
	"errors"
	"strings"
	"testing"

	"postonce/publication"
)

func TestSilenceIsToldOnceAndWaitedFor(t *testing.T) {
	silent := step{err: &unansweredError{errors.New("no poller")}}
	away := step{err: errors.New("Temporal: unavailable")}
	e := &fakeEngine{steps: []step{silent, silent, silent, away, away, {snapshot: unknownOla()}}}
	b := newBench(t, e)
	b.mustRun(t, 3, "publish", "--yes", olaFile(t))
	for _, line := range []string{"no worker answers", "Temporal does not answer"} {
		if n := strings.Count(b.err.String(), line); n != 1 {
			t.Errorf("%q is told %d times:\n%s", line, n, &b.err)
		}
	}
}

// A reset ends the run that is followed as terminated, while its successor goes on.
func TestAResetIsNoEnd(t *testing.T) {
	terminated := ending{err: &endedError{opOla, "terminated"}}
	e := &fakeEngine{run: openRun()}
	b := newBench(t, e)
	if _, err := b.conclude(t.Context(), e, opOla, terminated); !errors.Is(err, errGoesOn) {
		t.Errorf("with a successor: %v", err)
	}
	e.run.Open = false
	b.withLedger(unknownOla())
	if s, err := b.conclude(t.Context(), e, opOla, terminated); err != nil || s.State != publication.StateUnknown {
		t.Errorf("without one: %s, %v", s.State, err)
	}
}

func TestATerminatedOneFallsBackOnTheLedger(t *testing.T) {
	run := closedRun()
	run.Status = "terminated"
	e := &fakeEngine{run: run, result: &ending{err: &endedError{opOla, "terminated"}}}
	b := newBench(t, e)
	b.withLedger(unknownOla())
	b.mustRun(t, 3, "status", "ana/ola")
	b.saysOnStderr(t, "terminated")
}

func TestProgressTellsEachChangeOnce(t *testing.T) {
	waiting := ola(publication.StatePlanned)
	waiting.WaitingFor = "its turn"
	e := &fakeEngine{steps: []step{{snapshot: ola(publication.StatePlanned)}, {snapshot: ola(publication.StatePlanned)}, {snapshot: waiting}, {snapshot: waiting}, {snapshot: unknownOla()}}}
	b := newBench(t, e)
	if _, err := b.follow(t.Context(), e, opOla, parked); err != nil {
		t.Fatal(err)
	}
	if got, want := b.err.String(), "planned\nplanned, waiting for its turn\nunknown\n"; got != want {
		t.Errorf("progress is %q, want %q", got, want)
	}
}
