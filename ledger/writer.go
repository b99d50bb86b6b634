package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// otherWriter refuses the claim while somebody else may be changing what stands at the operation's reference, and says
// who and the way out; no Refusal when nobody is. The reference stays locked until the claim's end: of two operations that ask at once, the second one sees
// what became of the first.
//
// The lock is taken by a statement of its own: the next one then sees what was committed during the wait.
func (c *change) otherWriter(ctx context.Context, quiet time.Duration) (refused ClaimResult, err error) {
	// Two keys, since the database's one-key locks are the migrations'. References that share a hash only wait for each other.
	_, err = c.tx.Exec(ctx, `select pg_advisory_xact_lock(hashtext(current_schema()), hashtext($1))`, c.rec.Reference)
	if err != nil {
		return refused, err
	}
	var other publication.OperationID
	var state publication.State
	err = c.tx.QueryRow(ctx, `select operation, state from operations where reference = $1 and operation <> $2
		and state in ('sending', 'unknown') order by updated_at limit 1`, c.rec.Reference, c.rec.Operation).Scan(&other, &state)
	if errors.Is(err, pgx.ErrNoRows) {
		return c.abandonedWriter(ctx, quiet)
	}
	refused.Refusal = writerWords(c.rec.Reference, other, state)
	if state == publication.StateUnknown {
		refused.BlockedBy = other
	}
	return refused, err
}

// abandonedWriter refuses the claim while the request of an operation that a person gave up may still have an effect. It
// is none of ours any more, but TabNews writes all columns of what it had read: an edit that arrives late brings back
// what was removed meanwhile (TabNews API, "Times, updated_at, lost updates").
func (c *change) abandonedWriter(ctx context.Context, quiet time.Duration) (refused ClaimResult, err error) {
	if quiet <= 0 {
		quiet = QuietTime
	}
	var other publication.OperationID
	var until time.Time
	err = c.tx.QueryRow(ctx, `select o.operation, a.send_by + $3::interval from operations o join attempts a on a.operation = o.operation
		where o.reference = $1 and o.operation <> $2 and o.state = 'abandoned' and a.outcome = 'unknown'
			and a.send_by + $3::interval > clock_timestamp() order by a.send_by desc limit 1`, c.rec.Reference, c.rec.Operation, quiet).Scan(&other, &until)
	if errors.Is(err, pgx.ErrNoRows) {
		return refused, nil
	}
	refused.Refusal = fmt.Sprintf("%s was abandoned, and its request may have an effect on %s until %s; wait until then", other, c.rec.Reference, until.UTC().Format(time.RFC3339))
	return refused, err
}

func writerWords(reference string, other publication.OperationID, state publication.State) string {
	way := "wait until it has ended, then try again"
	if state == publication.StateUnknown {
		way = fmt.Sprintf("it may still have an effect, so decide it first: `starter status %s` shows how", other)
	}
	return fmt.Sprintf("%s is %s, and %s is changed by one operation at a time; %s", other, state, reference, way)
}
