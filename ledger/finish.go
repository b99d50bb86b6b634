package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"postonce/publication"
)

// FinishRequest tells how an attempt ended.
type FinishRequest struct {
	Operation publication.OperationID
	Attempt   int
	Token     string // the claim's
	Outcome   publication.Outcome
	Identity  *publication.Identity // with accepted
	Evidence  *publication.Evidence
	Pause     time.Duration // of the lane, should the firewall have refused; 0: DefaultPause
}

// Finish writes an attempt's outcome; the operation's state follows. Told again, it changes nothing. ErrToken when the
// attempt was not claimed with this token; ErrConflict when another outcome is known and this one adds nothing.
//
// An acceptance always adds knowledge: it also replaces unknown, not_created and not_sent.
func (l *Ledger) Finish(ctx context.Context, req FinishRequest) error {
	if err := req.check(); err != nil {
		return fmt.Errorf("ledger: finish attempt %d of %s: %w", req.Attempt, req.Operation, err)
	}
	err := l.change(ctx, req.Operation, func(ctx context.Context, c *change) error {
		c.pause = req.Pause
		a := c.attempt(req.Attempt)
		switch {
		case a == nil:
			return fmt.Errorf("attempt %d of %s: %w", req.Attempt, req.Operation, ErrNotFound)
		case a.token != req.Token:
			return fmt.Errorf("attempt %d of %s: %w", req.Attempt, req.Operation, ErrToken)
		}
		return c.conclude(ctx, req.Attempt, conclusion{req.Outcome, req.Identity, req.Evidence, EventAnswered})
	})
	if err != nil {
		return fmt.Errorf("ledger: finish attempt %d: %w", req.Attempt, err)
	}
	return nil
}

func (r FinishRequest) check() error {
	switch {
	case r.Token == "":
		return errors.New("the token is missing")
	case r.Outcome == publication.OutcomeSending || r.Outcome == publication.OutcomeNotCreated || !r.Outcome.Valid():
		return fmt.Errorf("%q is no end of a send", r.Outcome)
	case (r.Outcome == publication.OutcomeAccepted) != (r.Identity != nil):
		return errors.New("an identity comes with accepted, and with nothing else; a doubtful one belongs into the evidence as hint")
	}
	return nil
}

// conclusion is what became known of an attempt's end.
type conclusion struct {
	outcome  publication.Outcome
	identity *publication.Identity
	evidence *publication.Evidence
	event    Event
}

// stateAfter is the operation's state after an attempt ended so.
var stateAfter = map[publication.Outcome]publication.State{
	publication.OutcomeRejected: publication.StateRejected,
	publication.OutcomeUnknown:  publication.StateUnknown,
	publication.OutcomeNotSent:  publication.StatePlanned, // its authorization is given back
}

func (c *change) conclude(ctx context.Context, number int, k conclusion) error {
	a := c.attempt(number)
	entry := Entry{Event: k.event, By: Worker, Attempt: number, Digest: a.Digest,
		Detail: map[string]any{"outcome": k.outcome, "identity": k.identity, "evidence": k.evidence}}
	switch {
	case a.Outcome == k.outcome:
		return c.repeat(ctx, a, k, entry)
	case k.outcome == publication.OutcomeAccepted && a.Outcome != publication.OutcomeRejected:
		if err := c.noteSent(ctx, a, k.outcome, k.evidence); err != nil {
			return err
		}
		return c.accept(ctx, number, acceptance{*k.identity, "", k.evidence, entry})
	case a.Outcome != publication.OutcomeSending:
		c.verdict = fmt.Errorf("attempt %d of %s is %s, it cannot become %s: %w", number, c.rec.Operation, a.Outcome, k.outcome, ErrConflict)
		return c.addEvidence(ctx, a, k, entry)
	}
	if err := c.noteSent(ctx, a, k.outcome, k.evidence); err != nil {
		return err
	}
	a.Outcome, a.Evidence = k.outcome, k.evidence
	if err := c.updateAttempt(ctx, a); err != nil {
		return err
	}
	if err := c.move(ctx, stateAfter[k.outcome], entry); err != nil {
		return err
	}
	return c.incident(ctx, number, k)
}

// repeat takes an outcome that is known already.
func (c *change) repeat(ctx context.Context, a *attemptRow, k conclusion, entry Entry) error {
	if k.identity != nil && a.Identity.ID != k.identity.ID {
		c.verdict = fmt.Errorf("attempt %d of %s created %s (%s), not %s (%s): %w", a.Number, c.rec.Operation,
			a.Identity.Reference(), a.Identity.ID, k.identity.Reference(), k.identity.ID, ErrConflict)
		return c.journalOnce(ctx, entry)
	}
	return c.addEvidence(ctx, a, k, entry)
}

// addEvidence keeps the first evidence of an attempt: a late one helps a person who has to judge, whatever it says.
func (c *change) addEvidence(ctx context.Context, a *attemptRow, k conclusion, entry Entry) error {
	if a.Evidence != nil || k.evidence == nil {
		return nil
	}
	a.Evidence = k.evidence
	if err := c.updateAttempt(ctx, a); err != nil {
		return err
	}
	return c.journal(ctx, entry)
}
