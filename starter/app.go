package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"postonce/internal/temporalclient"
	"postonce/internal/terminal"
)

// app is what the commands share: the streams, the settings, and ways to reach the world that tests replace.
type app struct {
	getenv         func(string) string
	stdout, stderr io.Writer
	prompt         prompter        // nil: nobody is there to ask
	board          *terminal.Board // while a batch is under way: it shares the screen with what is said
	json           bool            // --json
	printed        bool            // its document is printed
	program        string          // as it was called, when that is a path; empty: starter
	code           int             // the exit code when no error ends the command

	dial        func(context.Context) (engine, error)
	openLedger  func(context.Context) (records, error) // errNoLedger when none is configured
	openSession func(credentials) (session, error)
	openReader  func(url string) (reader, error)
	after       func(time.Duration) <-chan time.Time

	records    records // once it was opened
	recordsErr error
}

// prompter asks a person at a terminal; terminal.Prompt is the real one.
type prompter interface {
	Confirm(ctx context.Context, question, detail, affirmative string) (bool, error)
	Ask(ctx context.Context, question, detail string) (string, error)
}

func newApp(getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{getenv: getenv, stdout: stdout, stderr: stderr, after: time.After, openSession: openTabNews, openReader: openReader}
	if strings.ContainsRune(os.Args[0], os.PathSeparator) && strings.HasPrefix(filepath.Base(os.Args[0]), "starter") && !strings.HasSuffix(os.Args[0], ".test") {
		a.program = os.Args[0]
	}
	if p := terminal.NewPrompt(stdin, stderr); p != nil {
		a.prompt = p
	}
	a.dial = func(ctx context.Context) (engine, error) {
		c, err := temporalclient.Dial(ctx, getenv, nil)
		if err != nil {
			return nil, err
		}
		return &temporalEngine{client: c, patience: queryTimeout}, nil
	}
	a.openLedger = func(ctx context.Context) (records, error) { return openLedger(ctx, getenv) }
	return a
}

// run gives the exit code of one command line.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	if a.records != nil {
		a.records.Close()
	}
	if err == nil {
		return a.code
	}
	var f *failure
	if !errors.As(err, &f) {
		// Only cobra's own refusals of the command line arrive here: what a command finds is made a failure by it.
		f = usage(err.Error(), "`starter --help` shows what there is")
	}
	return a.fail(f)
}

// say writes one line of talk.
func (a *app) say(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), "\n") + "\n"
	if a.board != nil {
		a.board.Say(text)
		return
	}
	terminal.Print(a.stderr, text)
}

// site is the address of TabNews, for links and requests; TABNEWS_URL, else the public one.
func (a *app) site() string {
	if url := strings.TrimRight(a.getenv("TABNEWS_URL"), "/"); url != "" {
		return url
	}
	return "https://www.tabnews.com.br"
}
