package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// ProbeSlotRequest asks for a slug probe's turn in the lane. The probe creates nothing and is not counted by TabNews'
// firewall, but it is asked against the comments' limit (TabNews API, "Probes for reconciliation"): a probe beside two
// comments would make the firewall fire.
type ProbeSlotRequest struct {
	Lane     string
	Content  string        // whose slug is asked for
	Interval time.Duration // least distance to the lane's previous start
	Timeout  time.Duration // no byte of the probe leaves after it
	Quiet    time.Duration // how long TabNews may still work on a request that ended
}

// ProbeSlot is a turn in the lane.
type ProbeSlot struct {
	Taken  bool
	Asked  bool          // not taken: this disappearance was probed before
	Wait   time.Duration // not taken: ask again after it
	lane   string
	start  time.Time
	holdTo time.Time
}

// probeWindow is the firewall's window, with a margin (TabNews API, "The firewall").
const probeWindow = 6 * time.Second

// TakeProbeSlot takes a turn: no comment of the lane can be counted in the five seconds before it, and nothing of the
// lane starts until it is given back, or can no longer be on its way. A content is probed once for each disappearance.
func (l *Ledger) TakeProbeSlot(ctx context.Context, req ProbeSlotRequest) (ProbeSlot, error) {
	var slot ProbeSlot
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) (err error) {
		slot, err = takeProbeSlot(ctx, tx, req)
		if err == nil && !slot.Taken {
			return errNoChange
		}
		return err
	})
	if err != nil {
		return ProbeSlot{}, fmt.Errorf("ledger: probe slot of lane %s: %w", req.Lane, err)
	}
	return slot, nil
}

func takeProbeSlot(ctx context.Context, tx pgx.Tx, req ProbeSlotRequest) (ProbeSlot, error) {
	if _, err := tx.Exec(ctx, `insert into lanes (lane) values ($1) on conflict (lane) do nothing`, req.Lane); err != nil {
		return ProbeSlot{}, err
	}
	if _, err := tx.Exec(ctx, `select from lanes where lane = $1 for update`, req.Lane); err != nil {
		return ProbeSlot{}, err
	}
	var last, comment *time.Time
	var now time.Time
	// The newest moment at which a comment of the lane may be counted: its answer, or, while that is not known, the end of
	// all that TabNews may still do with it.
	err := tx.QueryRow(ctx, `
		select last_start, clock_timestamp(), (select max(case when a.outcome in ('sending', 'unknown')
				then greatest(a.send_by, a.finished_at) + $2::interval else a.finished_at end)
			from attempts a join operations o using (operation)
			where o.lane = $1 and split_part(o.operation, '/', 1) = 'publish' and o.payload->>'parent_id' is not null
				and a.outcome in ('sending', 'unknown', 'accepted', 'not_created'))
		from lanes where lane = $1`, req.Lane, req.Quiet).Scan(&last, &now, &comment)
	if err != nil {
		return ProbeSlot{}, err
	}
	if wait := max(until(last, req.Interval, now), until(comment, probeWindow, now)); wait > 0 {
		return ProbeSlot{Wait: wait}, nil
	}
	asked, err := tx.Exec(ctx, `update watches set probed_at = $2 where content = $1 and probed_at is null`, req.Content, now)
	if err != nil || asked.RowsAffected() == 0 {
		return ProbeSlot{Asked: true}, err
	}
	// The lane's last start lies ahead while the probe may be on its way: every claim keeps its distance from it.
	slot := ProbeSlot{Taken: true, lane: req.Lane, start: now, holdTo: now.Add(req.Timeout + req.Quiet)}
	_, err = tx.Exec(ctx, `update lanes set last_start = $2 where lane = $1`, req.Lane, slot.holdTo)
	return slot, err
}

// until is how long it is until distance has passed since at.
func until(at *time.Time, distance time.Duration, now time.Time) time.Duration {
	if at == nil {
		return 0
	}
	return at.Add(distance).Sub(now)
}

// GiveProbeSlotBack ends a turn once the probe was answered. Without it, the lane goes on by itself when the probe can
// no longer be on its way.
func (l *Ledger) GiveProbeSlotBack(ctx context.Context, slot ProbeSlot) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := l.pool.Exec(ctx, `update lanes set last_start = $3 where lane = $1 and last_start = $2`, slot.lane, slot.holdTo, slot.start)
	if err != nil {
		return fmt.Errorf("ledger: give the probe slot of lane %s back: %w", slot.lane, err)
	}
	return nil
}
