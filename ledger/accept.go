package ledger

import (
	"context"
	"fmt"

	"postonce/publication"
)

// acceptance is the knowledge that an attempt created content, and where it comes from.
type acceptance struct {
	identity     publication.Identity
	verification publication.Verification // empty: not read back yet
	evidence     *publication.Evidence
	entry        Entry
}

// accept puts an identity on an attempt, whatever was thought of it before, and on the operation. An identity that
// reached us is kept even where it comes too late to change the state.
func (c *change) accept(ctx context.Context, number int, k acceptance) error {
	a := c.attempt(number)
	if other := c.mayHaveCreated(number); other != nil {
		return c.keepAsConflict(ctx, other.Number, k)
	}
	if d := c.resolved(number); d != nil && d.Kind == publication.DecisionNotCreated {
		if err := c.void(ctx, d.ID, "TabNews' answer came later: the attempt created "+k.identity.Reference().String()); err != nil {
			return err
		}
	}
	if a.Outcome == publication.OutcomeNotSent && c.used(a.authorizationID) {
		a.authorizationID = "" // it was given back, and another attempt has used it since
	}
	a.Outcome, a.Identity = publication.OutcomeAccepted, &k.identity
	if a.Evidence == nil {
		a.Evidence = k.evidence
	}
	if err := c.updateAttempt(ctx, a); err != nil {
		return err
	}
	if c.rec.State == publication.StateAbandoned || c.rec.State == publication.StateAccepted {
		return c.journal(ctx, k.entry)
	}
	if err := c.approach(ctx, publication.StateAccepted, k.entry); err != nil {
		return err
	}
	c.rec.Identity, c.rec.RemoteStatus = &k.identity, k.identity.Status
	c.rec.Verification = verificationOf(k)
	return c.move(ctx, publication.StateAccepted, k.entry)
}

func verificationOf(k acceptance) publication.Verification {
	switch {
	case k.verification != "":
		return k.verification
	case k.identity.Status == publication.StatusDraft:
		return publication.VerificationNotApplicable
	}
	return publication.VerificationPending
}

// keepAsConflict notes an identity that says that two attempts may have created content. The database refuses to hold
// both as such; the journal keeps the fact.
func (c *change) keepAsConflict(ctx context.Context, other int, k acceptance) error {
	k.entry.Detail = map[string]any{"conflict": fmt.Sprintf("attempt %d may have created content too", other), "identity": k.identity, "evidence": k.evidence}
	c.verdict = fmt.Errorf("attempt %d of %s created %s, and attempt %d may have created content too; look at both: %w",
		k.entry.Attempt, c.rec.Operation, k.identity.Reference(), other, ErrConflict)
	return c.journalOnce(ctx, k.entry)
}
