package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// turn is a lane's answer to a claim.
type turn struct {
	start time.Time     // unless ask is above zero
	ask   time.Duration // ask again after it
	wait  time.Duration // the turn is expected then
	why   Waiting
}

// holdInLane is how short a wait is spent while the lane is held: nobody else could use the time, and starts are then
// exactly the interval apart.
const holdInLane = 50 * time.Millisecond

// takeTurn takes the lane for a start now, or takes a place in its queue. The lane is locked until the claim's end, which
// orders claims of all workers.
func (c *change) takeTurn(ctx context.Context, req ClaimRequest) (turn, error) {
	creates := createsOf(c.rec.Operation, c.rec.Payload)
	if err := lockLane(ctx, c.tx, req.Lane); err != nil {
		return turn{}, err
	}
	for held := false; ; held = true {
		l, why, err := c.laneNow(ctx, req)
		if err != nil {
			return turn{}, err
		}
		if l.mayStart(creates) {
			return turn{start: l.now}, c.start(ctx, req, l.now)
		}
		slot := l.slot(creates)
		wait := slot.Sub(l.now)
		if !held && !l.paused && why.Ahead == 0 && wait <= holdInLane {
			if err := sleep(ctx, wait); err != nil {
				return turn{}, err
			}
			continue
		}
		t := turn{ask: l.ask(creates, slot, req.Patience, req.Lead), wait: wait, why: why}
		if slot.IsZero() {
			t.wait = t.ask
		}
		t.why.Until = slot
		t.why.Counted = l.earliest(creates).After(l.earliest(""))
		return t, c.reserve(ctx, req, creates, l.due(t.ask, req.Lead), t.why)
	}
}

// lockLane locks the lane's row by a statement of its own: the clock of a statement that waits for a lock may be read
// before the wait, and a start noted too early would let the next one follow too soon.
func lockLane(ctx context.Context, tx pgx.Tx, name string) error {
	if _, err := tx.Exec(ctx, `insert into lanes (lane) values ($1) on conflict (lane) do nothing`, name); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `select from lanes where lane = $1 for update`, name)
	return err
}

// laneNow reads the locked lane. The clock comes last: an answer that was read was noted before it.
func (c *change) laneNow(ctx context.Context, req ClaimRequest) (l lane, why Waiting, err error) {
	l.pace = req.Pace
	if err = mendClock(ctx, c.tx, req.Lane, req.Pace, max(req.SendTimeout, defaultReach)); err != nil {
		return l, why, err
	}
	if l.creations, err = c.laneCreations(ctx, req); err != nil {
		return l, why, err
	}
	places, err := c.lanePlaces(ctx, req)
	if err != nil {
		return l, why, err
	}
	var last, pausedAt, resumes *time.Time
	// A slug probe counts as a start until it can no longer be on its way.
	err = c.tx.QueryRow(ctx, `select greatest(last_start, case when probed_until > clock_timestamp() then probed_until end),
			coalesce(last_operation, ''), paused_at, paused_until, paused_by, paused_reason, clock_timestamp()
		from lanes where lane = $1`, req.Lane).Scan(&last, &why.Behind, &pausedAt, &resumes, &why.PausedBy, &why.PausedFor, &l.now)
	if err != nil {
		return l, why, err
	}
	l.queue = places
	for _, r := range places {
		if r.live(l.now, l.pace.grace()) {
			why.Ahead++
			why.Behind = r.operation
		}
	}
	if l.paused = pausedAt != nil && (resumes == nil || resumes.After(l.now)); l.paused && resumes != nil {
		l.resumes = *resumes
	}
	why.Lane, why.Paused = req.Lane, l.paused
	if last != nil {
		l.lastStart = *last
	}
	return l, why, nil
}

// laneCreations gives those that can still matter.
func (c *change) laneCreations(ctx context.Context, req ClaimRequest) ([]creation, error) {
	rows, err := c.tx.Query(ctx, `select creates, may_create_until, outcome = 'sending' from attempts
		where lane = $1 and creates is not null and may_create_until > clock_timestamp() - $2::interval`, req.Lane, req.Window)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (creation, error) {
		var one creation
		err := row.Scan(&one.creates, &one.latest, &one.inFlight)
		return one, err
	})
}

