package ledger

import (
	"cmp"
	"context"
	"fmt"

	"postonce/publication"
)

// attempt gives the attempt's row, or nil.
func (c *change) attempt(number int) *attemptRow {
	for i := range c.attempts {
		if c.attempts[i].Number == number {
			return &c.attempts[i]
		}
	}
	return nil
}

// mayHaveCreated gives the attempt other than except that may have created content, or nil: there is at most one.
func (c *change) mayHaveCreated(except int) *attemptRow {
	for i := range c.attempts {
		if a := &c.attempts[i]; a.Number != except && a.Outcome.MayHaveCreated() {
			return a
		}
	}
	return nil
}

// insertAttempt adds a row. A conflict with a row that another transaction added is an error: the lock excludes it.
func (c *change) insertAttempt(ctx context.Context, a attemptRow) error {
	_, err := c.tx.Exec(ctx, `
		insert into attempts (operation, number, outcome, digest, approved_by, run_id, claimed_at, send_by, finished_at, identity,
			evidence, candidates, token, authorization_id, lane, creates, may_create_until)
		values ($1, $2, $3, $4, $5, $6, $7, $8, case when $3 <> 'sending' then coalesce($9, clock_timestamp()) end, $10, $11, $12, $13, $14,
			$15, $16, case when $16::text is not null then $17::timestamptz end)`,
		c.rec.Operation, a.Number, string(a.Outcome), a.Digest, storable(a.ApprovedBy), storable(a.RunID), a.ClaimedAt, a.SendBy, a.FinishedAt, a.Identity,
		a.Evidence, a.Candidates, orNull(storable(a.token)), orNull(a.authorizationID),
		cmp.Or(a.lane, c.rec.Lane), orNull(createsOf(c.rec.Operation, c.rec.Payload)), a.mayCreateUntil)
	if err != nil {
		return fmt.Errorf("attempt %d: %w", a.Number, err)
	}
	return c.reloadAttempts(ctx)
}

// updateAttempt writes what can change of an attempt. The first end of an attempt keeps its time. What is known of a
// creation's latest possible time only ever gets closer: it becomes known, at the latest, now.
func (c *change) updateAttempt(ctx context.Context, a *attemptRow) error {
	_, err := c.tx.Exec(ctx, `
		update attempts set outcome = $3, finished_at = case when $3 <> 'sending' then coalesce(finished_at, clock_timestamp()) end,
			identity = $4, evidence = $5, candidates = $6, authorization_id = $7,
			may_create_until = case
				when creates is null or $3 in ('rejected', 'not_sent') or $8 then null
				when $3 = 'accepted' then least(may_create_until, clock_timestamp())
				else may_create_until end
		where operation = $1 and number = $2`,
		c.rec.Operation, a.Number, string(a.Outcome), a.Identity, a.Evidence, a.Candidates, orNull(a.authorizationID), provenUnsent(a))
	if err != nil {
		return fmt.Errorf("attempt %d: %w", a.Number, err)
	}
	return c.reloadAttempts(ctx)
}

// provenUnsent: an attempt that waits for a person although no byte of it left creates nothing.
func provenUnsent(a *attemptRow) bool {
	return a.Outcome != publication.OutcomeAccepted && a.Evidence != nil && a.Evidence.ProvenUnsent
}

// reloadAttempts reads again what was written, for its times come from the database.
func (c *change) reloadAttempts(ctx context.Context) (err error) {
	c.wrote = true
	c.attempts, err = loadAttempts(ctx, c.tx, c.rec.Operation)
	return err
}
