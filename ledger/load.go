package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// Record is all that the ledger knows of an operation. Times are PostgreSQL's, in UTC.
type Record struct {
	Operation     publication.OperationID    `json:"operation"`
	Reference     string                     `json:"reference"` // account/slug, of every generation and version
	Account       string                     `json:"account"`
	Lane          string                     `json:"lane"`
	State         publication.State          `json:"state"`
	Payload       publication.Payload        `json:"payload"`
	Base          *publication.Base          `json:"base,omitempty"` // what a change starts from; nil for publish and track
	Digest        publication.Digest         `json:"digest"`         // of Payload and Base
	ProposedBy    string                     `json:"proposed_by"`
	Runs          []string                   `json:"runs"` // the Temporal runs that opened it
	RemoteStatus  publication.ContentStatus  `json:"remote_status"`
	Verification  publication.Verification   `json:"verification"`
	LocalRecord   publication.LocalRecord    `json:"local_record"`
	Identity      *publication.Identity      `json:"identity"`
	Attempts      []publication.Attempt      `json:"attempts"`
	Decisions     []publication.Decision     `json:"decisions"`
	Investigation *publication.Investigation `json:"investigation,omitempty"`
	Schedule      *publication.Schedule      `json:"schedule,omitempty"` // when it is to be sent; nil: as soon as it is approved
	CreatedAt     time.Time                  `json:"created_at"`
	UpdatedAt     time.Time                  `json:"updated_at"`
	Drift         *publication.Drift         `json:"drift,omitempty"` // the newest change elsewhere since the newest acceptance
	// Memory names the ledger's memory (Ledger.Memory); OpenOperation alone tells it.
	Memory string `json:"-"`
}

// Snapshot gives the record in the form that people see.
func (r Record) Snapshot() publication.Snapshot {
	s := publication.Snapshot{
		Operation: r.Operation, State: r.State, RemoteStatus: r.RemoteStatus, Verification: r.Verification,
		LocalRecord: r.LocalRecord, Reference: r.Reference, Identity: r.Identity, Digest: r.Digest,
		Attempts: r.Attempts, Decisions: r.Decisions, NextAction: r.State.NextSafeAction(), Title: r.Payload.Title,
		Draft: r.Payload.Status == publication.StatusDraft, Parked: r.State == publication.StateUnknown,
		Schedule: r.Schedule,
	}
	s.Divergence = s.Foreign()
	s.Parked = s.Parked || s.Missed()
	if r.Drift != nil {
		s = s.WithDrift(*r.Drift)
	}
	return s
}

// oneMoment reads all tables as of one moment.
var oneMoment = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// Load gives an operation's record, or ErrNotFound.
func (l *Ledger) Load(ctx context.Context, op publication.OperationID) (Record, error) {
	var rec Record
	err := l.inTx(ctx, oneMoment, func(ctx context.Context, tx pgx.Tx) (err error) {
		rec, err = load(ctx, tx, op)
		return err
	})
	if err != nil {
		return Record{}, fmt.Errorf("ledger: load: %w", err)
	}
	return rec, nil
}

func load(ctx context.Context, q querier, op publication.OperationID) (Record, error) {
	rec, err := scanOperation(q.QueryRow(ctx, `select `+operationColumns+` from operations where operation = $1`, op))
	if err != nil {
		return Record{}, notFound(err, op)
	}
	return complete(ctx, q, rec)
}

// complete adds attempts and decisions; both lists are never nil, so that JSON shows [].
func complete(ctx context.Context, q querier, rec Record) (Record, error) {
	attempts, err := loadAttempts(ctx, q, rec.Operation)
	if err != nil {
		return Record{}, err
	}
	decisions, err := loadDecisions(ctx, q, rec.Operation)
	if err != nil {
		return Record{}, err
	}
	if rec.Drift, err = driftOf(ctx, q, rec.Operation); err != nil {
		return Record{}, err
	}
	rec.Attempts = make([]publication.Attempt, len(attempts))
	for i, a := range attempts {
		rec.Attempts[i] = a.Attempt
	}
	rec.Decisions = make([]publication.Decision, len(decisions))
	for i, d := range decisions {
		rec.Decisions[i] = d.Decision
	}
	return rec, nil
}

// Filter chooses operations. Zero fields do not restrict.
type Filter struct {
	Account string
	State   publication.State
	Drift   bool // those alone that changed elsewhere since they were accepted
	Limit   int  // 0: 50
	// Unrecorded chooses accepted operations whose record is not complete: no workflow wrote all that it knew.
	Unrecorded bool
}

// List gives operations, the one that changed last first.
func (l *Ledger) List(ctx context.Context, f Filter) ([]Record, error) {
	if f.Limit <= 0 {
		f.Limit = 50
	}
	var records []Record
	err := l.inTx(ctx, oneMoment, func(ctx context.Context, tx pgx.Tx) (err error) {
		records, err = list(ctx, tx, f)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("ledger: list: %w", err)
	}
	return records, nil
}

func list(ctx context.Context, tx pgx.Tx, f Filter) ([]Record, error) {
	return query(ctx, tx, `where ($1 = '' or account = $1) and ($2 = '' or state = $2)
		and (not $4 or exists (select from watches w where w.operation = operations.operation and w.seen_at is not null))
		and (not $5 or state = 'accepted' and local_record = 'pending')
		order by updated_at desc, operation limit $3`, f.Account, string(f.State), f.Limit, f.Drift, f.Unrecorded)
}

// Find gives every operation of a reference, of all kinds, generations and versions, the newest first; none when the
// ledger knows of none.
func (l *Ledger) Find(ctx context.Context, account, slug string) ([]Record, error) {
	ref := publication.Reference{Owner: account, Slug: slug}.String()
	var records []Record
	err := l.inTx(ctx, oneMoment, func(ctx context.Context, tx pgx.Tx) (err error) {
		records, err = query(ctx, tx, `where reference = $1 order by created_at desc, operation`, ref)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("ledger: find %s: %w", ref, err)
	}
	return records, nil
}

// query gives the complete records that a condition selects.
func query(ctx context.Context, tx pgx.Tx, condition string, args ...any) ([]Record, error) {
	rows, err := tx.Query(ctx, `select `+operationColumns+` from operations `+condition, args...)
	if err != nil {
		return nil, err
	}
	records, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Record, error) { return scanOperation(row) })
	if err != nil {
		return nil, err
	}
	for i := range records {
		if records[i], err = complete(ctx, tx, records[i]); err != nil {
			return nil, err
		}
	}
	return records, nil
}