// lanePlaces gives the reservations before the operation's own; all of them when it has none.
func (c *change) lanePlaces(ctx context.Context, req ClaimRequest) ([]reservation, error) {
	rows, err := c.tx.Query(ctx, `select operation, coalesce(creates, ''), due_at from lane_reservations
		where lane = $1 and operation <> $2 and ticket < coalesce((select ticket from lane_reservations where lane = $1 and operation = $2), 9223372036854775807)
			and exists (select from operations o where o.operation = lane_reservations.operation and o.state = 'planned')
		order by ticket`, req.Lane, req.Operation)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (reservation, error) {
		var one reservation
		err := row.Scan(&one.operation, &one.creates, &one.due)
		return one, err
	})
}

// mendClock bounds what a clock that was stepped back leaves in the future of the locked lane. A start and an answer lie
// before now, a deadline no further ahead than it did at its claim, and nobody was told to ask again later than a holder
// ever is: what lies beyond was noted before the step. It is moved, once, to where it would lie had it happened now,
// which is safe, and makes the wait what it is at most without a step, not the length of the step.
//
// Attempts are operations' rows, which are locked before a lane: one that somebody holds is left to the next claim.
func mendClock(ctx context.Context, tx pgx.Tx, name string, pace Pace, sendTimeout time.Duration) error {
	_, err := tx.Exec(ctx, `
		update lanes set last_start = case when last_start > clock_timestamp() then clock_timestamp() else last_start end,
			probed_until = case when probed_until > clock_timestamp() + $2::interval then clock_timestamp() + $2::interval else probed_until end,
			paused_until = case when paused_at > clock_timestamp() then clock_timestamp() + (paused_until - paused_at) else paused_until end,
			paused_at = case when paused_at > clock_timestamp() then clock_timestamp() else paused_at end
		where lane = $1 and (last_start > clock_timestamp() or probed_until > clock_timestamp() + $2::interval or paused_at > clock_timestamp())`,
		name, mostProbe+pace.QuietTime)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `update lane_reservations set due_at = clock_timestamp() + $2::interval
		where lane = $1 and due_at > clock_timestamp() + $2::interval`, name, askSeldom)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		with stepped as (
			select operation, number from attempts
			where lane = $1 and may_create_until > clock_timestamp() and (outcome = 'accepted'
				or may_create_until > clock_timestamp() + coalesce(send_by - claimed_at, $2::interval) + $3::interval)
			for no key update skip locked)
		update attempts a set may_create_until = clock_timestamp() + case when outcome = 'accepted' then interval '0'
			else coalesce(send_by - claimed_at, $2::interval) + $3::interval end
		from stepped s where s.operation = a.operation and s.number = a.number`, name, sendTimeout, pace.QuietTime)
	return err
}

// start notes the lane's newest start, and gives the place in the queue back.
func (c *change) start(ctx context.Context, req ClaimRequest, at time.Time) error {
	_, err := c.tx.Exec(ctx, `update lanes set last_start = $2, last_operation = $3, last_attempt = $4 where lane = $1`,
		req.Lane, at, req.Operation, req.Attempt)
	if err != nil {
		return err
	}
	_, err = c.tx.Exec(ctx, `delete from lane_reservations where lane = $1 and (operation = $2 or due_at < $3::timestamptz - interval '1 day')`,
		req.Lane, req.Operation, at)
	return err
}

// reserve takes a place at the queue's end, or keeps the one that is held, and notes when its holder asks again.
func (c *change) reserve(ctx context.Context, req ClaimRequest, creates Creates, due time.Time, why Waiting) error {
	c.wrote = true
	_, err := c.tx.Exec(ctx, `
		insert into lane_reservations (lane, operation, attempt, creates, due_at, slot_at, waits_for) values ($1, $2, $3, $4, $5, $6, $7)
		on conflict (lane, operation) do update set attempt = excluded.attempt, creates = excluded.creates, due_at = excluded.due_at,
			slot_at = excluded.slot_at, waits_for = excluded.waits_for`,
		req.Lane, req.Operation, req.Attempt, orNull(creates), due, timeOrNull(why.Until), storable(why.String()))
	if err != nil {
		return fmt.Errorf("lane %s: %w", req.Lane, err)
	}
	return nil
}

func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
