package ledger

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// agrees holds that an operation does not contradict itself: the account is its ID's, and its state and identity are those
// of its attempts.
func (c *change) agrees() error {
	if account := c.rec.Operation.Account(); c.rec.Account != account {
		return fmt.Errorf("account: it is %s, and the ID says %s", c.rec.Account, account)
	}
	for _, a := range c.attempts {
		if !statesOf(a.Outcome, c.rec.State) {
			return fmt.Errorf("attempt %d: it is %s, and the operation is %s, which cannot be", a.Number, a.Outcome, c.rec.State)
		}
		if a.Outcome == publication.OutcomeAccepted && c.rec.Identity != nil && !sameContent(*a.Identity, *c.rec.Identity) {
			return fmt.Errorf("identity: the operation's is %s (id %s), and attempt %d says %s (id %s)",
				c.rec.Identity.Reference(), c.rec.Identity.ID, a.Number, a.Identity.Reference(), a.Identity.ID)
		}
	}
	return c.hasItsAttempt()
}

// statesOf reports whether an operation with an attempt that ended so can be in a state. What ended without an effect
// leaves every state possible.
func statesOf(o publication.Outcome, state publication.State) bool {
	switch o {
	case publication.OutcomeSending:
		return state == publication.StateSending || state == publication.StateAbandoned || state == publication.StateAccepted
	case publication.OutcomeUnknown, publication.OutcomeAccepted:
		return state == publication.StateUnknown && o == publication.OutcomeUnknown || state == publication.StateAbandoned || state == publication.StateAccepted
	}
	return true
}

// hasItsAttempt holds that what is in doubt or being sent has the attempt of which that is so.
func (c *change) hasItsAttempt() error {
	want := map[publication.State]publication.Outcome{publication.StateSending: publication.OutcomeSending, publication.StateUnknown: publication.OutcomeUnknown}
	outcome, needed := want[c.rec.State]
	if needed && !slices.ContainsFunc(c.attempts, func(a attemptRow) bool { return a.Outcome == outcome }) {
		return fmt.Errorf("attempts: the operation is %s, and none of them is %s", c.rec.State, outcome)
	}
	return nil
}

func sameContent(a, b publication.Identity) bool {
	return a.ID == b.ID && a.OwnerUsername == b.OwnerUsername && a.Slug == b.Slug
}

// checkJournal holds that every attempt that the journal tells of is there, and that each sent a payload that the
// operation has, or once had.
func (i *importing) checkJournal(ctx context.Context, c *change) error {
	rows, err := i.tx.Query(ctx, `select distinct attempt from journal where operation = $1 and attempt is not null
		and event in ('claimed', 'answered', 'settled', 'recorded')`, c.rec.Operation)
	if err != nil {
		return err
	}
	told, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return err
	}
	for _, number := range told {
		if c.attempt(number) == nil {
			return fmt.Errorf("attempts: the journal tells of attempt %d, and it is not there", number)
		}
	}
	rows, err = i.tx.Query(ctx, `select distinct digest from journal where operation = $1 and digest is not null`, c.rec.Operation)
	if err != nil {
		return err
	}
	digests, err := pgx.CollectRows(rows, pgx.RowTo[publication.Digest])
	if err != nil {
		return err
	}
	for _, a := range c.attempts {
		if a.Digest != c.rec.Digest && !slices.Contains(digests, a.Digest) {
			return fmt.Errorf("attempt %d: digest: the operation never had the payload %s", a.Number, a.Digest)
		}
	}
	return nil
}
