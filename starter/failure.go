package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/publication"
)

// failure is an error that ends the command: one line that names the thing, the rule and the way out.
type failure struct {
	code int
	text string
	err  error

	problems  []error                 // several at once, each told on its own before
	operation publication.OperationID // goes on by itself
	seen      *publication.Snapshot   // how it was seen last
}

func (f *failure) Error() string { return f.text }

func (f *failure) Unwrap() error { return f.err }

// usage is a command line or an input that cannot be used.
func usage(what, wayOut string) *failure {
	return &failure{code: exitUsage, text: what + "; " + wayOut}
}

// badInput is an input whose error says it all.
func badInput(err error) *failure { return &failure{code: exitUsage, text: err.Error(), err: err} }

// failed is anything else that keeps the command from its work.
func failed(err error) *failure {
	text := err.Error()
	if errors.Is(err, context.Canceled) {
		text = "interrupted"
	}
	return &failure{code: exitOther, text: text, err: err}
}

// failedTo gives a failure with what was tried in front.
func failedTo(what string, err error) *failure {
	return &failure{code: exitOther, text: what + ": " + err.Error(), err: err}
}

// interrupted is the end of waiting by Ctrl-C, which ends nothing else.
func interrupted(op publication.OperationID, seen publication.Snapshot) *failure {
	return &failure{code: exitWaiting, text: fmt.Sprintf("%s goes on by itself; look with `starter status %s`", op, op), operation: op, seen: &seen}
}

// undecided is the end of waiting for the answer to a decision by Ctrl-C. The decision is sent, and takes its course.
func undecided(op publication.OperationID, seen publication.Snapshot) *failure {
	f := interrupted(op, seen)
	f.text = fmt.Sprintf("%s: the decision is sent, and is taken or refused by itself; look with `starter status %s`", op, op)
	return f
}

// asFailure leaves what is a failure already as it is.
func asFailure(err error) error {
	var f *failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case noTables(err):
		return usage("the ledger has no tables yet", "start a worker once, or correct DATABASE_URL")
	}
	return failed(err)
}
