package ledger

import (
	"context"
	"fmt"
	"strings"
	"time"

	"postonce/publication"
)

// reschedule gives the operation another time, nil for none, and journals it.
func (c *change) reschedule(ctx context.Context, to *publication.Schedule, by string, detail map[string]any) error {
	if detail == nil {
		detail = map[string]any{}
	}
	if c.rec.Schedule != nil {
		detail["replaces"] = c.rec.Schedule
	}
	if to != nil {
		detail["schedule"] = to
	}
	c.rec.Schedule = to
	if err := c.save(ctx); err != nil {
		return err
	}
	return c.journal(ctx, Entry{Event: EventScheduled, By: by, Digest: c.rec.Digest, Detail: detail})
}

// takeUpSchedule gives an operation that another run takes up the time that it was started with. Without one, it keeps
// the ledger's, which Temporal may have forgotten; but the time of what was rejected belonged to that send.
func (c *change) takeUpSchedule(ctx context.Context, req OpenRequest, rejected bool) error {
	from, to := c.rec.Schedule, req.Schedule
	switch {
	case to == nil && (from == nil || !rejected):
		return nil
	case to != nil && publication.SameTime(from, to) && from.Late == to.Late:
		return nil
	}
	return c.reschedule(ctx, to, req.ProposedBy, map[string]any{"run_id": req.RunID})
}

// rescheduleRefusal: only what was not sent yet can have another time.
func (c *change) rescheduleRefusal(d publication.Decision) string {
	if err := publication.CheckSchedule(c.rec.Operation, d.Schedule); err != nil {
		return err.Error()
	}
	switch state := c.rec.State; state {
	case publication.StateProposed, publication.StatePlanned:
		return ""
	default:
		return fmt.Sprintf("too late: the operation is %s; next safe action: %s", state, state.NextSafeAction())
	}
}

// applyReschedule gives the operation the decision's time. None means now.
func (c *change) applyReschedule(ctx context.Context, d publication.Decision) error {
	if d.Schedule == nil && c.rec.Schedule == nil {
		return c.journal(ctx, decided(d)) // it waits for no time
	}
	return c.reschedule(ctx, d.Schedule, d.By, map[string]any{"decision": d})
}

func (c *change) cancelRefusal() string {
	switch state := c.rec.State; state {
	case publication.StateProposed, publication.StatePlanned:
		return ""
	case publication.StateSending:
		return "too late: the call left, or is about to; its outcome will be reported"
	default:
		return fmt.Sprintf("the operation is %s: there is nothing to withdraw; next safe action: %s", state, state.NextSafeAction())
	}
}

// applyCancel withdraws what was not sent: nothing that allowed a send counts any more, and whoever wants it after all
// approves it anew.
func (c *change) applyCancel(ctx context.Context, d publication.Decision) error {
	if err := c.voidAll(ctx, "withdrawn by "+d.By); err != nil {
		return err
	}
	if c.rec.State == publication.StateProposed {
		return c.journal(ctx, decided(d))
	}
	return c.move(ctx, publication.StateProposed, decided(d))
}

// MarkMissed notes that the operation's time passed without a send, once, and gives the record as it then is. A run
// whose schedule is not the ledger's any more changes nothing: the record is the answer.
func (l *Ledger) MarkMissed(ctx context.Context, op publication.OperationID, s publication.Schedule) (Record, error) {
	var rec Record
	err := l.change(ctx, op, func(ctx context.Context, c *change) (err error) {
		if err = c.markMissed(ctx, s); err != nil {
			return err
		}
		rec, err = load(ctx, c.tx, op)
		return err
	})
	if err != nil {
		return Record{}, fmt.Errorf("ledger: mark missed: %w", err)
	}
	return rec, nil
}

func (c *change) markMissed(ctx context.Context, s publication.Schedule) error {
	own := c.rec.Schedule
	waits := c.rec.State == publication.StateProposed || c.rec.State == publication.StatePlanned
	if !waits || own == nil || own.Missed || !publication.SameTime(own, &s) {
		return nil
	}
	own.Missed = true
	if err := c.save(ctx); err != nil {
		return err
	}
	return c.journal(ctx, Entry{Event: EventMissed, By: Worker, Digest: c.rec.Digest, Detail: map[string]any{"schedule": own}})
}

// untimely says why an attempt may not be claimed at this moment of PostgreSQL's clock: too early, and by how much, or
// too late. Whoever asks compared with a clock of his own before; this holds also for one who waited since.
func (c *change) untimely(ctx context.Context) (early time.Duration, refusal string, err error) {
	s := c.rec.Schedule
	if s == nil {
		return 0, "", nil
	}
	var now time.Time
	if err := c.tx.QueryRow(ctx, `select clock_timestamp()`).Scan(&now); err != nil {
		return 0, "", err
	}
	if s.Overdue(now) {
		return 0, fmt.Sprintf("its time, %s, passed by more than %s; a person decides: now, another time, or not at all", s, time.Duration(s.Late)), nil
	}
	return max(s.SendAt.Sub(now), 0), "", nil
}

// scheduleColumns are the operation's, as they are written.
func scheduleColumns(s *publication.Schedule) (sendAt *time.Time, sendZone *string, late *time.Duration, missed bool) {
	if s == nil {
		return nil, nil, nil, false
	}
	zone, span := storable(strings.TrimSpace(s.SendZone)), time.Duration(s.Late)
	return &s.SendAt, &zone, &span, s.Missed
}

func scheduleOf(sendAt *time.Time, sendZone *string, late *time.Duration, missed bool) *publication.Schedule {
	if sendAt == nil || sendZone == nil || late == nil {
		return nil
	}
	return &publication.Schedule{SendAt: publication.InZone(*sendAt, *sendZone), SendZone: *sendZone, Late: publication.Lateness(*late), Missed: missed}
}
