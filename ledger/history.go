package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// HistoryEntry is an entry of the journal with the operation that it is about.
type HistoryEntry struct {
	Operation publication.OperationID `json:"operation"`
	Entry
}

// HistoryFilter chooses entries. Zero fields do not restrict.
type HistoryFilter struct {
	Operation publication.OperationID
	Account   string
	Since     time.Time
	Limit     int // of the newest; 0: all
}

// History gives entries of the journal, oldest first: with a limit, the newest ones.
func (l *Ledger) History(ctx context.Context, f HistoryFilter) ([]HistoryEntry, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	rows, err := l.pool.Query(ctx, `
		select * from (
			select j.operation, j.id, j.at, j.event, j.by, coalesce(j.attempt, 0), coalesce(j.digest, ''), coalesce(j.from_state, ''),
				coalesce(j.to_state, ''), j.detail
			from journal j join operations o using (operation)
			where ($1 = '' or j.operation = $1) and ($2 = '' or o.account = $2) and ($3::timestamptz is null or j.at >= $3)
			order by j.id desc limit $4
		) newest order by id`,
		f.Operation, f.Account, orNull(f.Since), orNull(f.Limit))
	if err != nil {
		return nil, fmt.Errorf("ledger: history: %w", err)
	}
	entries, err := pgx.CollectRows(rows, scanHistoryEntry)
	if err != nil {
		return nil, fmt.Errorf("ledger: history: %w", err)
	}
	return entries, nil
}

// scanHistoryEntry leaves all but the first column to scanEntry.
func scanHistoryEntry(row pgx.CollectableRow) (HistoryEntry, error) {
	var h HistoryEntry
	entry, err := scanEntry(afterOperation{row, &h.Operation})
	h.Entry = entry
	return h, err
}

// afterOperation is a row whose first column is the operation.
type afterOperation struct {
	pgx.CollectableRow
	operation *publication.OperationID
}

func (r afterOperation) Scan(dest ...any) error {
	return r.CollectableRow.Scan(append([]any{r.operation}, dest...)...)
}
