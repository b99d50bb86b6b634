package ledger

import (
	"context"
	"fmt"
	"slices"

	"postonce/publication"
)

// mergeDecisions adds the decisions that the ledger lacks, and what became of those that it has. Where another one settled
// the same attempt before, the snapshot's is kept as refused.
func (m *merge) mergeDecisions(ctx context.Context) error {
	for _, d := range m.told() {
		if d.ID == "" {
			continue
		}
		take := m.addDecision
		if m.decision(d.ID) != nil {
			take = m.mergeDecision
		}
		if err := take(ctx, d); err != nil {
			return fmt.Errorf("decision %s: %w", d.ID, err)
		}
	}
	return nil
}

// told gives the snapshot's decisions. One that was written before snapshots told what is void shows it by the attempt,
// of which nobody decides "it created nothing" while it is in doubt, and by a later decision on the same attempt: the
// ledger takes a second one only when the first is void.
func (m *merge) told() []publication.Decision {
	decisions := slices.Clone(m.req.Snapshot.Decisions)
	for i := range decisions {
		d := &decisions[i]
		switch {
		case !d.Taken || d.Voided != "" || !resolves(d.Kind):
		case slices.ContainsFunc(decisions[i+1:], func(later publication.Decision) bool {
			return later.Taken && later.Voided == "" && resolves(later.Kind) && later.Attempt == d.Attempt
		}):
			d.Voided = "another decision on the attempt was taken after it"
		case d.Kind == publication.DecisionNotCreated && m.toldOutcome(d.Attempt).MayHaveCreated():
			d.Voided = "the attempt may have created something after all"
		}
	}
	return decisions
}

// toldOutcome is the outcome of one of the snapshot's attempts; empty: it has none of this number.
func (m *merge) toldOutcome(attempt int) publication.Outcome {
	for _, a := range m.req.Snapshot.Attempts {
		if a.Number == attempt {
			return a.Outcome
		}
	}
	return ""
}

func (m *merge) addDecision(ctx context.Context, d publication.Decision) error {
	if earlier := m.resolved(d.Attempt); d.Taken && d.Voided == "" && resolves(d.Kind) && earlier != nil {
		d.Taken, d.Refusal = false, fmt.Sprintf("%s decided %s on attempt %d before (decision %s)", earlier.By, earlier.Kind, d.Attempt, earlier.ID)
	}
	if d.Taken && d.Kind == publication.DecisionNotCreated && d.Digest == "" {
		d.Digest = m.digestOf(d.Attempt)
	}
	if _, err := m.insertDecision(ctx, d); err != nil {
		return err
	}
	entry := decided(d)
	entry.Detail["recorded"] = true
	if !d.Taken {
		entry.Event = EventRefused
	}
	if err := m.journal(ctx, entry); err != nil || !d.Taken || d.Kind != publication.DecisionCancel {
		return err
	}
	return m.takeWithdrawal(ctx, d)
}

// takeWithdrawal makes worthless what allowed a send before somebody withdrew it.
func (m *merge) takeWithdrawal(ctx context.Context, cancel publication.Decision) error {
	for _, d := range slices.Clone(m.decisions) {
		if !d.Taken || d.Voided != "" || !d.Kind.Authorizes() || m.used(d.ID) || d.At.After(cancel.At) {
			continue
		}
		m.voided = true
		if err := m.void(ctx, d.ID, "withdrawn by "+cancel.By); err != nil {
			return err
		}
	}
	return nil
}

// mergeDecision takes what became of a decision: that it is void, or that it was used before the ledger's copy was made
// void because nobody could say.
func (m *merge) mergeDecision(ctx context.Context, d publication.Decision) error {
	row := m.decision(d.ID)
	switch {
	case !row.Taken || !d.Taken:
		return nil
	case row.Voided == "" && d.Voided != "" && !m.used(d.ID):
		return m.takeVoid(ctx, d)
	case row.Voided != "" && d.Voided == "" && m.wasUsed(d):
		return m.revive(ctx, d)
	}
	return nil
}

// takeVoid makes a decision worthless that the ledger still counts. The attempt of which it said that it created nothing
// is in doubt again.
func (m *merge) takeVoid(ctx context.Context, d publication.Decision) error {
	a := m.attempt(d.Attempt)
	if d.Kind == publication.DecisionNotCreated && a != nil && a.Outcome == publication.OutcomeNotCreated && m.mayHaveCreated(0) == nil {
		a.Outcome = publication.OutcomeUnknown
		if err := m.updateAttempt(ctx, a); err != nil {
			return err
		}
	}
	m.voided = true
	return m.void(ctx, d.ID, d.Voided)
}

// wasUsed reports whether the snapshot's later attempt shows that a decision opened it, for an attempt that the ledger has
// in doubt.
func (m *merge) wasUsed(d publication.Decision) bool {
	a := m.attempt(d.Attempt)
	if d.Kind != publication.DecisionNotCreated || m.resolved(d.Attempt) != nil || a == nil || a.Outcome != publication.OutcomeUnknown {
		return false
	}
	return slices.ContainsFunc(m.req.Snapshot.Attempts, func(later publication.Attempt) bool {
		return later.Number > d.Attempt && later.Outcome != publication.OutcomeNotSent
	})
}

// revive lets a decision count again.
func (m *merge) revive(ctx context.Context, d publication.Decision) error {
	if err := m.void(ctx, d.ID, ""); err != nil {
		return err
	}
	return m.journal(ctx, Entry{Event: EventRecorded, By: Worker, Attempt: d.Attempt, Digest: d.Digest,
		Detail: map[string]any{"counts_again": d.ID, "decided_by": d.By}})
}
