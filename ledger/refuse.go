package ledger

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// RefuseBeforeSend stops a planned operation before anything was sent, because of what was found at its reference: for
// publish, content that takes the slug; for revise and remove, content that is no longer the base. A found without ID
// says that what was to be changed is not there any more. The note is kept for the person who looks; an empty one gives
// the ledger's own words.
//
// The operation becomes rejected; but when a person had decided that an earlier attempt of ours created nothing, that
// decision no longer counts, the attempt is unknown again with this candidate, and so is the operation. Told again, it
// changes nothing.
func (l *Ledger) RefuseBeforeSend(ctx context.Context, op publication.OperationID, runID string, found publication.Candidate, note string) (Record, error) {
	var rec Record
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		c, err := lock(ctx, tx, op)
		if err != nil {
			return err
		}
		// In any other state the ledger knows better than the one who asks: its record is the answer.
		if c.rec.State == publication.StatePlanned {
			if err := c.refuseBeforeSend(ctx, runID, found, note); err != nil {
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

func (c *change) refuseBeforeSend(ctx context.Context, runID string, found publication.Candidate, note string) error {
	if err := c.voidApprovals(ctx, "the send was refused before it began"); err != nil {
		return err
	}
	seen := c.obstacle(found, note)
	c.rec.Investigation = &seen
	entry := c.stopped(found, runID, note)
	ours := c.lastNotCreated()
	if ours == nil {
		return c.move(ctx, publication.StateRejected, entry)
	}
	entry.Attempt = ours.Number
	if d := c.resolved(ours.Number); d != nil {
		if err := c.void(ctx, d.ID, c.afterwards(found)); err != nil {
			return err
		}
	}
	ours.Outcome, ours.Candidates = publication.OutcomeUnknown, mergeCandidates(ours.Candidates, seen.Candidates)
	if err := c.updateAttempt(ctx, ours); err != nil {
		return err
	}
	return c.move(ctx, publication.StateUnknown, entry)
}

// obstacle is what stands in the way of the send, for the person who looks.
func (c *change) obstacle(found publication.Candidate, note string) publication.Investigation {
	seen := publication.Investigation{At: found.SeenAt, Reading: publication.ReadingAbsent}
	if !c.gone(found) {
		seen.Reading, seen.Candidates = publication.ReadingFound, []publication.Candidate{found}
	}
	switch {
	case note != "":
		seen.Notes = []string{note}
	case c.rec.Base != nil:
		seen.Notes = []string{"conflict: before the send, the content was no longer the one that the change starts from; nothing was sent"}
	default:
		seen.Notes = []string{"found before the send; nothing was sent"}
	}
	return seen
}

// stopped is the journal's entry for it.
func (c *change) stopped(found publication.Candidate, runID, note string) Entry {
	e := Entry{Event: EventSlugTaken, By: Worker, Digest: c.rec.Digest, Detail: map[string]any{"found": found, "run_id": runID}}
	if c.rec.Base != nil {
		e.Event = EventBaseChanged
	}
	if note != "" {
		e.Detail["note"] = note
	}
	return e
}

// gone tells whether what was to be changed is not there any more.
func (c *change) gone(found publication.Candidate) bool { return c.rec.Base != nil && found.ID == "" }

// afterwards says what a person did not know when he decided that an attempt of ours did nothing.
func (c *change) afterwards(found publication.Candidate) string {
	if c.gone(found) {
		return "the content was gone afterwards"
	}
	return "content was found afterwards: " + found.Reference
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
