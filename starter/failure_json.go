package main

import (
	"postonce/internal/terminal"
	"postonce/publication"
)

// failureDocument is what --json prints where a command has no other document to print.
type failureDocument struct {
	Error    string   `json:"error"`
	ExitCode int      `json:"exit_code"`
	Problems []string `json:"problems,omitempty"` // each on its own, where there are several
	// Operation goes on although the waiting for it was interrupted, and Publication is how it was seen last; both are left
	// out elsewhere, and Publication also where no worker has answered.
	Operation   publication.OperationID `json:"operation,omitempty"`
	Publication *publication.Snapshot   `json:"publication,omitempty"`
}

// fail ends a command: one line for people, and with --json the one document, unless it is printed already.
func (a *app) fail(f *failure) int {
	a.say("starter: %s", terminal.Line(f.Error()))
	if !a.json || a.printed {
		return f.code
	}
	document := failureDocument{Error: f.Error(), ExitCode: f.code, Operation: f.operation}
	for _, problem := range f.problems {
		document.Problems = append(document.Problems, problem.Error())
	}
	if f.seen != nil && f.seen.State != "" {
		s := complete(*f.seen)
		document.Publication = &s
	}
	_ = a.printJSON(document) // the exit code tells, also where nothing can be written
	return f.code
}
