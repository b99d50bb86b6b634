package main

import (
	"context"
	"errors"

	"postonce/publication"
	"postonce/workflows"
)

// records is what the commands need of the ledger. ledgerRecords is the real one.
type records interface {
	// Load gives what is recorded of an operation. errNotRecorded: nothing.
	Load(context.Context, publication.OperationID) (publication.Snapshot, error)
	// List gives what matches, newest first, at most filter.Limit.
	List(context.Context, filter) ([]publication.Snapshot, error)
	// Input gives what is recorded of an operation in the form of a start's input. errNotRecorded: nothing.
	Input(context.Context, publication.OperationID) (workflows.PublishInput, error)
	// Generation counts the publications under account/slug: the newest one's number, and whether it was removed.
	Generation(ctx context.Context, account, slug string) (n int, removed bool, err error)
	// Gone gives the operation that shows that a generation is gone: a removal of ours, or the publication itself when it
	// was found deleted elsewhere. Empty: it is not known to be gone.
	Gone(ctx context.Context, account, slug string, generation int) (publication.OperationID, error)
	// NewestTry gives the newest try of a change that is recorded, and its state; the first one and no state: none is.
	NewestTry(context.Context, publication.OperationID) (publication.OperationID, publication.State, error)
	// UnderWay gives what the operations of account/slug hold whose request left and whose outcome is not known.
	UnderWay(ctx context.Context, account, slug string) ([]workflows.PublishInput, error)
	// Changes gives what is recorded of the edits of one content, by its id, the newest first.
	Changes(ctx context.Context, account, slug, content string) ([]publication.Snapshot, error)
	laneRecords
	chronicle
	Close()
}

var (
	errNoLedger    = errors.New("no ledger is configured: DATABASE_URL is not set")
	errNotRecorded = errors.New("the ledger has no such operation")
)

// ledger opens the ledger once for the command.
func (a *app) ledger(ctx context.Context) (records, error) {
	if a.records == nil && a.recordsErr == nil {
		a.records, a.recordsErr = a.openLedger(ctx)
	}
	return a.records, a.recordsErr
}

// tellingLedger is the ledger for a command that can do nothing without it.
func (a *app) tellingLedger(ctx context.Context, command string) (records, error) {
	r, err := a.ledger(ctx)
	switch {
	case errors.Is(err, errNoLedger):
		return nil, needsLedger(command)
	case err != nil:
		return nil, failed(err)
	}
	return r, nil
}

// needsLedger ends a command that can do nothing where no ledger is configured.
func needsLedger(command string) *failure {
	return usage(command+": needs the ledger, and DATABASE_URL is not set", "set DATABASE_URL to the worker's ledger")
}

// recorded gives the ledger's record of an operation. errNoLedger and errNotRecorded say why there is none; any other
// error that it could not be asked.
func (a *app) recorded(ctx context.Context, op publication.OperationID) (publication.Snapshot, error) {
	r, err := a.ledger(ctx)
	if err != nil {
		return publication.Snapshot{}, err
	}
	return r.Load(ctx, op)
}

func (a *app) listRecorded(ctx context.Context, f filter) ([]publication.Snapshot, error) {
	r, err := a.ledger(ctx)
	if err != nil {
		return nil, err
	}
	return r.List(ctx, f)
}

func (a *app) inLedger(ctx context.Context, op publication.OperationID) bool {
	_, err := a.recorded(ctx, op)
	return err == nil
}

func (a *app) recordedInput(ctx context.Context, op publication.OperationID) (workflows.PublishInput, error) {
	r, err := a.ledger(ctx)
	if err != nil {
		return workflows.PublishInput{}, err
	}
	return r.Input(ctx, op)
}

// generation is Generation, with errNoLedger when none is configured.
func (a *app) generation(ctx context.Context, ref publication.Reference) (n int, removed bool, err error) {
	r, err := a.ledger(ctx)
	if err != nil {
		return 0, false, err
	}
	return r.Generation(ctx, ref.Owner, ref.Slug)
}
