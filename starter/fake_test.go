package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/tabnews"
	"postonce/workflows"
)

// fakeEngine plays Temporal with one operation. Each look at the status takes the next step of the story.
type fakeEngine struct {
	mu       sync.Mutex
	run      *execution // nil: not known
	started  []workflows.PublishInput
	startErr error
	input    *workflows.PublishInput
	steps    []step // the last one repeats
	result   *ending
	ended    chan struct{} // closed: result may be taken; nil: it may at once
	onSignal func(name string, input any) []step
	signals  []any
	unpolled bool
	listed   []execution
}

type step struct {
	snapshot publication.Snapshot
	err      error
	before   func()
}

func (f *fakeEngine) Close() {}

func (f *fakeEngine) Start(_ context.Context, in workflows.PublishInput) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.startErr != nil {
		f.run = &execution{Operation: in.Operation, Open: true, Status: "running"}
		return f.startErr
	}
	f.started = append(f.started, in)
	f.run = &execution{Operation: in.Operation, Open: true, Status: "running"}
	return nil
}

func (f *fakeEngine) Describe(context.Context, publication.OperationID) (execution, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.run == nil {
		return execution{}, errNotKnown
	}
	return *f.run, nil
}

func (f *fakeEngine) Input(context.Context, publication.OperationID) (workflows.PublishInput, error) {
	if f.input == nil {
		return workflows.PublishInput{}, errors.New("no input")
	}
	return *f.input, nil
}

func (f *fakeEngine) Status(ctx context.Context, _ publication.OperationID) (publication.Snapshot, error) {
	f.mu.Lock()
	if len(f.steps) == 0 {
		f.mu.Unlock()
		return publication.Snapshot{}, &unansweredError{errors.New("no poller")}
	}
	now := f.steps[0]
	if len(f.steps) > 1 {
		f.steps = f.steps[1:]
	}
	f.mu.Unlock()
	if now.before != nil {
		now.before()
	}
	if ctx.Err() != nil {
		return publication.Snapshot{}, ctx.Err()
	}
	return now.snapshot, now.err
}

func (f *fakeEngine) Result(ctx context.Context, op publication.OperationID) (publication.Snapshot, error) {
	if f.result == nil {
		if run, err := f.Describe(ctx, op); err == nil && !run.Open {
			return publication.Snapshot{}, &endedError{op, "terminated"}
		}
		<-ctx.Done()
		return publication.Snapshot{}, ctx.Err()
	}
	if f.ended != nil {
		<-f.ended
	}
	return f.result.snapshot, f.result.err
}

func (f *fakeEngine) Signal(_ context.Context, _ publication.OperationID, name string, input any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.signals = append(f.signals, input)
	if f.onSignal != nil {
		f.steps = f.onSignal(name, input)
	}
	return nil
}

func (f *fakeEngine) Polled(context.Context, string) (bool, error) { return !f.unpolled, nil }

func (f *fakeEngine) List(context.Context, filter) ([]execution, error) { return f.listed, nil }

// fakeRecords plays the ledger.
type fakeRecords struct{ snapshots []publication.Snapshot }

func (f *fakeRecords) Close() {}

func (f *fakeRecords) Load(_ context.Context, op publication.OperationID) (publication.Snapshot, error) {
	for _, s := range f.snapshots {
		if s.Operation == op {
			return s, nil
		}
	}
	return publication.Snapshot{}, errNotRecorded
}

func (f *fakeRecords) List(_ context.Context, want filter) ([]publication.Snapshot, error) {
	var found []publication.Snapshot
	for _, s := range f.snapshots {
		if want.State == "" || s.State == want.State {
			found = append(found, s)
		}
	}
	return found, nil
}

// fakeSession plays TabNews' sessions.
type fakeSession struct {
	username string
	err      error
	logouts  int
}

func (f *fakeSession) CheckSession(context.Context) (tabnews.User, error) {
	return tabnews.User{Username: f.username}, f.err
}

func (f *fakeSession) Logout(context.Context) error { f.logouts++; return nil }

// fakePerson answers every question in the same way, and remembers them.
type fakePerson struct {
	yes     bool
	line    string
	aborts  bool
	asked   []string
	details []string
}

func (f *fakePerson) Confirm(_ context.Context, question, detail, _ string) (bool, error) {
	f.asked, f.details = append(f.asked, question), append(f.details, detail)
	if f.aborts {
		return false, terminal.ErrAborted
	}
	return f.yes, nil
}

func (f *fakePerson) Ask(_ context.Context, question, _ string) (string, error) {
	f.asked = append(f.asked, question)
	return f.line, nil
}

// bench is a command line whose world is played.
type bench struct {
	*app
	env      map[string]string
	out, err bytes.Buffer
}

func newBench(t *testing.T, e engine) *bench {
	t.Helper()
	b := &bench{env: map[string]string{"POSTONCE_ACCOUNT": "ana", "USER": "eva"}}
	b.app = &app{
		getenv: func(name string) string { return b.env[name] }, stdout: &b.out, stderr: &b.err,
		dial:       func(context.Context) (engine, error) { return e, nil },
		openLedger: func(context.Context) (records, error) { return nil, errNoLedger },
		openSession: func(credentials) (session, error) {
			t.Error("TabNews was spoken to without credentials")
			return nil, errors.New("no session")
		},
		after: func(time.Duration) <-chan time.Time { // time does not pass in tests
			c := make(chan time.Time, 1)
			c <- time.Time{}
			return c
		},
	}
	return b
}

func (b *bench) withLedger(snapshots ...publication.Snapshot) {
	b.openLedger = func(context.Context) (records, error) { return &fakeRecords{snapshots}, nil }
}

// mustRun runs a command line and checks its exit code. A command that waits for ever is interrupted, and so fails.
func (b *bench) mustRun(t *testing.T, want int, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if got := b.run(ctx, args); got != want || ctx.Err() != nil {
		t.Fatalf("starter %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, want, &b.out, &b.err)
	}
}

// document is the one JSON document on standard output.
func (b *bench) document(t *testing.T) publication.Snapshot {
	t.Helper()
	var s publication.Snapshot
	decoder := json.NewDecoder(&b.out)
	if err := decoder.Decode(&s); err != nil {
		t.Fatal(err)
	}
	if decoder.More() {
		t.Fatal("more than one document")
	}
	return s
}

func (b *bench) saysOnStderr(t *testing.T, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(b.err.String(), word) {
			t.Errorf("standard error lacks %q:\n%s", word, &b.err)
		}
	}
}

const opOla = publication.OperationID("publish/ana/ola")

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
