package main

import (
	"context"
	"errors"

	"postonce/publication"
)

// records is what the commands need of the ledger. ledgerRecords is the real one.
type records interface {
	// Load gives what is recorded of an operation. errNotRecorded: nothing.
	Load(context.Context, publication.OperationID) (publication.Snapshot, error)
	// List gives what matches, newest first, at most filter.Limit.
	List(context.Context, filter) ([]publication.Snapshot, error)
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
