package ledger

import (
	"context"
	"fmt"
	"time"

	"postonce/publication"
)

// QuietTime is how long TabNews may work on after a request's time is over: it may wait twice 10 s for a connection to
// its database (TabNews API, section 6).
const QuietTime = 20 * time.Second

// TryError says that a change may not be tried again yet.
type TryError struct {
	Operation publication.OperationID
	Earlier   publication.OperationID // the try before, which has to be abandoned
	State     publication.State       // of Earlier; empty: it is not in the ledger
	// InFlight above zero: Earlier is abandoned, and its request may still have an effect until Until, which is that long
	// from now; ask again after it.
	InFlight time.Duration
	Until    time.Time // PostgreSQL's clock
}

func (e *TryError) Error() string {
	return fmt.Sprintf("%s tries a change again: %s", e.Operation, e.why())
}

func (e *TryError) why() string {
	switch {
	case e.Earlier == "":
		return "only a change (revise, remove) has more than one try; an abandoned publish stays final, so choose another slug"
	case e.State == "":
		return fmt.Sprintf("the try before, %s, is not in the ledger; start that one", e.Earlier)
	case e.InFlight > 0:
		return fmt.Sprintf("the try before, %s, was abandoned, and its request may have an effect until %s", e.Earlier, e.Until.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("the try before, %s, is %s, and only an abandoned one is tried again: `starter status %s`", e.Earlier, e.State, e.Earlier)
}

// checkTry holds that a change is tried again only after the try before was abandoned, and can no longer have an
// effect. Nothing is locked for it: abandoned is for good.
func checkTry(ctx context.Context, q querier, op publication.OperationID, quiet time.Duration) error {
	n := op.Try()
	switch {
	case n < 2:
		return nil
	case !changesContent(op.Kind()):
		return &TryError{Operation: op}
	}
	refused := &TryError{Operation: op, Earlier: op.WithTry(n - 1)}
	known, err := loadFamily(ctx, q, op.Reference())
	if err != nil {
		return err
	}
	if refused.State = known.state(refused.Earlier); refused.State != publication.StateAbandoned {
		return refused
	}
	refused.InFlight, refused.Until, err = inFlight(ctx, q, refused.Earlier, quiet)
	if err == nil && refused.InFlight > 0 {
		return refused
	}
	return err
}

// inFlight tells how long, and until when, a request of the operation may still have an effect.
func inFlight(ctx context.Context, q querier, op publication.OperationID, quiet time.Duration) (left time.Duration, until time.Time, err error) {
	attempts, err := loadAttempts(ctx, q, op)
	if err != nil {
		return 0, until, err
	}
	for _, a := range attempts {
		if end := lastEffect(a.Attempt, quiet); end.After(until) {
			until = end
		}
	}
	if until.IsZero() {
		return 0, until, nil
	}
	err = q.QueryRow(ctx, `select greatest($1::timestamptz - clock_timestamp(), interval '0')`, until).Scan(&left)
	return left, until, err
}

// lastEffect is when an attempt's request can no longer have an effect. That the answer never came says nothing of when
// the request ended, so its deadline counts, not when we stopped waiting.
func lastEffect(a publication.Attempt, quiet time.Duration) time.Time {
	switch {
	case a.Outcome != publication.OutcomeUnknown && a.Outcome != publication.OutcomeNotCreated:
		return time.Time{}
	case a.Evidence != nil && a.Evidence.ProvenUnsent:
		return time.Time{}
	case a.SendBy != nil:
		return a.SendBy.Add(quiet)
	case a.FinishedAt != nil:
		return a.FinishedAt.Add(quiet)
	}
	return time.Time{}
}

// NewestTry gives the newest try of a change that the ledger knows, in whatever state, and its state; the first one and
// no state when it knows none. The try after it may be opened once it is abandoned.
func (l *Ledger) NewestTry(ctx context.Context, op publication.OperationID) (publication.OperationID, publication.State, error) {
	known, err := l.family(ctx, op.Reference())
	if err != nil {
		return "", "", fmt.Errorf("ledger: tries of %s: %w", op, err)
	}
	newest := known.newestTry(op)
	return newest, known.state(newest), nil
}
