package ledger

import (
	"context"
	"encoding/json"
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

func scanHistoryEntry(row pgx.CollectableRow) (HistoryEntry, error) {
	var e HistoryEntry
	var detail []byte
	err := row.Scan(&e.Operation, &e.ID, &e.At, &e.Event, &e.By, &e.Attempt, &e.Digest, &e.From, &e.To, &detail)
	if err == nil && detail != nil {
		err = json.Unmarshal(detail, &e.Detail)
	}
	return e, err
}
