package ledger

import (
	"context"
	"fmt"
	"slices"

	"postonce/publication"
)

// digestOf gives the digest that an attempt of the snapshot sent.
func (m *merge) digestOf(attempt int) publication.Digest {
	for _, a := range m.req.Snapshot.Attempts {
		if a.Number == attempt {
			return a.Digest
		}
	}
	return m.req.Snapshot.Digest
}

func (m *merge) mergeAttempts(ctx context.Context) error {
	attempts := slices.SortedFunc(slices.Values(m.req.Snapshot.Attempts), func(a, b publication.Attempt) int { return a.Number - b.Number })
	for _, a := range attempts {
		a.Number = m.numberOf(a)
		take := m.mergeAttempt
		if m.attempt(a.Number) == nil {
			take = m.addAttempt
		}
		if err := take(ctx, a); err != nil {
			return err
		}
	}
	return m.addLostAttempt(ctx)
}

// numberOf gives the number under which the ledger has, or takes, a snapshot's attempt. Another run's may stand under its
// own, made while the ledger did not know of it: what may have created something is not hidden by that, and gets the next.
func (m *merge) numberOf(a publication.Attempt) int {
	if row := m.attempt(a.Number); row == nil || !a.Outcome.MayHaveCreated() || row.Outcome.MayHaveCreated() || row.RunID == a.RunID || row.RunID == "" || a.RunID == "" {
		return a.Number
	}
	for _, row := range m.attempts {
		if row.Number > a.Number && row.RunID == a.RunID {
			return row.Number
		}
	}
	return len(m.attempts) + 1
}

// addLostAttempt gives an operation that is rebuilt as unknown without any attempt one that people can decide on.
func (m *merge) addLostAttempt(ctx context.Context) error {
	s := m.req.Snapshot
	if !m.isNew || m.mayHaveCreated(0) != nil || (s.State != publication.StateUnknown && s.State != publication.StateSending) {
		return nil
	}
	return m.addAttempt(ctx, publication.Attempt{Number: len(m.attempts) + 1, Outcome: publication.OutcomeUnknown, Digest: s.Digest,
		Evidence: &publication.Evidence{Summary: "the ledger was rebuilt from a snapshot that tells of no attempt"}})
}

// addAttempt takes an attempt that the ledger lacks, and lets it use up an authorization as its claim did.
func (m *merge) addAttempt(ctx context.Context, a publication.Attempt) error {
	if a.Digest == "" {
		a.Digest = m.req.Snapshot.Digest
	}
	row := attemptRow{Attempt: a}
	if a.Outcome == publication.OutcomeSending {
		row.Outcome, row.Evidence = publication.OutcomeUnknown, evidenceOfSilence(SettleRequest{Evidence: a.Evidence})
	}
	if a.Outcome != publication.OutcomeAccepted {
		row.Identity = nil
	}
	if d := m.usable(a.Digest); d != nil && a.Outcome != publication.OutcomeNotSent {
		row.authorizationID = d.ID
	}
	if other := m.mayHaveCreated(a.Number); other != nil && row.Outcome.MayHaveCreated() {
		return fmt.Errorf("the snapshot's attempt %d of %s is %s, and the ledger's attempt %d is %s: %w",
			a.Number, m.rec.Operation, a.Outcome, other.Number, other.Outcome, ErrConflict)
	}
	if err := m.insertAttempt(ctx, row); err != nil {
		return err
	}
	if err := m.countCreation(ctx, a.Number); err != nil {
		return err
	}
	m.added = true
	if err := m.noteSent(ctx, &row, row.Outcome, row.Evidence); err != nil {
		return err
	}
	return m.journal(ctx, Entry{Event: EventRecorded, By: Worker, Attempt: a.Number, Digest: a.Digest,
		Detail: map[string]any{"outcome": row.Outcome, "identity": row.Identity, "evidence": row.Evidence}})
}

// mergeAttempt lets a snapshot add knowledge to an attempt that the ledger has. That an attempt in flight was never
// sent is not taken from a snapshot: only Settle knows its claimant.
func (m *merge) mergeAttempt(ctx context.Context, a publication.Attempt) error {
	row := m.attempt(a.Number)
	k := conclusion{a.Outcome, a.Identity, a.Evidence, EventRecorded}
	switch {
	case a.Outcome == publication.OutcomeAccepted && a.Identity != nil:
		return m.conclude(ctx, a.Number, k)
	case row.Outcome == publication.OutcomeSending && (a.Outcome == publication.OutcomeUnknown || a.Outcome == publication.OutcomeRejected):
		return m.conclude(ctx, a.Number, k)
	case a.Outcome == publication.OutcomeNotCreated && m.decidedOn(a.Number, publication.DecisionNotCreated):
		return m.takeNotCreated(ctx, a)
	}
	return nil
}

