package ledger

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// numberOn lets PostgreSQL go on numbering after the highest number that came.
func (i *importing) numberOn(ctx context.Context) error {
	for _, t := range i.tables {
		for _, c := range t.Columns {
			if !c.identity {
				continue
			}
			column := pgx.Identifier{c.Name}.Sanitize()
			_, err := i.tx.Exec(ctx, fmt.Sprintf(`select setval(pg_get_serial_sequence($1, $2), coalesce(max(%s), 1), max(%s) is not null) from %s`,
				column, column, t.sqlName()), t.sqlName(), c.Name)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// takeUpAll checks every operation, closes what its export left open, and journals the import.
func (i *importing) takeUpAll(ctx context.Context) error {
	rows, err := i.tx.Query(ctx, `select operation from operations order by operation collate "C"`)
	if err != nil {
		return err
	}
	operations, err := pgx.CollectRows(rows, pgx.RowTo[publication.OperationID])
	if err != nil {
		return err
	}
	for _, op := range operations {
		c, err := lock(ctx, i.tx, op)
		if err != nil {
			return err
		}
		if err := i.check(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		if err := i.takeUp(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
	}
	return nil
}

// check holds what no rule of the database does: the ID's form, the digest, and a journal that is a legal path to the
// state.
func (i *importing) check(ctx context.Context, c *change) error {
	if _, err := publication.ParseOperationID(string(c.rec.Operation)); err != nil {
		return inArchive(err)
	}
	if err := checkContent(c.rec.Operation, c.rec.Payload, c.rec.Base, c.rec.Digest); err != nil {
		return inArchive(err)
	}
	if err := c.agrees(); err != nil {
		return err
	}
	if err := i.checkJournal(ctx, c); err != nil {
		return err
	}
	rows, err := i.tx.Query(ctx, `select coalesce(from_state, ''), to_state from journal where operation = $1 and to_state is not null order by id`, c.rec.Operation)
	if err != nil {
		return err
	}
	steps, err := pgx.CollectRows(rows, pgx.RowToStructByPos[journalStep])
	if err != nil {
		return err
	}
	return inArchive(legalPath(steps, c.rec.State))
}

// journalStep is an entry that changed the state.
type journalStep struct{ From, To publication.State }

func legalPath(steps []journalStep, state publication.State) error {
	var at publication.State
	for _, s := range steps {
		if s.From != at || at != "" && !at.CanBecome(s.To) || at == "" && s.To != publication.StateProposed {
			return fmt.Errorf("journal: at %q, it goes from %q to %q, which may not be", at, s.From, s.To)
		}
		at = s.To
	}
	if at != state {
		return fmt.Errorf("journal: it ends at %q, and the operation is %q", at, state)
	}
	return nil
}

// takeUp lets nothing go on by itself that the export left open: what happened after it is not in it.
func (i *importing) takeUp(ctx context.Context, c *change) error {
	entry := Entry{Event: EventImported, By: i.by, Digest: c.rec.Digest, Detail: map[string]any{"exported_at": i.source.header.ExportedAt, "state": c.rec.State}}
	again := c.openedAgain()
	if err := i.voidAll(ctx, c); err != nil {
		return err
	}
	switch {
	case c.rec.State == publication.StateSending:
		i.result.Unknown = append(i.result.Unknown, c.rec.Operation)
		return i.doubtSending(ctx, c, entry)
	case c.rec.State == publication.StatePlanned && again > 0:
		i.result.Unknown = append(i.result.Unknown, c.rec.Operation)
		return i.doubtAgain(ctx, c, again, entry)
	case c.rec.State == publication.StatePlanned:
		i.result.Proposed = append(i.result.Proposed, c.rec.Operation)
		return c.move(ctx, publication.StateProposed, entry)
	}
	return c.journal(ctx, entry)
}

// openedAgain gives the attempt of which a person decided that it created nothing, when that decision has not been used
// for a new one; else 0.
func (c *change) openedAgain() int {
	for _, d := range c.decisions {
		if d.Taken && d.Voided == "" && d.Kind == publication.DecisionNotCreated && !c.used(d.ID) {
			return d.Attempt
		}
	}
	return 0
}

// voidAll makes every authorization that was not used when the export was made worthless: it may have been used since.
func (i *importing) voidAll(ctx context.Context, c *change) error {
	for _, d := range append([]decisionRow(nil), c.decisions...) {
		if d.Taken && d.Voided == "" && d.Kind.Authorizes() && !c.used(d.ID) {
			if err := c.void(ctx, d.ID, "the ledger was rebuilt from an export, and it may have been used since"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *importing) doubtSending(ctx context.Context, c *change, entry Entry) error {
	for n := range c.attempts {
		a := c.attempts[n]
		if a.Outcome != publication.OutcomeSending {
			continue
		}
		a.Outcome = publication.OutcomeUnknown
		a.Evidence = &publication.Evidence{Summary: "the ledger was rebuilt from an export that was made while this attempt was being sent: it may have created content"}
		if err := c.updateAttempt(ctx, &a); err != nil {
			return err
		}
		entry.Attempt = a.Number
		break
	}
	return c.move(ctx, publication.StateUnknown, entry)
}

// doubtAgain takes a decision back that would open a new attempt: whether that was made since, only a look at TabNews
// can tell.
func (i *importing) doubtAgain(ctx context.Context, c *change, attempt int, entry Entry) error {
	a := c.attempt(attempt)
	if a == nil || a.Outcome != publication.OutcomeNotCreated {
		return c.move(ctx, publication.StateProposed, entry)
	}
	a.Outcome = publication.OutcomeUnknown
	if err := c.updateAttempt(ctx, a); err != nil {
		return err
	}
	entry.Attempt = attempt
	return c.move(ctx, publication.StateUnknown, entry)
}
