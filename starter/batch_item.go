package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/publication"
	"postonce/workflows"
)

// batchItem is one publication of a batch and what is known of it. Without a snapshot it was never started.
type batchItem struct {
	batchFile
	in       workflows.PublishInput
	known    *publication.Snapshot // nil: never started
	open     bool                  // its workflow runs
	started  bool                  // by this command
	held     bool                  // it was to be started, and an earlier one keeps it from that
	err      error                 // what kept the command from knowing more
	position int                   // from 0
}

// refresh finds out where the item stands. Where that fails, what was known before still is.
func (a *app) refresh(ctx context.Context, e engine, it *batchItem) error {
	run, err := e.Describe(ctx, it.in.Operation)
	switch {
	case errors.Is(err, errNotKnown):
		it.known, it.open = a.remembered(ctx, it.in.Operation), false
		return nil
	case err != nil:
		return failed(err)
	}
	s, err := a.known(ctx, e, run)
	if err != nil {
		return err
	}
	it.known, it.open = &s, run.Open
	return nil
}

// remembered is the ledger's record of what Temporal does not know, or nil.
func (a *app) remembered(ctx context.Context, op publication.OperationID) *publication.Snapshot {
	s, err := a.recorded(ctx, op)
	if err == nil {
		s = s.WithoutRun()
		return &s
	}
	if !errors.Is(err, errNoLedger) && !errors.Is(err, errNotRecorded) {
		a.say("the ledger could not be asked (%s); the worker asks it before anything is sent", err)
	}
	return nil
}

// due reports whether the item may be started: only what was never attempted. What ended before its first attempt was
// not, and is taken up where it stands.
func (it *batchItem) due() bool {
	if it.known == nil {
		return true
	}
	early := it.known.State == publication.StateProposed || it.known.State == publication.StatePlanned
	return early && !it.open && !attempted(*it.known)
}

// attempted reports whether a request of the operation left, or may have left.
func attempted(s publication.Snapshot) bool {
	for _, attempt := range s.Attempts {
		if attempt.Outcome != publication.OutcomeNotSent {
			return true
		}
	}
	return false
}

// underWay reports whether the item goes on by itself, without a person.
func (it *batchItem) underWay() bool {
	return it.known != nil && it.open && !it.known.Parked && !ended(*it.known)
}

// otherPayload reports whether the operation holds another payload than the file, or one that cannot be told.
func (it *batchItem) otherPayload() bool {
	return it.known != nil && !it.due() && it.known.Digest != it.in.Digest
}

// holds reports whether the items after it have to wait: somebody has to look at this one first.
func (it *batchItem) holds(propose bool) bool {
	switch {
	case it.err != nil, it.otherPayload():
		return true
	case it.known == nil:
		return false
	case it.known.State == publication.StateAccepted:
		return it.known.Parked // diverged or unreadable, and nobody has taken it as it stands
	case it.known.State == publication.StateProposed:
		return !propose
	}
	return !it.underWay() || !awaitsTime(*it.known) // until its time it waits for nobody
}

// sendTime goes behind what would be started, where the ledger keeps a time for it; else it is empty.
func (it *batchItem) sendTime() string {
	if it.in.Schedule == nil {
		return ""
	}
	return " at " + it.in.Schedule.String()
}

// state is empty for what was never started.
func (it *batchItem) state() publication.State {
	if it.known == nil {
		return ""
	}
	return it.known.State
}

// code is the item's exit code.
func (it *batchItem) code() int {
	var f *failure
	switch {
	case errors.As(it.err, &f):
		return f.code
	case it.err != nil:
		return exitOther
	case it.known == nil || it.held:
		return exitWaiting
	}
	code := exitCode(*it.known)
	if it.otherPayload() && code == exitAccepted { // that another text was accepted is no success of this one
		return exitOther
	}
	return code
}

// wayOut says what a person does about an item that is not as it should be; empty for the others.
func (it *batchItem) wayOut() string {
	op := it.in.Operation
	switch {
	case it.known == nil || it.held:
		return ""
	case it.otherPayload():
		return "it was started with another payload; " + insteadOf(*it.known)
	case it.known.State == publication.StateUnknown:
		return fmt.Sprintf("decide it: `starter status %s` shows how; a batch never sends it again", op)
	case it.known.State == publication.StateRejected:
		return fmt.Sprintf("correct the cause, then `starter publish %s` alone tries again; a batch does not", it.name)
	case it.known.State == publication.StateAbandoned:
		return "a person closed it without a new send; leave the file out, or go on with --continue"
	case it.known.State == publication.StateProposed && it.open:
		return fmt.Sprintf("it waits for its approval: `starter approve %s`", op)
	case it.known.Parked:
		return fmt.Sprintf("a person has to look: `starter status %s`", op)
	case !it.open && !it.known.State.Settled() && !attempted(*it.known):
		return fmt.Sprintf("its workflow ended before anything was sent; `starter publish %s` alone takes it up", it.name)
	case !it.open && !it.known.State.Settled():
		return fmt.Sprintf("it was attempted before and its workflow ended; `starter publish %s` alone takes it up", it.name)
	}
	return ""
}
