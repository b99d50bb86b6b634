package main

import (
	"fmt"

	"postonce/internal/terminal"
	"postonce/starter/audit"
)

// auditLine is a difference as people read it: what it is about, what the two sides say, and what to do.
func auditLine(d audit.Difference) string {
	about := string(d.Operation)
	if about == "" {
		about = d.Reference
	}
	return fmt.Sprintf("%s: %s: %s; %s", about, d.Kind, d.Detail, d.Remedy)
}

// plainLine is one line without what could steer a terminal.
func plainLine(text string) string { return terminal.Line(text) + "\n" }

// notesShown is how many notes are told one by one.
const notesShown = 20

func (a *app) tellNotes(r audit.Report) {
	for i, n := range r.Notes {
		if i == notesShown {
			a.say("and %d more notes; --json lists them", len(r.Notes)-i)
			return
		}
		a.say("%s: %s", n.Operation, n.Detail)
	}
}
