package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"postonce/internal/terminal"
	"postonce/publication"
)

// show prints an operation as the command's result, and makes its state the exit code.
func (a *app) show(s publication.Snapshot) error {
	a.code = exitCode(s)
	if a.json {
		return a.printJSON(complete(s))
	}
	terminal.Print(a.stdout, a.view(s).Text())
	return nil
}

func (a *app) view(s publication.Snapshot) terminal.View {
	return terminal.View{Snapshot: s, Site: a.site(), Commands: a.asTyped(commandsFor(s))}
}

// complete makes the lists of the JSON document lists, also when there is nothing in them.
func complete(s publication.Snapshot) publication.Snapshot {
	if s.Attempts == nil {
		s.Attempts = []publication.Attempt{}
	}
	if s.Decisions == nil {
		s.Decisions = []publication.Decision{}
	}
	return s
}

// printJSON prints the one document of --json. Text stays as it is: < and & need no escape outside of HTML.
func (a *app) printJSON(document any) error {
	a.printed = true
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return failedTo("standard output", err)
	}
	return nil
}

// confirm asks, and makes a no and a Ctrl-C an error: nothing was started or decided then.
func (a *app) confirm(ctx context.Context, question, detail, affirmative string) error {
	yes, err := a.prompt.Confirm(ctx, question, detail, affirmative)
	switch {
	case errors.Is(err, terminal.ErrAborted), ctx.Err() != nil:
		return failed(errors.New("left unanswered; nothing was started, sent or decided"))
	case err != nil:
		return failedTo("terminal", err)
	case !yes:
		return failed(errors.New("not confirmed; nothing was started, sent or decided"))
	}
	return nil
}

// ask asks for a line of text. The callers made sure that somebody is there to answer.
func (a *app) ask(ctx context.Context, question, detail string) (string, error) {
	answer, err := a.prompt.Ask(ctx, question, detail)
	switch {
	case errors.Is(err, terminal.ErrAborted), ctx.Err() != nil:
		return "", failed(errors.New("left unanswered; nothing was started, sent or decided"))
	case err != nil:
		return "", failedTo("terminal", err)
	}
	return answer, nil
}

// asTyped writes our own commands the way that this program was called, so that they work when pasted.
func (a *app) asTyped(commands []string) []string {
	if a.program == "" {
		return commands
	}
	out := make([]string, len(commands))
	for i, command := range commands {
		out[i] = command
		if rest, ours := strings.CutPrefix(command, "starter "); ours {
			out[i] = a.program + " " + rest
		}
	}
	return out
}
