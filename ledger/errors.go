package ledger

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"postonce/publication"
)

var (
	// ErrNotFound says that the ledger has no such operation or attempt. About an operation that was opened before, it
	// means that the ledger lost its memory: it is no proof that nothing was sent.
	ErrNotFound = errors.New("not in the ledger")
	// ErrToken says that the attempt was claimed by somebody else, or given up: the caller's claim is void.
	ErrToken = errors.New("the attempt is not this claim's")
	// ErrConflict says that the ledger knows otherwise and nothing was changed, or only knowledge was added. Asking
	// again gives the same.
	ErrConflict = errors.New("the ledger says otherwise")
)

// TransitionError says that an operation's state may not change as asked. It is an ErrConflict.
type TransitionError struct {
	Operation publication.OperationID
	From, To  publication.State
}

func (e *TransitionError) Error() string {
	return fmt.Sprintf("operation %s: %s may not become %s; next safe action: %s", e.Operation, e.From, e.To, e.From.NextSafeAction())
}

// Unwrap makes it an ErrConflict.
func (e *TransitionError) Unwrap() error { return ErrConflict }

// ClaimUncertainError says that the connection was lost while a claim was being committed: the attempt may be claimed
// or not. Nothing may be sent; Settle with the claim's token as NotSentToken finds out and gives the attempt back.
type ClaimUncertainError struct {
	Operation publication.OperationID
	Attempt   int
	Err       error
}

func (e *ClaimUncertainError) Error() string {
	return fmt.Sprintf("claim attempt %d of %s: it is not known whether the claim was committed: %v", e.Attempt, e.Operation, e.Err)
}

func (e *ClaimUncertainError) Unwrap() error { return e.Err }

// commitUncertain tells whether a failed commit may have happened. Only two answers of the server prove that it did not:
// that it rolled back, and a plain ERROR. A FATAL (the server is going down) proves nothing, and no error of the
// connection does: pgx 5.12 calls a connection that died while it waited for the commit's answer "conn closed", and
// pgconn.SafeToRetry calls that safe (MultiResultReader.NextResult drops the first error).
func commitUncertain(err error) bool {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer.SeverityUnlocalized != "ERROR"
	}
	return !errors.Is(err, pgx.ErrTxCommitRollback)
}

// Refused reports whether PostgreSQL itself turns the connection away for good: a wrong user, password or database
// (PostgreSQL, Error Codes, class 28 and 3D000). A person must correct it; trying again cannot help.
func Refused(err error) bool {
	var refusal *pgconn.PgError
	return errors.As(err, &refusal) && (strings.HasPrefix(refusal.Code, "28") || refusal.Code == "3D000")
}
