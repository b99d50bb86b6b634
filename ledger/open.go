package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// OpenRequest is an intention to be recorded.
type OpenRequest struct {
	Operation  publication.OperationID
	Account    string
	Lane       string
	Payload    publication.Payload
	Base       *publication.Base  // what a change starts from: needed for revise and remove, nil for publish and track
	Digest     publication.Digest // of Payload and Base: publication.DigestOf
	ProposedBy string
	Schedule   *publication.Schedule // when it is to be sent; nil: as soon as it is approved, or at the time that the ledger holds
	// Approval comes with the intention when a person approved it already. Its ID must differ from that of every other
	// run's, since a known ID is taken for the same decision. Nil: the operation waits for one.
	Approval *publication.Decision
	// RunID names the Temporal run, and must stay the same when a workflow is reset (workflow.Info.OriginalRunID).
	RunID string
	// QuietTime is how long TabNews may work on after an abandoned try's time is over; 0: QuietTime.
	QuietTime time.Duration
}

// OpenOperation records the intention, or takes up what is known already, and gives the record as it then is.
//
// A run opens an operation once: asked again, it gets the record and changes nothing, also when the operation was
// rejected since. Another run replaces payload and base of one that waits or was rejected; approvals of another digest
// are void from then on, and a time that comes with the run replaces the one that it had. An operation that is sending, accepted, unknown or abandoned is given back untouched: the
// caller compares State and Digest.
//
// A *GenerationError when a publish is not the first of its slug and the one before it is not known to be gone. A
// *TryError when a change is not the first of its kind and the one before it was not abandoned, or may have an effect yet.
func (l *Ledger) OpenOperation(ctx context.Context, req OpenRequest) (Record, error) {
	if err := req.check(); err != nil {
		return Record{}, fmt.Errorf("ledger: open %s: %w", req.Operation, err)
	}
	var rec Record
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		if err := open(ctx, tx, req); err != nil {
			return err
		}
		var err error
		if rec, err = load(ctx, tx, req.Operation); err != nil {
			return err
		}
		rec.Memory, err = memoryOf(ctx, tx)
		return err
	})
	if err != nil {
		return Record{}, fmt.Errorf("ledger: open: %w", err)
	}
	return rec, nil
}

func (r OpenRequest) check() error {
	switch {
	case r.RunID == "":
		return errors.New("the run ID is missing")
	case r.Approval != nil && r.Approval.ID == "":
		return errors.New("the approval's ID is missing")
	}
	if err := publication.CheckSchedule(r.Operation, r.Schedule); err != nil {
		return err
	}
	return checkContent(r.Operation, r.Payload, r.Base, r.Digest)
}

func open(ctx context.Context, tx pgx.Tx, req OpenRequest) error {
	if req.QuietTime <= 0 {
		req.QuietTime = QuietTime
	}
	isNew, err := insertOperation(ctx, tx, req)
	if err != nil {
		return err
	}
	c, err := lock(ctx, tx, req.Operation)
	if err != nil {
		return err
	}
	if isNew {
		if err := checkGeneration(ctx, tx, req.Operation); err != nil {
			return err
		}
		if err := checkTry(ctx, tx, req.Operation, req.QuietTime); err != nil {
			return err
		}
		if err := c.journal(ctx, proposed(req, "", nil)); err != nil {
			return err
		}
		if req.Schedule != nil {
			if err := c.reschedule(ctx, req.Schedule, req.ProposedBy, map[string]any{"run_id": req.RunID}); err != nil {
				return err
			}
		}
	} else if took, err := c.takeUp(ctx, req); err != nil || !took {
		return err
	}
	return c.authorize(ctx, req.Approval)
}

// insertOperation tells whether the row is new. It waits for another transaction that inserts the same one.
func insertOperation(ctx context.Context, tx pgx.Tx, req OpenRequest) (bool, error) {
	tag, err := tx.Exec(ctx, `
		insert into operations (operation, account, lane, state, payload, base, digest, proposed_by, runs) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		on conflict (operation) do nothing`,
		req.Operation, req.Account, req.Lane, string(publication.StateProposed), string(req.Payload.CanonicalJSON()), baseJSON(req.Base),
		req.Digest, storable(req.ProposedBy), []string{req.RunID})
	return err == nil && tag.RowsAffected() == 1, err
}

// takeUp lets another run go on with an operation that waits or was rejected. False: nothing may change.
func (c *change) takeUp(ctx context.Context, req OpenRequest) (bool, error) {
	if slices.Contains(c.rec.Runs, req.RunID) || !c.rec.State.CanBecome(publication.StateProposed) {
		return false, nil
	}
	c.rec.Runs = append(c.rec.Runs, req.RunID)
	c.rec.Lane = req.Lane
	before := c.rec.Digest
	if err := c.takeUpSchedule(ctx, req, c.rec.State == publication.StateRejected); err != nil {
		return false, err
	}
	if req.Approval == nil {
		// Somebody proposes it anew and leaves the approval to a person: one that an earlier run never used is not meant.
		if err := c.voidApprovals(ctx, "another run proposed it anew"); err != nil {
			return false, err
		}
	}
	if before == req.Digest && c.rec.State != publication.StateRejected {
		if c.rec.State == publication.StatePlanned && c.usable(before) == nil && req.Approval == nil {
			return true, c.move(ctx, publication.StateProposed, proposed(req, "", nil))
		}
		return true, c.save(ctx)
	}
	c.rec.Payload, c.rec.Base, c.rec.Digest, c.rec.ProposedBy = req.Payload, req.Base, req.Digest, req.ProposedBy
	c.rec.LocalRecord, c.rec.Investigation = publication.LocalPending, nil
	if err := c.voidUnused(ctx, req.Digest, "another payload replaced the one it allowed"); err != nil {
		return false, err
	}
	return true, c.move(ctx, publication.StateProposed, proposed(req, "", map[string]any{"replaces": before}))
}

func proposed(req OpenRequest, from publication.State, detail map[string]any) Entry {
	if detail == nil {
		detail = map[string]any{}
	}
	detail["run_id"] = req.RunID
	return Entry{Event: EventProposed, By: req.ProposedBy, Digest: req.Digest, From: from, To: publication.StateProposed, Detail: detail}
}

// authorize plans a proposed operation, with an unused approval of the same payload or with the one that comes along.
func (c *change) authorize(ctx context.Context, approval *publication.Decision) error {
	if d := c.usable(c.rec.Digest); d != nil && c.rec.State == publication.StateProposed {
		// The decision itself was told before.
		entry := Entry{Event: EventApproved, By: d.By, Attempt: d.Attempt, Digest: d.Digest, Detail: map[string]any{"allowed_by": d.ID}}
		if err := c.move(ctx, publication.StatePlanned, entry); err != nil {
			return err
		}
	}
	if approval == nil || c.decision(approval.ID) != nil {
		return nil
	}
	d := *approval
	d.Kind, d.Taken, d.Refusal = publication.DecisionApprove, true, ""
	_, err := c.decide(ctx, d, nil, "")
	return err
}
