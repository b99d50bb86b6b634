package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// Decide stores a person's decision and does what it decides, all or nothing. A decision that comes as refused (Taken
// is false) is stored with its reason. One that comes as taken is judged here: it comes back with Taken false and a
// Refusal when the state, the digest or an earlier decision on the same attempt forbids it. Asked again with the same
// ID, the stored decision comes back and nothing changes.
//
// Adopt needs the identity that was read, and how its content compared with the payload; the others take nil and "".
func (l *Ledger) Decide(ctx context.Context, op publication.OperationID, d publication.Decision, identity *publication.Identity, verification publication.Verification) (publication.Decision, error) {
	if d.ID == "" {
		return d, errors.New("ledger: decide: the decision's ID is missing")
	}
	err := l.change(ctx, op, func(ctx context.Context, c *change) (err error) {
		if stored := c.decision(d.ID); stored != nil {
			d = stored.Decision
			return errNoChange
		}
		d, err = c.decide(ctx, d, identity, verification)
		return err
	})
	if err != nil {
		return d, fmt.Errorf("ledger: decide: %w", err)
	}
	return d, nil
}

// decide judges, stores and applies a decision whose ID is new.
func (c *change) decide(ctx context.Context, d publication.Decision, identity *publication.Identity, verification publication.Verification) (publication.Decision, error) {
	if d.Taken {
		d.Refusal = c.refusal(d, identity)
		if d.Refusal == "" && d.Kind == publication.DecisionAdopt {
			var err error
			if d.Refusal, err = c.heldElsewhere(ctx, identity); err != nil {
				return d, err
			}
		}
		d.Taken = d.Refusal == ""
	} else if d.Refusal == "" {
		d.Refusal = "no reason was given"
	}
	if a := c.attempt(d.Attempt); a != nil && d.Taken && d.Kind == publication.DecisionNotCreated {
		d.Digest = a.Digest // it allows one attempt to send the same bytes again
	}
	d, err := c.insertDecision(ctx, d)
	if err != nil {
		return d, err
	}
	if !d.Taken {
		e := decided(d)
		e.Event = EventRefused
		return d, c.journal(ctx, e)
	}
	return d, c.apply(ctx, d, identity, verification)
}

// refusal says why a decision cannot be taken, and the way out; empty when it can.
func (c *change) refusal(d publication.Decision, identity *publication.Identity) string {
	switch {
	case strings.TrimSpace(storable(d.By)) == "":
		return "it names nobody; say who decides"
	case d.Kind == publication.DecisionApprove:
		return c.approvalRefusal(d)
	case resolves(d.Kind):
		return c.resolveRefusal(d, identity)
	case d.Kind == publication.DecisionProbe:
		return c.probeRefusal(d)
	case d.Kind == publication.DecisionRecheck:
		return ""
	case d.Kind == publication.DecisionReschedule:
		return c.rescheduleRefusal(d)
	case d.Kind == publication.DecisionCancel:
		return c.cancelRefusal()
	}
	return fmt.Sprintf("%q is no decision; it must be approve, adopt, not_created, abandon, probe, recheck, reschedule or cancel", publication.Clip(string(d.Kind), 40))
}

func (c *change) approvalRefusal(d publication.Decision) string {
	unused := c.usable(c.rec.Digest)
	switch state := c.rec.State; {
	case state != publication.StateProposed && state != publication.StatePlanned:
		return fmt.Sprintf("the operation is %s; next safe action: %s", state, state.NextSafeAction())
	case d.Digest != c.rec.Digest:
		return fmt.Sprintf("it approves %s, and the payload that waits is %s; look at the preview and approve that", publication.Clip(string(d.Digest), 80), c.rec.Digest)
	case unused != nil:
		return fmt.Sprintf("%s approved it already; an approval allows one attempt, and that one is not used yet", unused.By)
	}
	return ""
}

