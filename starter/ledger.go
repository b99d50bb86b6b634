package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/ledger"
	"postonce/publication"
	"postonce/workflows"
)

// ledgerRecords is the records on a real ledger. It only reads, but for pausing a lane. Operations are changed by the
// worker; the ledger as a whole by import, and audit --fix makes its tables (wholeLedger).
type ledgerRecords struct{ ledger *ledger.Ledger }

func openLedger(ctx context.Context, getenv func(string) string) (records, error) {
	url := getenv("DATABASE_URL")
	if url == "" {
		return nil, errNoLedger
	}
	l, err := ledger.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	return &ledgerRecords{l}, nil
}

func (l *ledgerRecords) Close() { l.ledger.Close() }

func (l *ledgerRecords) Load(ctx context.Context, op publication.OperationID) (publication.Snapshot, error) {
	record, err := l.ledger.Load(ctx, op)
	switch {
	case errors.Is(err, ledger.ErrNotFound), noTables(err):
		return publication.Snapshot{}, errNotRecorded
	case err != nil:
		return publication.Snapshot{}, ledgerError(err)
	}
	return inWords(record.Snapshot()), nil
}

func (l *ledgerRecords) List(ctx context.Context, f filter) ([]publication.Snapshot, error) {
	found, err := l.ledger.List(ctx, ledger.Filter{Account: f.Account, State: f.State, Drift: f.Drift, Limit: f.Limit})
	switch {
	case noTables(err):
		return nil, nil
	case err != nil:
		return nil, ledgerError(err)
	}
	var snapshots []publication.Snapshot
	for _, record := range found {
		snapshots = append(snapshots, inWords(record.Snapshot()))
	}
	return snapshots, nil
}

func (l *ledgerRecords) Input(ctx context.Context, op publication.OperationID) (workflows.PublishInput, error) {
	record, err := l.ledger.Load(ctx, op)
	switch {
	case errors.Is(err, ledger.ErrNotFound), noTables(err):
		return workflows.PublishInput{}, errNotRecorded
	case err != nil:
		return workflows.PublishInput{}, ledgerError(err)
	}
	return inputFrom(record), nil
}

func (l *ledgerRecords) Generation(ctx context.Context, account, slug string) (int, bool, error) {
	n, removed, err := l.ledger.Generation(ctx, account, slug)
	switch {
	case noTables(err):
		return 1, false, nil
	case err != nil:
		return 0, false, ledgerError(err)
	}
	return max(n, 1), removed, nil
}

// inWords adds the words that the workflow would add.
func inWords(s publication.Snapshot) publication.Snapshot {
	s.Known, s.NextAction = s.KnownWords(), s.NextWords()
	return s
}

// noTables reports whether the database is there, and no worker has made the ledger's tables in it yet (PostgreSQL,
// error code 42P01, undefined_table): nothing is recorded.
func noTables(err error) bool {
	var answer interface{ SQLState() string }
	return errors.As(err, &answer) && answer.SQLState() == "42P01"
}

func ledgerError(err error) error {
	return fmt.Errorf("PostgreSQL (DATABASE_URL): %w", err)
}
