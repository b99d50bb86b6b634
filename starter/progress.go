package main

import (
	"context"
	"errors"
	"strings"

	"postonce/internal/terminal"
	"postonce/publication"
)

// progress tells what changed while a command waits, a short line for each change.
type progress struct {
	app      *app
	decision bool // what is waited for is the answer to a decision
	last     string
}

func (p *progress) tell(s publication.Snapshot, err error) {
	line := progressLine(s, err)
	var unanswered *unansweredError
	if p.decision && errors.As(err, &unanswered) {
		line = "no worker answers; the decision waits, and is taken or refused when one does"
	}
	if line == "" || line == p.last {
		return
	}
	p.last = line
	p.app.say("%s", terminal.Stated(line))
}

// progressLine is one look at a workflow in words; empty when there is nothing to tell.
func progressLine(s publication.Snapshot, err error) string {
	if err != nil {
		return silenceLine(err)
	}
	return changeLine(s)
}

// changeLine is empty while a workflow has not opened its record yet, which says nothing of an approval.
func changeLine(s publication.Snapshot) string {
	if s.State == publication.StateProposed && !s.Parked && s.WaitingFor == "" {
		return ""
	}
	parts := []string{string(s.State)}
	if s.State == publication.StateAccepted {
		parts = append(parts, "verification "+string(s.Verification))
	}
	if s.WaitingFor != "" {
		parts = append(parts, "waiting for "+terminal.Line(s.WaitingFor))
	}
	return strings.Join(parts, ", ")
}

// silenceLine says who does not answer; an interruption is not worth a line.
func silenceLine(err error) string {
	var unanswered *unansweredError
	if errors.As(err, &unanswered) {
		return "no worker answers; the publication goes on when one does"
	}
	if errors.Is(err, context.Canceled) {
		return ""
	}
	return "Temporal does not answer (" + terminal.Line(err.Error()) + "); trying again"
}