// takeNotCreated takes the end of an attempt that a person has decided on: before that it had become unknown, even if
// the ledger still has it in flight.
func (m *merge) takeNotCreated(ctx context.Context, a publication.Attempt) error {
	if m.attempt(a.Number).Outcome == publication.OutcomeSending {
		if err := m.conclude(ctx, a.Number, conclusion{publication.OutcomeUnknown, nil, a.Evidence, EventRecorded}); err != nil {
			return err
		}
	}
	row := m.attempt(a.Number)
	if row.Outcome != publication.OutcomeUnknown {
		return nil
	}
	row.Outcome = publication.OutcomeNotCreated
	return m.updateAttempt(ctx, row)
}

func (m *merge) decidedOn(attempt int, kind publication.DecisionKind) bool {
	d := m.resolved(attempt)
	return d != nil && d.Kind == kind
}

// mergeState moves the operation to what its attempts and decisions now say. Where snapshot and ledger contradict each
// other, people have to look first.
func (m *merge) mergeState(ctx context.Context) error {
	from, to := m.rec.State, m.stateFromRows()
	if m.verdict != nil || from == publication.StateAccepted || from == to {
		return nil
	}
	if from == publication.StateAbandoned {
		if to == publication.StateAccepted {
			m.verdict = fmt.Errorf("%s is abandoned, and the snapshot says that it created %s: %w", m.rec.Operation, m.identity().Reference(), ErrConflict)
		}
		return nil
	}
	entry := Entry{Event: EventRecorded, By: Worker, Digest: m.req.Snapshot.Digest}
	if err := m.approach(ctx, to, entry); err != nil {
		return err
	}
	if to == publication.StateAccepted {
		m.rec.Identity, m.rec.RemoteStatus = m.identity(), m.identity().Status
		m.rec.Verification = verificationOf(acceptance{identity: *m.rec.Identity})
		if m.req.misfit() == nil {
			m.rec.Payload, m.rec.Base, m.rec.Digest = m.req.Payload, m.req.Base, m.req.Snapshot.Digest // what was sent, whatever was planned since
		}
	}
	return m.move(ctx, to, entry)
}

// identity gives the snapshot's identity, or that of its accepted attempt.
func (m *merge) identity() *publication.Identity {
	if live := m.mayHaveCreated(0); m.req.Snapshot.Identity == nil && live != nil {
		return live.Identity
	}
	return m.req.Snapshot.Identity
}

// stateFromRows gives the state that the merged rows prove. A state that no row proves is taken from the snapshot only
// for an operation that the ledger lacked.
func (m *merge) stateFromRows() publication.State {
	s := m.req.Snapshot
	if s.State == publication.StateAccepted {
		return publication.StateAccepted
	}
	if live := m.mayHaveCreated(0); live != nil {
		return m.stateOf(live)
	}
	switch last := m.attempt(len(m.attempts)); {
	case m.isNew:
		return s.State
	case m.rec.State == publication.StateUnknown && last != nil && m.decidedOn(last.Number, publication.DecisionNotCreated):
		return publication.StatePlanned
	case (m.voided || m.added) && m.rec.State == publication.StatePlanned && m.usable(m.rec.Digest) == nil:
		return publication.StateProposed
	case m.added && s.State == publication.StateRejected && last.Outcome == publication.OutcomeRejected:
		return publication.StateRejected
	}
	return m.rec.State
}

// stateOf gives the state of an operation whose attempt may have created content.
func (m *merge) stateOf(live *attemptRow) publication.State {
	switch {
	case live.Outcome == publication.OutcomeAccepted:
		return publication.StateAccepted
	case live.Outcome == publication.OutcomeUnknown && m.decidedOn(live.Number, publication.DecisionAbandon):
		return publication.StateAbandoned
	case live.Outcome == publication.OutcomeUnknown:
		return publication.StateUnknown
	}
	return m.rec.State // in flight: its claimant, or Settle, tells
}
