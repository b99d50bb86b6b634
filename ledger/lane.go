package ledger

import (
	"context"
	"time"
)

// takeSlot takes the lane's slot for a start now, or tells how long to wait. The lane is locked until the claim's end,
// which orders claims of all workers.
//
// The lane's row is locked by a statement of its own: the clock of a statement that waits for a lock may be read
// before the wait, and a start noted too early would let the next one follow too soon.
func (c *change) takeSlot(ctx context.Context, req ClaimRequest) (start time.Time, wait time.Duration, err error) {
	if _, err = c.tx.Exec(ctx, `insert into lanes (lane) values ($1) on conflict (lane) do nothing`, req.Lane); err != nil {
		return start, 0, err
	}
	if _, err = c.tx.Exec(ctx, `select from lanes where lane = $1 for update`, req.Lane); err != nil {
		return start, 0, err
	}
	var last *time.Time
	err = c.tx.QueryRow(ctx, `select last_start, clock_timestamp() from lanes where lane = $1`, req.Lane).Scan(&last, &start)
	if err != nil {
		return start, 0, err
	}
	if last != nil && start.Before(last.Add(req.Interval)) {
		return start, last.Add(req.Interval).Sub(start), nil
	}
	_, err = c.tx.Exec(ctx, `update lanes set last_start = $2, last_operation = $3, last_attempt = $4 where lane = $1`,
		req.Lane, start, req.Operation, req.Attempt)
	return start, 0, err
}
