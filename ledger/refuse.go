package ledger

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// RefuseBeforeSend stops a planned operation because its slug is taken by the content that was found, before anything
// was sent. It becomes rejected; but when a person had decided that an earlier attempt of ours created nothing, that
// decision no longer counts, the attempt is unknown again with this candidate, and so is the operation. Told again, it
// changes nothing.
func (l *Ledger) RefuseBeforeSend(ctx context.Context, op publication.OperationID, runID string, found publication.Candidate) (Record, error) {
	var rec Record
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		c, err := lock(ctx, tx, op)
		if err != nil {
			return err
		}
		if state := c.rec.State; state != publication.StateRejected && state != publication.StateUnknown {
			if err := c.refuseBeforeSend(ctx, runID, found); err != nil {
				return err
			}
		}
		rec, err = load(ctx, tx, op)
		return err
	})
	if err != nil {
		return Record{}, fmt.Errorf("ledger: refuse before send: %w", err)
	}
	return rec, nil
}

func (c *change) refuseBeforeSend(ctx context.Context, runID string, found publication.Candidate) error {
	if c.rec.State != publication.StatePlanned {
		return &TransitionError{c.rec.Operation, c.rec.State, publication.StateRejected}
	}
	c.rec.Investigation = &publication.Investigation{At: found.SeenAt, Reading: publication.ReadingFound,
		Candidates: []publication.Candidate{found}, Notes: []string{"found before the send; nothing was sent"}}
	entry := Entry{Event: EventSlugTaken, By: Worker, Digest: c.rec.Digest, Detail: map[string]any{"found": found, "run_id": runID}}
	ours := c.lastNotCreated()
	if ours == nil {
		return c.move(ctx, publication.StateRejected, entry)
	}
	entry.Attempt = ours.Number
	if d := c.resolved(ours.Number); d != nil {
		if err := c.void(ctx, d.ID, "content was found afterwards: "+found.Reference); err != nil {
			return err
		}
	}
	ours.Outcome, ours.Candidates = publication.OutcomeUnknown, mergeCandidates(ours.Candidates, []publication.Candidate{found})
	if err := c.updateAttempt(ctx, ours); err != nil {
		return err
	}
	return c.move(ctx, publication.StateUnknown, entry)
}

// lastNotCreated gives the newest attempt of which a person decided that it created nothing, or nil.
func (c *change) lastNotCreated() *attemptRow {
	for i := len(c.attempts) - 1; i >= 0; i-- {
		if c.attempts[i].Outcome == publication.OutcomeNotCreated {
			return &c.attempts[i]
		}
	}
	return nil
}
