package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// attemptRow is an attempt with what only the ledger needs of it.
type attemptRow struct {
	publication.Attempt
	token           string // the fence; empty: a tombstone, or written by Record
	authorizationID string // the decision that allowed it
	lane            string // written once; empty: the operation's
	mayCreateUntil  *time.Time
}

// decisionRow is a decision as the ledger holds it.
type decisionRow struct{ publication.Decision }

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

const operationColumns = `operation, reference, account, lane, state, payload, base, digest, proposed_by, runs, coalesce(remote_status, ''),
	verification, local_record, identity, investigation, created_at, updated_at, send_at, send_zone, late, missed`

func scanOperation(row pgx.Row) (Record, error) {
	var r Record
	var sendAt *time.Time
	var sendZone *string
	var late *time.Duration
	var missed bool
	err := row.Scan(&r.Operation, &r.Reference, &r.Account, &r.Lane, &r.State, &r.Payload, &r.Base, &r.Digest, &r.ProposedBy, &r.Runs, &r.RemoteStatus,
		&r.Verification, &r.LocalRecord, &r.Identity, &r.Investigation, &r.CreatedAt, &r.UpdatedAt, &sendAt, &sendZone, &late, &missed)
	r.Schedule = scheduleOf(sendAt, sendZone, late, missed)
	return r, err
}

const attemptColumns = `number, outcome, digest, approved_by, run_id, claimed_at, send_by, finished_at, identity, evidence,
	candidates, coalesce(token, ''), coalesce(authorization_id, '')`

func loadAttempts(ctx context.Context, q querier, op publication.OperationID) ([]attemptRow, error) {
	rows, err := q.Query(ctx, `select `+attemptColumns+` from attempts where operation = $1 order by number`, op)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (attemptRow, error) {
		var a attemptRow
		err := row.Scan(&a.Number, &a.Outcome, &a.Digest, &a.ApprovedBy, &a.RunID, &a.ClaimedAt, &a.SendBy, &a.FinishedAt,
			&a.Identity, &a.Evidence, &a.Candidates, &a.token, &a.authorizationID)
		return a, err
	})
}

const decisionColumns = `id, coalesce(kind, ''), signal, by, coalesce(attempt, 0), coalesce(digest, ''), reference,
	accept_divergence, reason, at, taken, refusal, voided, schedule`

func loadDecisions(ctx context.Context, q querier, op publication.OperationID) ([]decisionRow, error) {
	rows, err := q.Query(ctx, `select `+decisionColumns+` from decisions where operation = $1 order by at, recorded_at, id`, op)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (decisionRow, error) {
		var d decisionRow
		err := row.Scan(&d.ID, &d.Kind, &d.Signal, &d.By, &d.Attempt, &d.Digest, &d.Reference, &d.AcceptDivergence, &d.Reason,
			&d.At, &d.Taken, &d.Refusal, &d.Voided, &d.Schedule)
		return d, err
	})
}

// notFound turns "no rows" into ErrNotFound with the operation's name.
func notFound(err error, op publication.OperationID) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("operation %s: %w", op, ErrNotFound)
	}
	return err
}

// storable makes a person's text fit for a text column, which takes neither NUL nor invalid UTF-8: a bad signal must
// be recorded, not refused by the database.
func storable(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
}

// orNull gives nil, which is SQL's null, for a zero value.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}
