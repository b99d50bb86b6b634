package ledger

import (
	"context"
	"slices"

	"postonce/publication"
)

// usable gives the oldest decision that allows an attempt to send this digest and is not used up, or nil. An attempt
// that is proven unsent gives its decision back.
func (c *change) usable(digest publication.Digest) *decisionRow {
	for i := range c.decisions {
		d := &c.decisions[i]
		if d.Taken && d.Voided == "" && d.Kind.Authorizes() && d.Digest == digest && !c.used(d.ID) {
			return d
		}
	}
	return nil
}

func (c *change) used(decisionID string) bool {
	return slices.ContainsFunc(c.attempts, func(a attemptRow) bool {
		return a.authorizationID == decisionID && a.Outcome != publication.OutcomeNotSent
	})
}

// resolved gives the decision that settled an unknown attempt, or nil.
func (c *change) resolved(attempt int) *decisionRow {
	for i := range c.decisions {
		d := &c.decisions[i]
		if d.Taken && d.Voided == "" && d.Attempt == attempt && resolves(d.Kind) {
			return d
		}
	}
	return nil
}

func resolves(k publication.DecisionKind) bool {
	return k == publication.DecisionAdopt || k == publication.DecisionNotCreated || k == publication.DecisionAbandon
}

// voidUnused makes every unused authorization of another digest worthless for good: it allowed exact bytes, and
// somebody has changed his mind about them since.
func (c *change) voidUnused(ctx context.Context, current publication.Digest, why string) error {
	for _, d := range slices.Clone(c.decisions) {
		if d.Taken && d.Voided == "" && d.Kind.Authorizes() && d.Digest != current && !c.used(d.ID) {
			if err := c.void(ctx, d.ID, why); err != nil {
				return err
			}
		}
	}
	return nil
}

// voidApprovals makes every unused approval worthless. A decision that an attempt created nothing stays: it opened the
// next one.
func (c *change) voidApprovals(ctx context.Context, why string) error {
	for _, d := range slices.Clone(c.decisions) {
		if d.Taken && d.Voided == "" && d.Kind == publication.DecisionApprove && !c.used(d.ID) {
			if err := c.void(ctx, d.ID, why); err != nil {
				return err
			}
		}
	}
	return nil
}

// voidAll makes worthless for good whatever still allows a send.
func (c *change) voidAll(ctx context.Context, why string) error {
	for _, d := range slices.Clone(c.decisions) {
		if d.Taken && d.Voided == "" && d.Kind.Authorizes() && !c.used(d.ID) {
			if err := c.void(ctx, d.ID, why); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *change) void(ctx context.Context, decisionID, why string) error {
	_, err := c.tx.Exec(ctx, `update decisions set voided = $3 where operation = $1 and id = $2`, c.rec.Operation, decisionID, storable(why))
	if err != nil {
		return err
	}
	return c.reloadDecisions(ctx)
}

// insertDecision stores a decision as it is and gives it back as it was stored. A decision without time gets the
// database's.
func (c *change) insertDecision(ctx context.Context, d publication.Decision) (publication.Decision, error) {
	var kind any
	if slices.Contains(publication.DecisionKinds(), d.Kind) {
		kind = string(d.Kind)
	}
	_, err := c.tx.Exec(ctx, `
		insert into decisions (operation, id, kind, signal, by, attempt, digest, reference, accept_divergence, reason, at, taken, refusal, schedule, voided)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11, clock_timestamp()), $12, $13, $14, $15)`,
		c.rec.Operation, d.ID, kind, storable(d.Signal), storable(d.By), orNull(d.Attempt), orNull(storable(string(d.Digest))), storable(d.Reference),
		d.AcceptDivergence, storable(d.Reason), orNull(d.At), d.Taken, storable(d.Refusal), d.Schedule, storable(d.Voided))
	if err != nil {
		return d, err
	}
	if err := c.reloadDecisions(ctx); err != nil {
		return d, err
	}
	return c.decision(d.ID).Decision, nil
}

// decision gives the decision's row, or nil.
func (c *change) decision(id string) *decisionRow {
	for i := range c.decisions {
		if c.decisions[i].ID == id {
			return &c.decisions[i]
		}
	}
	return nil
}

func (c *change) reloadDecisions(ctx context.Context) (err error) {
	c.wrote = true
	c.decisions, err = loadDecisions(ctx, c.tx, c.rec.Operation)
	return err
}
