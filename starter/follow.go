package main

import (
	"context"
	"errors"
	"time"

	"postonce/publication"
)

// Pauses between two looks at a workflow.
const (
	firstPause = 100 * time.Millisecond
	mostPause  = time.Second
)

// parked reports whether nothing happens until a person decides, or until a time that lies ahead. Whatever else ends a
// wait is the workflow's end.
func parked(s publication.Snapshot) bool { return s.Parked || awaitsTime(s) }

// halted reports whether nothing happens until a person decides, on this operation or on another one of its reference, or
// until a time that lies ahead.
func halted(s publication.Snapshot) bool { return parked(s) || s.BlockedBy != "" }

// ending is how a workflow ended.
type ending struct {
	snapshot publication.Snapshot
	err      error
}

// follow waits until the workflow ends, or until a snapshot satisfies stop, and tells progress on the way. A worker
// or a Temporal that is away is told once and waited for: the publication goes on by itself when it is back.
func (a *app) follow(ctx context.Context, e engine, op publication.OperationID, stop func(publication.Snapshot) bool) (publication.Snapshot, error) {
	talk := progress{app: a}
	return a.followTelling(ctx, e, op, stop, talk.tell)
}

// followTelling is follow with another way to tell progress.
func (a *app) followTelling(ctx context.Context, e engine, op publication.OperationID, stop func(publication.Snapshot) bool, tell func(publication.Snapshot, error)) (publication.Snapshot, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := awaitEnd(ctx, e, op)
	var last publication.Snapshot
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		s, err := e.Status(ctx, op)
		tell(s, err)
		if err == nil {
			last = s
		}
		if err == nil && stop(s) {
			return s, nil
		}
		select {
		case end := <-ended:
			if end.err != nil && ctx.Err() != nil { // the wait for the end was interrupted first
				return s, interrupted(op, last)
			}
			if s, err := a.conclude(ctx, e, op, end); !errors.Is(err, errGoesOn) {
				return s, err
			}
			ended = awaitEnd(ctx, e, op)
		case <-a.after(pause):
		case <-ctx.Done():
			return s, interrupted(op, last)
		}
	}
}

// awaitEnd looks for the end beside the queries, since a closed workflow is not worth a query.
func awaitEnd(ctx context.Context, e engine, op publication.OperationID) <-chan ending {
	ended := make(chan ending, 1)
	go func() {
		s, err := e.Result(ctx, op)
		ended <- ending{s, err}
	}()
	return ended
}

// errGoesOn says that what looked like the end was none.
var errGoesOn = errors.New("the workflow goes on")

// conclude makes of an ending what is known. A run that was reset ends as terminated while a new one goes on, and a
// Temporal that is away ends nothing.
func (a *app) conclude(ctx context.Context, e engine, op publication.OperationID, end ending) (publication.Snapshot, error) {
	if end.err == nil {
		return end.snapshot, nil
	}
	if ctx.Err() != nil {
		return publication.Snapshot{}, interrupted(op, publication.Snapshot{})
	}
	run, err := e.Describe(ctx, op)
	if err != nil || run.Open {
		select {
		case <-a.after(mostPause):
			return publication.Snapshot{}, errGoesOn
		case <-ctx.Done():
			return publication.Snapshot{}, interrupted(op, publication.Snapshot{})
		}
	}
	return a.known(ctx, e, run)
}
