package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Usage counts the attempts of one account in one lane on one day, by what is known of them now.
type Usage struct {
	Account    string `json:"account"`
	Lane       string `json:"lane"`
	Day        string `json:"day"`         // YYYY-MM-DD, UTC, of the claim
	Attempts   int    `json:"attempts"`    // all of them, those in flight too
	Creations  int    `json:"creations"`   // accepted publish attempts: articles, drafts, comments
	Edits      int    `json:"edits"`       // accepted revise attempts
	Removals   int    `json:"removals"`    // accepted remove attempts
	Refusals   int    `json:"refusals"`    // TabNews refused them
	Unknowns   int    `json:"unknowns"`    // what they did is not known
	NotCreated int    `json:"not_created"` // unknown once; a person decided that they created nothing
	Unsent     int    `json:"unsent"`      // it is proven that nothing left
}

// Usage gives what was used from one day to another, both included, oldest first. A zero time does not restrict.
func (l *Ledger) Usage(ctx context.Context, from, to time.Time) ([]Usage, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	rows, err := l.pool.Query(ctx, `
		select account, lane, day::text, attempts, creations, edits, removals, refusals, unknowns, not_created, unsent
		from usage where ($1::date is null or day >= $1) and ($2::date is null or day <= $2) order by day, account, lane`,
		orNull(from), orNull(to))
	if err != nil {
		return nil, fmt.Errorf("ledger: usage: %w", err)
	}
	used, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Usage])
	if err != nil {
		return nil, fmt.Errorf("ledger: usage: %w", err)
	}
	return used, nil
}
