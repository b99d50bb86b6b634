package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"postonce/publication"
	"postonce/workflows"
)

// fleet plays Temporal with many operations: each goes at once where its slug leads.
type fleet struct {
	fakeEngine
	ends    map[string]publication.Snapshot // by slug, for those that are started; missing: accepted
	runs    map[publication.OperationID]fleetRun
	order   []publication.OperationID // as they were started
	atStart func(publication.OperationID)
	atLook  func(publication.OperationID)
}

type fleetRun struct {
	snapshot publication.Snapshot
	closed   bool // its workflow has ended
	failed   bool // in a way that lets it start again
	done     chan struct{}
}

// runOf is a run that has come to s.
func runOf(s publication.Snapshot) fleetRun {
	return fleetRun{snapshot: s, closed: !s.Parked && ended(s), failed: s.State == publication.StateRejected, done: make(chan struct{})}
}

func newFleet() *fleet {
	return &fleet{ends: map[string]publication.Snapshot{}, runs: map[publication.OperationID]fleetRun{}}
}

func (f *fleet) Start(_ context.Context, in workflows.PublishInput) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if run, ok := f.runs[in.Operation]; ok && !run.failed {
		return errStarted
	}
	f.started, f.order = append(f.started, in), append(f.order, in.Operation)
	s, ok := f.ends[in.Payload.Slug]
	if !ok {
		s = acceptedOla()
	}
	s.Operation, s.Digest, s.Reference = in.Operation, in.Digest, in.Operation.Reference().String()
	f.runs[in.Operation] = runOf(s)
	if f.atStart != nil {
		f.atStart(in.Operation)
	}
	return nil
}

func (f *fleet) Describe(_ context.Context, op publication.OperationID) (execution, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	run, ok := f.runs[op]
	if !ok {
		return execution{}, errNotKnown
	}
	return execution{Operation: op, Open: !run.closed, Failed: run.failed, Status: "played"}, nil
}

func (f *fleet) Status(ctx context.Context, op publication.OperationID) (publication.Snapshot, error) {
	if f.atLook != nil {
		f.atLook(op)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runs[op].snapshot, ctx.Err()
}

func (f *fleet) Result(ctx context.Context, op publication.OperationID) (publication.Snapshot, error) {
	f.mu.Lock()
	run := f.runs[op]
	f.mu.Unlock()
	if run.closed {
		return run.snapshot, nil
	}
	select {
	case <-run.done:
		return f.Result(ctx, op)
	case <-ctx.Done():
		return publication.Snapshot{}, ctx.Err()
	}
}

// articles writes one article for each slug, and gives the folder.
func articles(t *testing.T, slugs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, slug := range slugs {
		text := fmt.Sprintf("---\ntitle: Sobre %s\nslug: %s\n---\nUm texto.\n", slug, slug)
		if err := os.WriteFile(filepath.Join(dir, slug+".md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// payloadOf is what articles' file for the slug holds.
func payloadOf(slug string) publication.Payload {
	return publication.Payload{Title: "Sobre " + slug, Slug: slug, Body: "Um texto.", Status: publication.StatusPublished}
}

// of makes a snapshot that of the slug's publication.
func of(slug string, s publication.Snapshot) publication.Snapshot {
	s.Operation, s.Digest = publication.PublishID("ana", slug), payloadOf(slug).Digest()
	s.Reference = s.Operation.Reference().String()
	return s
}

// was puts an operation into the fleet's past.
func (f *fleet) was(slug string, s publication.Snapshot) {
	s = of(slug, s)
	f.runs[s.Operation] = runOf(s)
}

// comesTo ends a run that is under way.
func (f *fleet) comesTo(slug string, s publication.Snapshot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s = of(slug, s)
	before := f.runs[s.Operation]
	f.runs[s.Operation] = runOf(s)
	close(before.done)
}

// slugs of what was started, in their order.
func (f *fleet) slugs() []string {
	slugs := []string{}
	for _, op := range f.order {
		slugs = append(slugs, op.Reference().Slug)
	}
	return slugs
}

func (b *bench) batch(t *testing.T) batchDocument {
	t.Helper()
	var d batchDocument
	decoder := json.NewDecoder(&b.out)
	if err := decoder.Decode(&d); err != nil {
		t.Fatalf("%v\n%s", err, &b.err)
	}
	if decoder.More() {
		t.Fatal("more than one document")
	}
	return d
}

// states are the items' in their order, held ones marked.
func (d batchDocument) states() []string {
	var states []string
	for _, item := range d.Items {
		state := string(item.State)
		if item.Held {
			state += "held"
		}
		states = append(states, state)
	}
	return states
}
