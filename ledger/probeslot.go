package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// mostProbe bounds ProbeSlotRequest.Timeout.
const mostProbe = 10 * time.Second

// ProbeSlotRequest asks for a slug probe's turn in the lane. The probe creates nothing and is not counted by TabNews'
// firewall, but it is asked against the comments' limit (TabNews API, "Probes for reconciliation"): a probe beside two
// comments would make the firewall fire.
type ProbeSlotRequest struct {
	Lane    string
	Content string // whose slug is asked for
	Pace
	Timeout time.Duration // no byte of the probe leaves after it
}

// ProbeSlot is a turn in the lane.
type ProbeSlot struct {
	Taken   bool
	Asked   bool          // not taken: this disappearance was probed before
	Wait    time.Duration // not taken: ask again after it
	lane    string
	content string
	holdTo  time.Time
}

// TakeProbeSlot takes a turn: no comment of the lane can be counted in the five seconds before it, and nothing of the
// lane starts until it is given back, or can no longer be on its way. A content is probed once for each disappearance.
func (l *Ledger) TakeProbeSlot(ctx context.Context, req ProbeSlotRequest) (ProbeSlot, error) {
	if req.Timeout > mostProbe {
		return ProbeSlot{}, fmt.Errorf("ledger: probe slot of lane %s: a timeout of %s is longer than %s", req.Lane, req.Timeout, mostProbe)
	}
	var slot ProbeSlot
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) (err error) {
		slot, err = takeProbeSlot(ctx, tx, req)
		return err
	})
	if err != nil {
		return ProbeSlot{}, fmt.Errorf("ledger: probe slot of lane %s: %w", req.Lane, err)
	}
	return slot, nil
}

func takeProbeSlot(ctx context.Context, tx pgx.Tx, req ProbeSlotRequest) (ProbeSlot, error) {
	if err := lockLane(ctx, tx, req.Lane); err != nil {
		return ProbeSlot{}, err
	}
	if err := mendClock(ctx, tx, req.Lane, req.Pace, defaultReach); err != nil {
		return ProbeSlot{}, err
	}
	now, wait, err := probeWait(ctx, tx, req)
	if err != nil || wait > 0 {
		return ProbeSlot{Wait: wait}, err
	}
	asked, err := tx.Exec(ctx, `update watches set probed_at = $2 where content = $1 and probed_at is null`, req.Content, now)
	if err != nil || asked.RowsAffected() == 0 {
		return ProbeSlot{Asked: true}, err
	}
	slot := ProbeSlot{Taken: true, lane: req.Lane, content: req.Content, holdTo: now.Add(req.Timeout + req.QuietTime)}
	_, err = tx.Exec(ctx, `update lanes set last_start = $2, probed_until = $3 where lane = $1`, req.Lane, now, slot.holdTo)
	return slot, err
}

// probeWait is how long a probe has to wait for the locked lane: for its distance to the last start, until no comment
// can be counted beside it, for another probe, and while the lane is paused.
func probeWait(ctx context.Context, tx pgx.Tx, req ProbeSlotRequest) (now time.Time, wait time.Duration, err error) {
	var last, comment, probe, paused *time.Time
	err = tx.QueryRow(ctx, `
		select last_start, (select max(may_create_until) from attempts where lane = $1 and creates = 'comment'), probed_until,
			case when paused_at is not null then coalesce(paused_until, clock_timestamp() + $2::interval) end, clock_timestamp()
		from lanes where lane = $1`, req.Lane, askSeldom).Scan(&last, &comment, &probe, &paused, &now)
	wait = max(until(last, req.Interval, now), until(comment, req.Window, now), until(probe, 0, now), until(paused, 0, now))
	return now, wait, err
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
	_, err := l.pool.Exec(ctx, `update lanes set probed_until = null where lane = $1 and probed_until = $2`, slot.lane, slot.holdTo)
	if err != nil {
		return fmt.Errorf("ledger: give the probe slot of lane %s back: %w", slot.lane, err)
	}
	return nil
}

// ProbeMetFirewall notes that TabNews' firewall refused a probe about the publication's content, which hides the comments
// of the ten minutes before as a refused comment does: an incident, which pauses the lane. The turn is given back, and the
// slug may be asked for again afterwards.
func (l *Ledger) ProbeMetFirewall(ctx context.Context, op publication.OperationID, slot ProbeSlot, pause time.Duration) error {
	if pause <= 0 {
		pause = DefaultPause
	}
	err := l.change(ctx, op, func(ctx context.Context, c *change) error {
		c.wrote = true
		var until time.Time
		err := c.tx.QueryRow(ctx, `insert into incidents (lane, creates, operation, attempt, paused_until)
			values ($1, $2, $3, 0, clock_timestamp() + $4::interval) returning paused_until`, slot.lane, CreatesComment, op, pause).Scan(&until)
		if err != nil {
			return err
		}
		if err := pauseLane(ctx, c.tx, slot.lane, &until, Worker, fmt.Sprintf("TabNews' firewall refused a probe of the slug of %s", op)); err != nil {
			return err
		}
		if _, err := c.tx.Exec(ctx, `update lanes set probed_until = null where lane = $1 and probed_until = $2`, slot.lane, slot.holdTo); err != nil {
			return err
		}
		if _, err := c.tx.Exec(ctx, `update watches set probed_at = null where content = $1`, slot.content); err != nil {
			return err
		}
		return c.journal(ctx, Entry{Event: EventIncident, By: Worker, Digest: c.rec.Digest,
			Detail: map[string]any{"lane": slot.lane, "paused_until": until, "probe": true}})
	})
	if err != nil {
		return fmt.Errorf("ledger: the probe of %s met the firewall: %w", op, err)
	}
	return nil
}
