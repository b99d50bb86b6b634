package ledger

import (
	"context"
	"fmt"
	"time"

	"postonce/publication"
)

// SettleGrace is how long after an attempt's deadline its sender may still be telling how it ended.
const SettleGrace = 2 * time.Second

// SettleRequest asks what became of an attempt whose sender did not say, or said that it sent nothing.
type SettleRequest struct {
	Operation publication.OperationID
	Attempt   int
	Digest    publication.Digest
	RunID     string
	// Memory is the ledger's when the run opened the operation. Empty: not known, and taken for unbroken.
	Memory string
	// Known: the run knows that the attempt was claimed. That it is missing proves then that the ledger forgot it.
	Known bool
	// Identity is what the sender's heartbeat told, or nil.
	Identity *publication.Identity
	// NotSentToken is the claim's token of a sender that testifies that nothing left; empty: nobody does.
	NotSentToken string
	Evidence     *publication.Evidence
	Grace        time.Duration // 0: SettleGrace
}

// SettleResult is what is known of the attempt.
type SettleResult struct {
	Attempt publication.Attempt
	// InFlight above zero: the attempt may still be on the wire, and nothing was changed; ask again after it.
	InFlight time.Duration
}

// Settle settles an attempt's end without its sender. An attempt that nobody claimed becomes a tombstone, so that a
// late sender cannot claim it any more: it is proven not sent. One that was claimed is accepted when its identity is
// known, not sent when its own claimant says so, in flight until its deadline and a grace, and unknown after.
//
// ErrNotFound, about an operation that was opened, says that the ledger lost its memory: then nothing is proven. It is
// also the answer about an attempt that a ledger with another memory lacks, unless its own sender testifies.
func (l *Ledger) Settle(ctx context.Context, req SettleRequest) (SettleResult, error) {
	if req.Grace <= 0 {
		req.Grace = SettleGrace
	}
	var result SettleResult
	err := l.change(ctx, req.Operation, func(ctx context.Context, c *change) (err error) {
		if result.InFlight, err = c.settle(ctx, req); err != nil {
			return err
		}
		result.Attempt = c.attempt(req.Attempt).Attempt
		return nil
	})
	if err != nil {
		return result, fmt.Errorf("ledger: settle attempt %d: %w", req.Attempt, err)
	}
	return result, nil
}

func (c *change) settle(ctx context.Context, req SettleRequest) (inFlight time.Duration, err error) {
	if c.attempt(req.Attempt) == nil {
		if err := c.mayBury(ctx, req); err != nil {
			return 0, err
		}
		if err := c.bury(ctx, req); err != nil {
			return 0, err
		}
	}
	a := c.attempt(req.Attempt)
	switch {
	case req.Identity != nil && a.Outcome != publication.OutcomeAccepted:
		return 0, c.conclude(ctx, req.Attempt, conclusion{publication.OutcomeAccepted, req.Identity, req.Evidence, EventSettled})
	case a.Outcome != publication.OutcomeSending:
		return 0, nil
	case a.token == req.NotSentToken:
		return 0, c.conclude(ctx, req.Attempt, conclusion{publication.OutcomeNotSent, nil, req.Evidence, EventSettled})
	}
	if inFlight, err = c.untilSettled(ctx, req); err != nil || inFlight > 0 {
		return inFlight, err
	}
	return 0, c.conclude(ctx, req.Attempt, conclusion{publication.OutcomeUnknown, nil, evidenceOfSilence(req), EventSettled})
}

// mayBury refuses to take a missing row for a proof when it may have been there, since the memory was broken after the
// operation was opened, and when it was there.
func (c *change) mayBury(ctx context.Context, req SettleRequest) error {
	if req.NotSentToken != "" {
		return nil
	}
	unbroken, err := remembers(ctx, c.tx, req.Memory)
	if err == nil && (!unbroken || req.Known) {
		err = fmt.Errorf("attempt %d of %s: the ledger was restored or rebuilt since the operation was opened, so that it is missing proves nothing: %w",
			req.Attempt, req.Operation, ErrNotFound)
	}
	return err
}

// bury inserts a tombstone. A claim of the same number that is not committed yet holds the operation's lock, so it is
// seen here or never happens.
func (c *change) bury(ctx context.Context, req SettleRequest) error {
	if next := len(c.attempts) + 1; req.Attempt != next {
		return fmt.Errorf("the next attempt of %s is number %d: %w", req.Operation, next, ErrConflict)
	}
	err := c.insertAttempt(ctx, attemptRow{Attempt: publication.Attempt{Number: req.Attempt, Outcome: publication.OutcomeNotSent,
		Digest: req.Digest, RunID: req.RunID, Evidence: req.Evidence}})
	if err != nil {
		return err
	}
	return c.journal(ctx, Entry{Event: EventSettled, By: Worker, Attempt: req.Attempt, Digest: req.Digest,
		Detail: map[string]any{"outcome": publication.OutcomeNotSent, "tombstone": true, "run_id": req.RunID, "evidence": req.Evidence}})
}

// untilSettled gives the time until the attempt's deadline and grace have passed, on PostgreSQL's clock.
func (c *change) untilSettled(ctx context.Context, req SettleRequest) (left time.Duration, err error) {
	err = c.tx.QueryRow(ctx, `select greatest(send_by + $3 - clock_timestamp(), interval '0') from attempts where operation = $1 and number = $2`,
		req.Operation, req.Attempt, req.Grace).Scan(&left)
	return left, err
}

func evidenceOfSilence(req SettleRequest) *publication.Evidence {
	if req.Evidence != nil {
		return req.Evidence
	}
	return &publication.Evidence{Summary: "the sender did not say how the attempt ended, and its time is over: it may have created content"}
}
