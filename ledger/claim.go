package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"postonce/publication"
)

// ClaimRequest asks for the right to send one attempt.
type ClaimRequest struct {
	Operation publication.OperationID
	Attempt   int // the next number
	Digest    publication.Digest
	Lane      string
	Token     string // the fence, unique for every try of the activity; Finish must show it
	RunID     string
	Memory    string // the ledger's when the run opened the operation; empty: not known
	Pace
	SendTimeout time.Duration // SendBy is this long after the claim
	// Patience is how long the caller itself waits for its turn; Lead is how long before its turn it asks again when it
	// has to go and come back.
	Patience, Lead time.Duration
}

// ClaimResult says whether the attempt may be sent; unless Claimed, no attempt was written and nothing may be sent.
type ClaimResult struct {
	Claimed bool
	// SendBy is on PostgreSQL's clock. A sender whose clock may differ has a stricter limit of its own: SendTimeout after
	// the moment before it called Claim, on its monotonic clock.
	SendBy     time.Time
	ApprovedBy string               // who allowed the attempt
	NotBefore  time.Duration        // above zero: too early, for its schedule or for the lane, in whose queue it then holds a place; ask again after it
	Turn       time.Duration        // with NotBefore: when the turn is expected, from now
	Waiting    Waiting              // with NotBefore: for what
	Existing   *publication.Attempt // the number was claimed or given up before
	Refusal    string               // why the operation may not be sent
	// BlockedBy comes with a Refusal: another operation of the reference whose outcome is unknown, and which a person must
	// decide before anything else is sent there.
	BlockedBy publication.OperationID
}

// Claim takes an attempt in one transaction: no later claim of the same number, of another number while this one may
// have created content, with the same authorization, or of another operation on the same reference before this one is
// settled can succeed.
//
// An error is proof that nothing was claimed, unless it is a *ClaimUncertainError.
func (l *Ledger) Claim(ctx context.Context, req ClaimRequest) (ClaimResult, error) {
	if err := req.check(); err != nil {
		return ClaimResult{}, fmt.Errorf("ledger: claim attempt %d of %s: %w", req.Attempt, req.Operation, err)
	}
	var result ClaimResult
	err := l.change(ctx, req.Operation, func(ctx context.Context, c *change) (err error) {
		result, err = c.claim(ctx, req)
		return err
	})
	var commit *commitError
	switch {
	case err == nil:
		return result, nil
	case result.Claimed && errors.As(err, &commit) && commitUncertain(commit.err):
		return ClaimResult{}, &ClaimUncertainError{req.Operation, req.Attempt, err}
	}
	return ClaimResult{}, fmt.Errorf("ledger: claim attempt %d: %w", req.Attempt, err)
}

func (r ClaimRequest) check() error {
	switch {
	case r.Attempt < 1:
		return errors.New("attempts are numbered from 1")
	case r.Token == "" || r.Lane == "":
		return errors.New("the token or the lane is missing")
	case r.SendTimeout <= 0 || r.Interval < 0 || r.Window < 0 || r.Limit < 0:
		return fmt.Errorf("a send timeout of %s, an interval of %s, a window of %s and a limit of %d cannot be", r.SendTimeout, r.Interval, r.Window, r.Limit)
	}
	return nil
}

// claim asks the operation, then its reference, then the lane, so that nobody waits in a lane for an operation that may
// not go. Every claim locks them in this order, which excludes deadlocks.
func (c *change) claim(ctx context.Context, req ClaimRequest) (ClaimResult, error) {
	if unbroken, err := remembers(ctx, c.tx, req.Memory); err != nil {
		return ClaimResult{}, err
	} else if !unbroken {
		return ClaimResult{Refusal: "the ledger was restored or rebuilt since the run opened the operation; what both know is compared first"}, errNoChange
	}
	if a := c.attempt(req.Attempt); a != nil {
		return ClaimResult{Existing: &a.Attempt}, errNoChange
	}
	if refusal := c.claimRefusal(req); refusal != "" {
		return ClaimResult{Refusal: refusal}, errNoChange
	}
	if refused, err := c.otherWriter(ctx, req.QuietTime); err != nil {
		return ClaimResult{}, err
	} else if refused.Refusal != "" {
		return refused, errNoChange
	}
	if early, refusal, err := c.untimely(ctx); err != nil {
		return ClaimResult{}, err
	} else if refusal != "" || early > 0 {
		return ClaimResult{Refusal: refusal, NotBefore: early, Turn: early}, errNoChange
	}
	turn, err := c.takeTurn(ctx, req)
	if err != nil {
		return ClaimResult{}, err
	}
	if turn.ask > 0 {
		return ClaimResult{NotBefore: turn.ask, Turn: turn.wait, Waiting: turn.why}, nil
	}
	start := turn.start
	allowed, sendBy := c.usable(req.Digest), start.Add(req.SendTimeout)
	until := sendBy.Add(req.QuietTime)
	err = c.insertAttempt(ctx, attemptRow{
		Attempt: publication.Attempt{Number: req.Attempt, Outcome: publication.OutcomeSending, Digest: req.Digest,
			ApprovedBy: allowed.By, RunID: req.RunID, ClaimedAt: &start, SendBy: &sendBy},
		token: req.Token, authorizationID: allowed.ID, lane: req.Lane, mayCreateUntil: &until,
	})
	if err != nil {
		return ClaimResult{}, err
	}
	err = c.move(ctx, publication.StateSending, Entry{Event: EventClaimed, By: Worker, Attempt: req.Attempt, Digest: req.Digest,
		Detail: map[string]any{"run_id": req.RunID, "lane": req.Lane, "allowed_by": allowed.ID, "send_by": sendBy}})
	return ClaimResult{Claimed: true, SendBy: sendBy, ApprovedBy: allowed.By}, err
}

func (c *change) claimRefusal(req ClaimRequest) string {
	switch next := len(c.attempts) + 1; {
	case c.rec.Operation.Kind() == publication.KindTrack:
		return "it takes up what exists, and sends nothing"
	case c.rec.State != publication.StatePlanned:
		return fmt.Sprintf("the operation is %s; next safe action: %s", c.rec.State, c.rec.State.NextSafeAction())
	case c.rec.Digest != req.Digest:
		return fmt.Sprintf("the payload that waits is %s, not %s", c.rec.Digest, req.Digest)
	case c.usable(req.Digest) == nil:
		return "no unused approval of this payload; a person must approve it"
	case req.Attempt != next:
		return fmt.Sprintf("the next attempt is number %d, not %d", next, req.Attempt)
	}
	return ""
}