func (c *change) resolveRefusal(d publication.Decision, identity *publication.Identity) string {
	a, earlier := c.attempt(d.Attempt), c.resolved(d.Attempt)
	switch {
	case a == nil:
		return fmt.Sprintf("there is no attempt %d; look at the status", d.Attempt)
	case earlier != nil:
		return fmt.Sprintf("%s decided %s on attempt %d before (decision %s); the first decision on an attempt holds", earlier.By, earlier.Kind, d.Attempt, earlier.ID)
	case c.keepsAsItStands(d, a):
		return ""
	case c.rec.State != publication.StateUnknown || a.Outcome != publication.OutcomeUnknown:
		return fmt.Sprintf("attempt %d is %s and the operation is %s; only an unknown attempt can be resolved", d.Attempt, a.Outcome, c.rec.State)
	case d.Kind == publication.DecisionAdopt && identity == nil:
		return "nothing was read that could be adopted; give the reference of the content"
	}
	return ""
}

// probeRefusal: a probe asks TabNews about an attempt of which nobody knows what it did. It decides nothing, and may
// be ordered again.
func (c *change) probeRefusal(d publication.Decision) string {
	switch a := c.attempt(d.Attempt); {
	case a == nil:
		return fmt.Sprintf("there is no attempt %d; look at the status", d.Attempt)
	case c.rec.State != publication.StateUnknown || a.Outcome != publication.OutcomeUnknown:
		return fmt.Sprintf("attempt %d is %s and the operation is %s; only an unknown attempt is probed", d.Attempt, a.Outcome, c.rec.State)
	}
	return ""
}

// heldElsewhere refuses to adopt content that another publication created: one content belongs to one of them.
func (c *change) heldElsewhere(ctx context.Context, identity *publication.Identity) (string, error) {
	if identity == nil || c.rec.Operation.Kind() != publication.KindPublish {
		return "", nil
	}
	var other string
	err := c.tx.QueryRow(ctx, `select operation from operations
		where identity->>'id' = $1 and operation <> $2 and operation like 'publish/%' and state = 'accepted' limit 1`,
		identity.ID, c.rec.Operation).Scan(&other)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return fmt.Sprintf("%s (id %s) was created by %s already; it is not what this attempt created", identity.Reference(), identity.ID, other), err
}

// keepsAsItStands: a person adopts what was accepted already, in spite of its divergence. It changes no state.
func (c *change) keepsAsItStands(d publication.Decision, a *attemptRow) bool {
	return d.Kind == publication.DecisionAdopt && d.AcceptDivergence && c.rec.State == publication.StateAccepted && a.Outcome == publication.OutcomeAccepted
}

// apply does what a taken decision decides.
func (c *change) apply(ctx context.Context, d publication.Decision, identity *publication.Identity, verification publication.Verification) error {
	switch d.Kind {
	case publication.DecisionApprove:
		return c.move(ctx, publication.StatePlanned, approved(d))
	case publication.DecisionAdopt:
		if c.rec.State == publication.StateAccepted {
			return c.journal(ctx, decided(d))
		}
		return c.accept(ctx, d.Attempt, acceptance{*identity, verification, nil, decided(d)})
	case publication.DecisionNotCreated:
		a := c.attempt(d.Attempt)
		a.Outcome = publication.OutcomeNotCreated
		if err := c.updateAttempt(ctx, a); err != nil {
			return err
		}
		c.rec.Schedule = nil // the person who decides it means now
		return c.move(ctx, publication.StatePlanned, decided(d))
	case publication.DecisionAbandon:
		return c.move(ctx, publication.StateAbandoned, decided(d))
	case publication.DecisionReschedule:
		return c.applyReschedule(ctx, d)
	case publication.DecisionCancel:
		return c.applyCancel(ctx, d)
	default:
		return c.journal(ctx, decided(d))
	}
}

func approved(d publication.Decision) Entry {
	e := decided(d)
	e.Event = EventApproved
	return e
}

func decided(d publication.Decision) Entry {
	return Entry{Event: EventDecided, By: d.By, Attempt: d.Attempt, Digest: d.Digest, Detail: map[string]any{"decision": d}}
}
