package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/publication"
	"postonce/workflows"
)

// existing gives the operation that a start would repeat, or nil when one may start. A rejected, cancelled or
// terminated run lets the operation start again, unless the ledger knows better: it remembers what Temporal forgot.
func (a *app) existing(ctx context.Context, e engine, op publication.OperationID) (*publication.Snapshot, error) {
	run, err := e.Describe(ctx, op)
	switch {
	case op.Kind() == publication.KindTrack && (errors.Is(err, errNotKnown) || err == nil && !run.Open):
		return nil, nil // it sends nothing, and what is there may be another content by now
	case errors.Is(err, errNotKnown), err == nil && run.Failed:
		return a.finished(ctx, op), nil
	case err != nil:
		return nil, failed(err)
	}
	s, err := a.known(ctx, e, run)
	return &s, err
}

// finished gives the ledger's record of an operation that nothing can follow.
func (a *app) finished(ctx context.Context, op publication.OperationID) *publication.Snapshot {
	s, err := a.recorded(ctx, op)
	if err != nil {
		if !errors.Is(err, errNoLedger) && !errors.Is(err, errNotRecorded) {
			a.say("the ledger could not be asked (%s); the worker asks it before anything is sent", err)
		}
		return nil
	}
	if s.State != publication.StateAccepted && s.State != publication.StateAbandoned {
		return nil
	}
	return &s
}

// showFirst tells that nothing was started, and whether the payload is the same. It follows the same payload's
// publication like the caller that started it: all callers get that one operation, and its end.
func (a *app) showFirst(ctx context.Context, e engine, first publication.Snapshot, in workflows.PublishInput, noWait bool) error {
	switch {
	case first.Digest == in.Digest:
		a.say("%s was started before with this payload; nothing was started or sent now", first.Operation)
	case first.Digest == "":
		a.say("%s was started before, with which payload cannot be told now; nothing was started or sent now", first.Operation)
	default:
		a.say("%s was started with another payload: %s; nothing was sent; %s", first.Operation, first.Digest, insteadOf(first))
	}
	a.otherTime(first, in)
	if first.Digest != in.Digest || noWait || halted(first) || ended(first) {
		return a.showOther(first, first.Digest != in.Digest)
	}
	s, err := a.follow(ctx, e, in.Operation, halted)
	if err != nil {
		return err
	}
	return a.show(s)
}

// ended reports whether an operation has come to its end: an accepted one that is still being read back has not.
func ended(s publication.Snapshot) bool {
	return s.State.Settled() && (s.State != publication.StateAccepted || s.Verification != publication.VerificationPending)
}

// showOther shows the first. That an earlier one was accepted, or is under way, is none of the other payload that was
// asked for: a script must not believe that its text is on TabNews, or on its way.
func (a *app) showOther(first publication.Snapshot, other bool) error {
	err := a.show(first)
	if other && (a.code == exitAccepted || a.code == exitWaiting && first.Digest != "") {
		a.code = exitUsage
	}
	return err
}

// start starts the workflow. Of callers that race, one starts it and all get that one operation.
func (a *app) start(ctx context.Context, e engine, in workflows.PublishInput, noWait bool) error {
	err := e.Start(ctx, in)
	switch {
	case errors.Is(err, errStarted):
		return a.afterRace(ctx, e, in, noWait)
	case err != nil:
		return unconfirmed(in.Operation, err)
	}
	a.say("started %s", in.Operation)
	if noWait {
		return a.show(startedSnapshot(in))
	}
	s, err := a.follow(ctx, e, in.Operation, halted)
	if err != nil {
		return err
	}
	return a.show(s)
}

// unconfirmed is a start of which Temporal did not say that it happened. Silence means maybe, here too; but a second
// start can do no harm.
func unconfirmed(op publication.OperationID, err error) error {
	return failedTo(fmt.Sprintf("%s: Temporal did not confirm the start, so it may be under way; look with `starter status %s`", op, op), err)
}

// afterRace joins the operation that another caller started in the meantime.
func (a *app) afterRace(ctx context.Context, e engine, in workflows.PublishInput, noWait bool) error {
	s, err := a.lookup(ctx, e, in.Operation)
	if err != nil {
		return err
	}
	return a.showFirst(ctx, e, s, in, noWait)
}

// startedSnapshot is what is known at the start, without asking a worker.
func startedSnapshot(in workflows.PublishInput) publication.Snapshot {
	s := in.Snapshot()
	s.NextAction = s.NextWords()
	return s
}
