package main

import (
	"context"
	"errors"
	"sync"

	"postonce/publication"
	"postonce/workflows"
)

// fakeEngine plays Temporal with one operation. Each look at the status takes the next step of the story.
type fakeEngine struct {
	mu        sync.Mutex
	run       *execution // nil: not known
	started   []workflows.PublishInput
	startErr  error
	input     *workflows.PublishInput
	steps     []step // the last one repeats
	result    *ending
	ended     chan struct{} // closed: result may be taken; nil: it may at once
	onSignal  func(name string, input any) []step
	signals   []any
	signalled []publication.OperationID // whom
	unpolled  bool
	watch     fakeWatch
	listed    []execution
	repairs   []publication.OperationID
	closed    map[publication.OperationID]publication.Snapshot   // other operations, which have ended
	inputs    map[publication.OperationID]workflows.PublishInput // what those were started with
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

func (f *fakeEngine) Describe(_ context.Context, op publication.OperationID) (execution, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.closed[op]; ok {
		return execution{Operation: op, Status: "completed", Failed: s.State == publication.StateRejected}, nil
	}
	if f.run == nil {
		return execution{}, errNotKnown
	}
	return *f.run, nil
}

func (f *fakeEngine) Input(_ context.Context, op publication.OperationID) (workflows.PublishInput, error) {
	if in, ok := f.inputs[op]; ok {
		return in, nil
	}
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
	if s, ok := f.closed[op]; ok {
		return s, nil
	}
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

func (f *fakeEngine) Signal(_ context.Context, op publication.OperationID, name string, input any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.signals, f.signalled = append(f.signals, input), append(f.signalled, op)
	if f.onSignal != nil {
		f.steps = f.onSignal(name, input)
	}
	return nil
}

func (f *fakeEngine) Polled(context.Context, string) (bool, error) { return !f.unpolled, nil }

func (f *fakeEngine) Repairs(context.Context, filter) ([]publication.OperationID, error) {
	return f.repairs, nil
}

func (f *fakeEngine) List(context.Context, filter) ([]execution, error) { return f.listed, nil }
