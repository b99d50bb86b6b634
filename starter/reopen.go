package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/publication"
)

// mustBeOpen makes sure that somebody is there to take a decision, before anything is asked.
func (a *app) mustBeOpen(ctx context.Context, e engine, op publication.OperationID) error {
	run, err := e.Describe(ctx, op)
	if err != nil && !errors.Is(err, errNotKnown) {
		return failed(err)
	}
	if err == nil && run.Open {
		return nil
	}
	return a.reopen(ctx, e, op)
}

// reopen starts the workflow of an unknown outcome again where it was cancelled or terminated, or Temporal forgot it:
// the ledger keeps the doubt, and it must stay possible to decide it. The new run has no approval: it takes up what the
// ledger knows, parks, and sends nothing. Whatever else is closed refuses decisions.
func (a *app) reopen(ctx context.Context, e engine, op publication.OperationID) error {
	s, err := a.lookup(ctx, e, op)
	if err != nil {
		return err
	}
	if !a.inDoubt(ctx, op) {
		return a.refuseClosed(op, s)
	}
	_, err = a.takeUpUnknown(ctx, e, s)
	return err
}

// inDoubt reports whether the ledger itself holds an outcome for unknown. No other source will do: a new run of what is
// planned by now would send it.
func (a *app) inDoubt(ctx context.Context, op publication.OperationID) bool {
	s, err := a.recorded(ctx, op)
	return err == nil && s.State == publication.StateUnknown
}

// takeUpUnknown starts the workflow of an unknown outcome, and waits until it has parked.
func (a *app) takeUpUnknown(ctx context.Context, e engine, s publication.Snapshot) (publication.Snapshot, error) {
	op := s.Operation
	in, err := a.startedWith(ctx, e, s)
	if err != nil {
		return s, err
	}
	in.ApprovedBy = ""
	if err := e.Start(ctx, in); err != nil && !errors.Is(err, errStarted) {
		return s, failedTo(string(op)+": its workflow is closed and could not be started again", err)
	}
	a.say("%s: its workflow was closed; it is taken up again where it stands", op)
	return a.follow(ctx, e, op, parked)
}

// refuseClosed shows a closed operation. The exit code is that of its state, and exitUsage where that would pass for
// success.
func (a *app) refuseClosed(op publication.OperationID, s publication.Snapshot) error {
	if err := a.show(s); err != nil {
		return err
	}
	wayOut := "nothing is left to decide"
	if !s.State.Settled() {
		wayOut = takeUpProposed(op) + " takes it up again where it stands, and leaves it to an approval; then decide"
		if op.Kind() == publication.KindRemove {
			wayOut = takeUp(op) + " takes it up again, and sends it"
		}
		if s.State == publication.StateUnknown {
			wayOut = "set DATABASE_URL to the worker's ledger: what that holds for unknown is taken up again to be decided"
		}
	}
	refusal := usage(fmt.Sprintf("%s: refused: its workflow is closed, and the operation is %s", op, s.State), wayOut)
	if a.code != exitAccepted {
		refusal.code = a.code
	}
	return refusal
}
