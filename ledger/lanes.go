package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// Lane is what is known of a lane at one moment. Times are PostgreSQL's.
type Lane struct {
	Lane          string                  `json:"lane"`
	At            time.Time               `json:"at"` // now
	LastStart     *time.Time              `json:"last_start"`
	LastOperation publication.OperationID `json:"last_operation,omitempty"`
	Paused        *LanePause              `json:"paused"`
	Queue         []LanePlace             `json:"queue"`     // first come, first served
	Incidents     []Incident              `json:"incidents"` // the newest first, at most five
}

// LanePause is a pause that lasts.
type LanePause struct {
	Since  time.Time  `json:"since"`
	Until  *time.Time `json:"until"` // null: until somebody resumes it
	By     string     `json:"by"`
	Reason string     `json:"reason"`
}

// LanePlace is a place in a lane's queue.
type LanePlace struct {
	Operation  publication.OperationID `json:"operation"`
	Attempt    int                     `json:"attempt"`
	Creates    Creates                 `json:"creates,omitempty"`
	ReservedAt time.Time               `json:"reserved_at"`
	DueAt      time.Time               `json:"due_at"`      // its holder asks again then; one long past blocks nobody
	SlotAt     *time.Time              `json:"slot_at"`     // its turn was expected then; null: when the lane is resumed
	WaitingFor string                  `json:"waiting_for"` // as it was when it asked last
	Late       bool                    `json:"late"`        // its holder did not come
}

// Lanes gives every lane, by name.
func (l *Ledger) Lanes(ctx context.Context) ([]Lane, error) {
	var lanes []Lane
	err := l.inTx(ctx, oneMoment, func(ctx context.Context, tx pgx.Tx) (err error) {
		if lanes, err = loadLanes(ctx, tx); err != nil {
			return err
		}
		for i := range lanes {
			if lanes[i].Queue, err = loadQueue(ctx, tx, lanes[i].Lane); err != nil {
				return err
			}
			if lanes[i].Incidents, err = loadIncidents(ctx, tx, lanes[i].Lane); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("ledger: lanes: %w", err)
	}
	return lanes, nil
}

func loadLanes(ctx context.Context, tx pgx.Tx) ([]Lane, error) {
	rows, err := tx.Query(ctx, `select lane, clock_timestamp(), last_start, coalesce(last_operation, ''), paused_at, paused_until, paused_by, paused_reason
		from lanes order by lane`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Lane, error) {
		var one Lane
		var since *time.Time
		var p LanePause
		err := row.Scan(&one.Lane, &one.At, &one.LastStart, &one.LastOperation, &since, &p.Until, &p.By, &p.Reason)
		if since != nil && (p.Until == nil || p.Until.After(one.At)) {
			p.Since = *since
			one.Paused = &p
		}
		return one, err
	})
}

// lateAfter is when a holder that did not come is shown as late; the pace that decides is its worker's.
const lateAfter = 5 * time.Second

func loadQueue(ctx context.Context, tx pgx.Tx, name string) ([]LanePlace, error) {
	rows, err := tx.Query(ctx, `select operation, attempt, coalesce(creates, ''), reserved_at, due_at, slot_at, waits_for,
		clock_timestamp() > due_at + $2::interval from lane_reservations where lane = $1 order by ticket`, name, lateAfter)
	if err != nil {
		return nil, err
	}
	places, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (LanePlace, error) {
		var p LanePlace
		err := row.Scan(&p.Operation, &p.Attempt, &p.Creates, &p.ReservedAt, &p.DueAt, &p.SlotAt, &p.WaitingFor, &p.Late)
		return p, err
	})
	return append([]LanePlace{}, places...), err
}

func loadIncidents(ctx context.Context, tx pgx.Tx, name string) ([]Incident, error) {
	rows, err := tx.Query(ctx, `select id, lane, at, creates, operation, attempt, paused_until from incidents where lane = $1 order by at desc limit 5`, name)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Incident, error) {
		var one Incident
		err := row.Scan(&one.id, &one.Lane, &one.At, &one.Creates, &one.Operation, &one.Attempt, &one.PausedUntil)
		return one, err
	})
	if err != nil {
		return nil, err
	}
	incidents := append([]Incident{}, found...)
	for i := range incidents {
		hit, err := queryAffected(ctx, tx, `and i.id = $1`, incidents[i].id)
		if err != nil {
			return nil, err
		}
		incidents[i].Affected = append([]Affected{}, hit...)
	}
	return incidents, nil
}

// PauseLane lets nothing start in the lane, for a while or, with 0, until somebody resumes it. What was begun ends; what
// waits keeps its place and goes on by itself afterwards. A person's pause replaces the one before.
func (l *Ledger) PauseLane(ctx context.Context, name string, length time.Duration, by, reason string) error {
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			insert into lanes (lane, paused_at, paused_until, paused_by, paused_reason)
			values ($1, clock_timestamp(), case when $2::interval > interval '0' then clock_timestamp() + $2::interval end, $3, $4)
			on conflict (lane) do update set paused_at = excluded.paused_at, paused_until = excluded.paused_until,
				paused_by = excluded.paused_by, paused_reason = excluded.paused_reason`,
			name, length, storable(by), storable(reason))
		return err
	})
	if err != nil {
		return fmt.Errorf("ledger: pause the lane %s: %w", name, err)
	}
	return nil
}

// ResumeLane ends a pause. False: the lane was not paused, or there is none of that name.
func (l *Ledger) ResumeLane(ctx context.Context, name string) (bool, error) {
	paused := false
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `update lanes set paused_at = null, paused_until = null, paused_by = '', paused_reason = ''
			where lane = $1 and paused_at is not null and (paused_until is null or paused_until > clock_timestamp())`, name)
		paused = tag.RowsAffected() == 1
		return err
	})
	if err != nil {
		return false, fmt.Errorf("ledger: resume the lane %s: %w", name, err)
	}
	return paused, nil
}

// pauseLane pauses until a time, unless a pause that lasts longer holds already.
func pauseLane(ctx context.Context, tx pgx.Tx, name string, until *time.Time, by, reason string) error {
	_, err := tx.Exec(ctx, `
		insert into lanes as l (lane, paused_at, paused_until, paused_by, paused_reason) values ($1, clock_timestamp(), $2, $3, $4)
		on conflict (lane) do update set paused_at = excluded.paused_at, paused_until = excluded.paused_until,
			paused_by = excluded.paused_by, paused_reason = excluded.paused_reason
		where l.paused_at is null or l.paused_until < excluded.paused_until`, name, until, by, reason)
	return err
}
