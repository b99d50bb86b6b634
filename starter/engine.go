package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"postonce/publication"
	"postonce/workflows"
)

// engine is what the commands need of Temporal. temporalEngine is the real one.
type engine interface {
	// Start starts the workflow of the operation's kind once. errStarted: there is one already, and nothing was started.
	Start(context.Context, workflows.PublishInput) error
	// Describe tells what Temporal itself knows of the newest run. errNotKnown: nothing.
	Describe(context.Context, publication.OperationID) (execution, error)
	// Input gives what the newest run was started with; it needs no worker.
	Input(context.Context, publication.OperationID) (workflows.PublishInput, error)
	// Status asks the workflow. *unansweredError: no worker answered within queryTimeout.
	Status(context.Context, publication.OperationID) (publication.Snapshot, error)
	// Result waits for the end. *endedError: it was cut short and has no result.
	Result(context.Context, publication.OperationID) (publication.Snapshot, error)
	// Signal hands input, as JSON, to the open run. errNotKnown: there is no open run.
	Signal(ctx context.Context, op publication.OperationID, name string, input any) error
	// Look wakes the drift watch of an account, or starts it, and hands it the request.
	Look(ctx context.Context, account string, request workflows.LookRequest) error
	// Watched asks the drift watch of an account. *unansweredError: no worker answered within queryTimeout.
	Watched(ctx context.Context, account string) (workflows.WatchStatus, error)
	// Polled reports whether a worker asks for work of the account.
	Polled(ctx context.Context, account string) (bool, error)
	// List gives the newest run of each operation that matches, open ones first, newest first, at most limit.
	List(context.Context, filter) ([]execution, error)
	// Repairs gives the operations whose repair runs, newest first, at most limit.
	Repairs(context.Context, filter) ([]publication.OperationID, error)
	Close()
}

// queryTimeout is how long a worker may take to answer before the ledger is asked instead.
const queryTimeout = 5 * time.Second

// execution is what Temporal knows of a workflow without asking a worker.
type execution struct {
	Operation publication.OperationID
	Open      bool
	Failed    bool              // ended in a way that lets the operation start again: rejected, cancelled, terminated
	Status    string            // Temporal's word, such as Running or Completed
	State     publication.State // as the workflow wrote it last; empty: it has not run yet
}

// filter narrows a list; empty fields do not.
type filter struct {
	State   publication.State
	Account string
	Drift   bool // those alone that changed elsewhere
	Limit   int
}

var (
	errStarted  = errors.New("the operation is started already")
	errNotKnown = errors.New("Temporal knows no such operation")
)

// unansweredError says that no worker answered a query, and in Temporal's words why.
type unansweredError struct{ err error }

func (e *unansweredError) Error() string { return "no worker answered: " + e.err.Error() }

func (e *unansweredError) Unwrap() error { return e.err }

// endedError says that a workflow ended without saying what is known; the ledger may know.
type endedError struct {
	op  publication.OperationID
	how string // cancelled, terminated, timed out, failed: why
}

func (e *endedError) Error() string {
	return fmt.Sprintf("%s: its workflow was %s and left no result", e.op, e.how)
}
