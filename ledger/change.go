package ledger

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// change is a transaction that holds the lock of one operation's row, with all that is known of the operation.
type change struct {
	tx        pgx.Tx
	rec       Record // without attempts and decisions
	attempts  []attemptRow
	decisions []decisionRow
	wrote     bool          // something was written
	pause     time.Duration // of the lane, should an incident be found; 0: DefaultPause
	verdict   error         // given to the caller after the commit: what was learnt is kept, although the call is refused
}

// change runs fn while it holds the operation's lock. ErrNotFound when there is none.
func (l *Ledger) change(ctx context.Context, op publication.OperationID, fn func(context.Context, *change) error) error {
	var verdict error
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		c, err := lock(ctx, tx, op)
		if err != nil {
			return err
		}
		err = fn(ctx, c)
		verdict = c.verdict
		return err
	})
	if err != nil {
		return err
	}
	return verdict
}

// lock waits for the operation's row and reads it. What hangs on it is read by statements of their own: under READ
// COMMITTED they see what was committed while this one waited. The key never changes, so rows that refer to it may be
// written meanwhile: the watch, which locks its own rows first, must not wait for it.
func lock(ctx context.Context, tx pgx.Tx, op publication.OperationID) (*change, error) {
	rec, err := scanOperation(tx.QueryRow(ctx, `select `+operationColumns+` from operations where operation = $1 for no key update`, op))
	if err != nil {
		return nil, notFound(err, op)
	}
	c := &change{tx: tx, rec: rec}
	if c.attempts, err = loadAttempts(ctx, tx, op); err != nil {
		return nil, err
	}
	c.decisions, err = loadDecisions(ctx, tx, op)
	return c, err
}

// move changes the state, saves the operation and journals it.
func (c *change) move(ctx context.Context, to publication.State, e Entry) error {
	from := c.rec.State
	if !from.CanBecome(to) {
		return &TransitionError{c.rec.Operation, from, to}
	}
	c.rec.State = to
	if err := c.save(ctx); err != nil {
		return err
	}
	if err := c.leaveLanes(ctx, from); err != nil {
		return err
	}
	e.From, e.To = from, to
	return c.journal(ctx, e)
}

// leaveLanes gives the operation's place in a queue back once it is planned no more: nobody comes for it, and who plans
// it anew comes behind those who wait.
func (c *change) leaveLanes(ctx context.Context, from publication.State) error {
	if from != publication.StatePlanned || c.rec.State == publication.StateSending { // a claim gave it back
		return nil
	}
	_, err := c.tx.Exec(ctx, `delete from lane_reservations where operation = $1`, c.rec.Operation)
	return err
}

// approach moves along the shortest allowed path to just before the state: what the ledger missed in between did
// happen, and the journal stays a legal path.
func (c *change) approach(ctx context.Context, to publication.State, e Entry) error {
	path := pathBetween(c.rec.State, to)
	if path == nil {
		return &TransitionError{c.rec.Operation, c.rec.State, to}
	}
	e.Detail = nil
	for _, state := range path[:len(path)-1] {
		if err := c.move(ctx, state, e); err != nil {
			return err
		}
	}
	return nil
}

// pathBetween gives the states after from up to to, or nil when no transitions lead there.
func pathBetween(from, to publication.State) []publication.State {
	paths := [][]publication.State{{from}}
	seen := []publication.State{from}
	for len(paths) > 0 {
		path := paths[0]
		paths = paths[1:]
		for _, next := range publication.States() {
			if !path[len(path)-1].CanBecome(next) {
				continue
			}
			longer := append(slices.Clone(path), next)
			if next == to {
				return longer[1:]
			}
			if !slices.Contains(seen, next) {
				seen = append(seen, next)
				paths = append(paths, longer)
			}
		}
	}
	return nil
}

// save writes what can change of the operation.
func (c *change) save(ctx context.Context) error {
	r := c.rec
	c.wrote = true
	sendAt, sendZone, late, missed := scheduleColumns(r.Schedule)
	_, err := c.tx.Exec(ctx, `
		update operations set lane = $2, state = $3, payload = $4, digest = $5, proposed_by = $6, runs = $7, remote_status = $8,
			verification = $9, local_record = $10, identity = $11, investigation = $12, base = $13, updated_at = clock_timestamp(),
			send_at = $14, send_zone = $15, late = $16, missed = $17
		where operation = $1`,
		r.Operation, r.Lane, r.State, string(r.Payload.CanonicalJSON()), r.Digest, storable(r.ProposedBy), r.Runs, orNull(r.RemoteStatus),
		r.Verification, r.LocalRecord, r.Identity, r.Investigation, baseJSON(r.Base), sendAt, sendZone, late, missed)
	return err
}
