package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// DriftEntry is a change as the journal keeps it.
type DriftEntry struct {
	Operation publication.OperationID
	Reference string
	Before    publication.Seen
	publication.Drift
}

// RecentDrift gives the newest changes that were told of an account, oldest first, at most limit.
func (l *Ledger) RecentDrift(ctx context.Context, account string, limit int) ([]DriftEntry, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	rows, err := l.pool.Query(ctx, `
		select j.operation, j.at, j.detail->>'reference', j.detail->>'before', j.detail->>'seen', coalesce(j.detail->>'diff', ''), coalesce(j.detail->>'because', '')
		from journal j join operations o using (operation) where j.event = 'drift' and o.account = $1 order by j.id desc limit $2`, account, limit)
	if err != nil {
		return nil, fmt.Errorf("ledger: recent drift of %s: %w", account, err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (d DriftEntry, err error) {
		err = row.Scan(&d.Operation, &d.At, &d.Reference, &d.Before, &d.Seen, &d.Diff, &d.Because)
		return d, err
	})
	if err != nil {
		return nil, fmt.Errorf("ledger: recent drift of %s: %w", account, err)
	}
	slices.Reverse(found)
	return found, nil
}

// driftOf gives the newest change that the watch saw of a publication since its newest acceptance; nil: none.
func driftOf(ctx context.Context, q querier, op publication.OperationID) (*publication.Drift, error) {
	var d publication.Drift
	err := q.QueryRow(ctx, `select seen, seen_at, diff, because from watches where operation = $1 and seen_at is not null
		order by expected_at desc limit 1`, op).Scan(&d.Seen, &d.At, &d.Diff, &d.Because)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &d, nil
}

// driftTold tells whether a change elsewhere was told since the operation's content was accepted, or taken up anew: by
// the drift watch, or after an incident. What a snapshot says of it was read before that.
func (m *merge) driftTold(ctx context.Context) (told bool, err error) {
	err = m.tx.QueryRow(ctx, `
		select exists (select from journal where operation = $1 and event = 'drift' and id > coalesce((select max(id) from journal
			where operation = $1 and (to_state = 'accepted' or event = 'read_back' and detail->'replaces' is not null)), 0))`, m.rec.Operation).Scan(&told)
	return told, err
}
