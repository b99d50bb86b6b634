package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// RecordRequest is a workflow's whole knowledge of an operation.
type RecordRequest struct {
	Account  string
	Lane     string
	Payload  publication.Payload
	Base     *publication.Base // what a change starts from; without it, a lost revise or remove cannot be rebuilt
	Snapshot publication.Snapshot
	Repair   bool // it is written by the repair, after the workflow itself could not
	// Reach is how long after its claim an attempt may still create content, for one that the ledger lacks; 0: what the
	// defaults make of it.
	Reach time.Duration
	// Pause is how long an incident that the ledger has not heard of pauses its lane; 0: DefaultPause.
	Pause time.Duration
}

// Record writes a snapshot into the ledger: after an acceptance, by the repair, and to rebuild what the ledger lost.
// Told again, it changes nothing.
//
// It only adds knowledge. What could open a send is taken from a snapshot only where the ledger lacks the operation, or
// where the snapshot brings the decision for it; an older snapshot never undoes what the ledger knows, and accepted and
// abandoned stay as they are. An attempt that the snapshot still calls sending, and of which the ledger has no claim,
// becomes unknown. ErrConflict when the two tell of different acceptances.
//
// Content that was taken up (track) is accepted without an attempt. Taken up again, it is noted as it was seen last.
func (l *Ledger) Record(ctx context.Context, req RecordRequest) error {
	s := req.Snapshot
	if s.State == publication.StateAccepted && s.Identity == nil {
		return fmt.Errorf("ledger: record %s: accepted without an identity", s.Operation)
	}
	var verdict error
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		m, err := startMerge(ctx, tx, req)
		if err != nil {
			return err
		}
		if err := m.run(ctx); err != nil {
			return err
		}
		verdict = m.verdict
		if !m.wrote {
			return errNoChange
		}
		return nil
	})
	if err := errors.Join(err, verdict); err != nil {
		return fmt.Errorf("ledger: record: %w", err)
	}
	return nil
}

// misfit says why payload and base are not the snapshot's, or nil: a run that was given others may tell of the operation.
func (r RecordRequest) misfit() error {
	return checkContent(r.Snapshot.Operation, r.Payload, r.Base, r.Snapshot.Digest)
}

// merge brings a snapshot and the ledger's rows together.
type merge struct {
	*change
	req    RecordRequest
	isNew  bool // the ledger lacked the operation
	added  bool // an attempt was added
	voided bool // a decision was made worthless
}

func startMerge(ctx context.Context, tx pgx.Tx, req RecordRequest) (*merge, error) {
	op, misfit := req.Snapshot.Operation, req.misfit()
	isNew := false
	if misfit == nil {
		var err error
		if isNew, err = insertRecorded(ctx, tx, req); err != nil {
			return nil, err
		}
	}
	c, err := lock(ctx, tx, op)
	switch {
	case errors.Is(err, ErrNotFound) && misfit != nil:
		return nil, fmt.Errorf("%s is not there, and what came cannot replace it: %w: %w", op, misfit, ErrConflict)
	case err != nil:
		return nil, err
	}
	c.pause = req.Pause
	m := &merge{change: c, req: req, isNew: isNew}
	if isNew {
		m.rec.Schedule = req.Snapshot.Schedule
		err = m.journal(ctx, Entry{Event: EventRecorded, By: Worker, Digest: req.Snapshot.Digest, To: publication.StateProposed,
			Detail: map[string]any{"rebuilt": true}})
	}
	return m, err
}

// insertRecorded tells whether the ledger lacked the operation.
func insertRecorded(ctx context.Context, tx pgx.Tx, req RecordRequest) (bool, error) {
	s := req.Snapshot
	tag, err := tx.Exec(ctx, `
		insert into operations (operation, account, lane, state, payload, base, digest, proposed_by, runs) values ($1, $2, $3, $4, $5, $6, $7, '', $8)
		on conflict (operation) do nothing`,
		s.Operation, req.Account, req.Lane, string(publication.StateProposed), string(req.Payload.CanonicalJSON()), baseJSON(req.Base), s.Digest, runsOf(s))
	return err == nil && tag.RowsAffected() == 1, err
}

// runsOf gives the runs that are known to have worked on the operation, so that none of them opens it again.
func runsOf(s publication.Snapshot) []string {
	runs := []string{}
	for _, a := range s.Attempts {
		if a.RunID != "" {
			runs = append(runs, a.RunID)
		}
	}
	return runs
}

// run takes decisions first, for attempts refer to them, and the state last, for it follows from both.
func (m *merge) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{m.mergeDecisions, m.mergeAttempts, m.mergeState, m.mergeReading} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return m.voidUnused(ctx, m.rec.Digest, "another payload replaced the one it allowed")
}

// mergeReading takes what was seen of accepted content, and notes that all of the snapshot is kept.
func (m *merge) mergeReading(ctx context.Context) error {
	s, before := m.req.Snapshot, m.rec
	told, err := m.driftTold(ctx)
	if err != nil {
		return err
	}
	anew := m.tracksAnew(told)
	if m.rec.State == publication.StateAccepted && s.State == publication.StateAccepted && (anew || !told) {
		if s.RemoteStatus != "" {
			m.rec.RemoteStatus = s.RemoteStatus
		}
		if s.Verification != "" && s.Verification != publication.VerificationPending {
			m.rec.Verification = s.Verification
		}
	}
	if anew {
		if err := m.trackAnew(ctx); err != nil {
			return err
		}
	}
	m.rec.LocalRecord = publication.LocalRecorded
	readBack := m.rec.RemoteStatus != before.RemoteStatus || m.rec.Verification != before.Verification
	if readBack {
		if err := m.journal(ctx, Entry{Event: EventReadBack, By: Worker, Digest: m.rec.Digest,
			Detail: map[string]any{"verification": m.rec.Verification, "remote_status": m.rec.RemoteStatus}}); err != nil {
			return err
		}
	}
	if !m.wrote && before.LocalRecord == publication.LocalRecorded {
		return nil
	}
	if err := m.save(ctx); err != nil {
		return err
	}
	return m.noteWritten(ctx, readBack)
}

// noteWritten journals that the snapshot is kept. What was read back tells that already; a repair is told in any case.
func (m *merge) noteWritten(ctx context.Context, readBack bool) error {
	e := Entry{Event: EventRecorded, By: Worker, Digest: m.rec.Digest, Detail: map[string]any{"state": m.rec.State}}
	switch {
	case m.req.Repair:
		e.Event = EventRepaired
	case readBack:
		return nil
	}
	return m.journal(ctx, e)
}
