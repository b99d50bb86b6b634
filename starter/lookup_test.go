package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"postonce/internal/temporalclient"
	"postonce/publication"
	"postonce/workflows"
)

func TestStatusTakesTheBestSourceThatAnswers(t *testing.T) {
	old := ola(publication.StatePlanned)
	input := &workflows.PublishInput{Operation: opOla, Payload: olaPayload(), Digest: olaPayload().Digest(), ApprovedBy: "eva"}
	sending := openRun()
	sending.State = publication.StateSending
	for _, c := range []struct {
		name   string
		engine *fakeEngine
		ledger []publication.Snapshot
		code   int
		state  publication.State
	}{
		{"the workflow", &fakeEngine{run: openRun(), steps: []step{{snapshot: unknownOla()}}}, []publication.Snapshot{old}, 3, publication.StateUnknown},
		{"the result", &fakeEngine{run: closedRun(), result: &ending{snapshot: acceptedOla()}}, []publication.Snapshot{old}, 0, publication.StateAccepted},
		{"the ledger when no worker answers", &fakeEngine{run: openRun()}, []publication.Snapshot{unknownOla()}, 3, publication.StateUnknown},
		{"the ledger when Temporal forgot", &fakeEngine{}, []publication.Snapshot{acceptedOla()}, 0, publication.StateAccepted},
		{"search attributes", &fakeEngine{run: sending, input: input}, nil, 6, publication.StateSending},
		{"the start alone", &fakeEngine{run: openRun(), input: input}, nil, 6, publication.StatePlanned},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.engine)
			if c.ledger != nil {
				b.withLedger(c.ledger...)
			}
			b.mustRun(t, c.code, "status", "ana/ola", "--json")
			if got := b.document(t); got.State != c.state || got.Digest != olaPayload().Digest() {
				t.Errorf("got %s %s, want %s", got.State, got.Digest, c.state)
			}
		})
	}
}

func TestStatusOfWhatNobodyKnows(t *testing.T) {
	b := newBench(t, &fakeEngine{})
	b.mustRun(t, 2, "status", "ana/nada")
	b.saysOnStderr(t, "publish/ana/nada is not known", "DATABASE_URL")
	b = newBench(t, &fakeEngine{})
	b.withLedger(acceptedOla())
	b.mustRun(t, 2, "status", "ana/nada")
	b.saysOnStderr(t, "publish/ana/nada is not known")
}

func TestStatusWhileTemporalIsAway(t *testing.T) {
	away := func(context.Context) (engine, error) {
		return nil, &temporalclient.UnreachableError{Address: "temporal.example:7233", Err: errors.New("connection refused")}
	}
	b := newBench(t, nil)
	b.dial = away
	b.mustRun(t, 1, "status", "ana/ola")
	b.saysOnStderr(t, "temporal.example:7233", "TEMPORAL_ADDRESS")
	b = newBench(t, nil)
	b.dial = away
	b.withLedger(unknownOla())
	b.mustRun(t, 3, "status", "ana/ola")
	b.saysOnStderr(t, "the ledger's record")
}

func TestWatchShowsEachChangeAndTheEnd(t *testing.T) {
	ended := make(chan struct{})
	e := &fakeEngine{
		run:    openRun(),
		steps:  []step{{snapshot: unknownOla()}, {snapshot: ola(publication.StatePlanned)}, {snapshot: ola(publication.StateSending), before: func() { close(ended) }}, {snapshot: ola(publication.StateSending)}},
		result: &ending{snapshot: acceptedOla()}, ended: ended,
	}
	b := newBench(t, e)
	b.mustRun(t, 0, "status", "ana/ola", "--watch")
	b.saysOnStderr(t, "planned", "sending")
	if out := b.out.String(); !strings.Contains(out, "unknown") || !strings.Contains(out, "reads as approved") {
		t.Errorf("standard output:\n%s", out)
	}
}

func TestWatchEndsWithWhatWasSeenLast(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	e := &fakeEngine{run: openRun(), steps: []step{{snapshot: unknownOla()}, {snapshot: unknownOla(), before: interrupt}}}
	b := newBench(t, e)
	if code := b.run(ctx, []string{"status", "ana/ola", "--watch", "--json"}); code != 3 {
		t.Errorf("exit code %d, want 3\n%s", code, &b.err)
	}
	if got := b.document(t); got.State != publication.StateUnknown {
		t.Errorf("got %+v", got)
	}
}
