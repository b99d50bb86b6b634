package main

import (
	"context"
	"time"

	"postonce/ledger"
	"postonce/publication"
)

// chronicle is what only the ledger can tell: no other system remembers it.
type chronicle interface {
	// History gives entries of the journal, oldest first.
	History(context.Context, ledger.HistoryFilter) ([]ledger.HistoryEntry, error)
	// Usage gives what was used from one UTC day to another, both included; a zero time does not restrict.
	Usage(ctx context.Context, from, to time.Time) ([]ledger.Usage, error)
	// Unrecorded gives accepted operations whose record is not complete, newest first, at most limit.
	Unrecorded(ctx context.Context, account string, limit int) ([]publication.Snapshot, error)
}

func (l *ledgerRecords) History(ctx context.Context, f ledger.HistoryFilter) ([]ledger.HistoryEntry, error) {
	entries, err := l.ledger.History(ctx, f)
	return entries, chronicleError(err)
}

func (l *ledgerRecords) Usage(ctx context.Context, from, to time.Time) ([]ledger.Usage, error) {
	used, err := l.ledger.Usage(ctx, from, to)
	return used, chronicleError(err)
}

func (l *ledgerRecords) Unrecorded(ctx context.Context, account string, limit int) ([]publication.Snapshot, error) {
	found, err := l.ledger.List(ctx, ledger.Filter{Account: account, Unrecorded: true, Limit: limit})
	if err != nil {
		return nil, chronicleError(err)
	}
	var snapshots []publication.Snapshot
	for _, record := range found {
		snapshots = append(snapshots, inWords(record.Snapshot()))
	}
	return snapshots, nil
}

// chronicleError keeps a database without tables an error: it has forgotten everything, or is another one, and "nothing"
// would be no answer.
func chronicleError(err error) error {
	if err == nil {
		return nil
	}
	return ledgerError(err)
}
