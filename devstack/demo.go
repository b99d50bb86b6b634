package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"postonce/internal/devstack"
)

// The articles of the demo, and the slugs that their front matter pins.
const (
	cleanFile, cleanSlug = "ola.md", "ola-postonce"
	lostFile, lostSlug   = "segundo.md", "resposta-perdida"
)

// exitUnknown is the command line's code for an outcome that waits for a person.
const exitUnknown = 3

func demoCommand() *cobra.Command {
	var examples string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show the promise: one clean publication, one whose answer is lost, no duplicates",
		Args:  cobra.NoArgs,
		RunE:  action(func(c *cobra.Command, _ []string) error { return runDemo(c, examples) }),
	}
	c.Flags().StringVar(&examples, "examples", "examples", "the `folder` of the two articles")
	return c
}

func runDemo(c *cobra.Command, examples string) error {
	out := c.OutOrStdout()
	heading(out, "Temporal, Postgres, the TabNews emulator and one worker")
	s, err := devstack.Start(c.Context(), devstack.Options{Workers: 1, Log: out, Steps: true})
	if err != nil {
		return err
	}
	d := &demo{stack: s, out: out, starter: filepath.Join(devstack.BinDir(), "starter"), examples: examples}
	duplicates, err := d.show(c.Context())
	if err = stopAfter(s, err); err != nil {
		return err
	}
	if duplicates != 0 {
		return fmt.Errorf("%d duplicates: the promise is broken", duplicates)
	}
	_, err = fmt.Fprintln(out, "\nEverything is stopped. Duplicates: 0")
	return err
}

// demo runs the command line as a person would, and shows what they would see.
type demo struct {
	stack             *devstack.Stack
	out               io.Writer
	starter, examples string
}

// show tells the story and returns how many duplicates came of it.
func (d *demo) show(ctx context.Context) (duplicates int, err error) {
	_, _ = fmt.Fprintf(d.out, "while this runs, Temporal's Web UI is at %s\n", d.stack.UIURL())
	lost := "publish/" + d.stack.Account() + "/" + lostSlug
	story := []struct {
		title string
		scene func() error
	}{
		{"One article, published cleanly", func() error {
			return d.run(ctx, 0, whole, view{head: 8}, "publish", "--yes", filepath.Join(d.examples, cleanFile))
		}},
		{"Another one: TabNews stores it, then its answer is lost", func() error {
			if err := d.stack.InjectFault(ctx, "create", "drop_after_store"); err != nil {
				return err
			}
			return d.run(ctx, exitUnknown, view{6, 4}, view{}, "publish", "--yes", filepath.Join(d.examples, lostFile))
		}},
		{"Nothing is sent again: it is parked, with its evidence and a candidate", func() error {
			return d.run(ctx, exitUnknown, whole, view{18, 13}, "status", lost)
		}},
		{"A person decides: the candidate is the article", func() error {
			return d.run(ctx, 0, view{0, 2}, view{head: 8}, "resolve", lost, "--adopt", d.stack.Account()+"/"+lostSlug,
				"--attempt", "1", "--by", "Ana", "--reason", "same title and body, read on the site")
		}},
		{"What TabNews saw", func() error { duplicates, err = d.count(ctx); return err }},
	}
	for _, part := range story {
		heading(d.out, part.title)
		if err := part.scene(); err != nil {
			return 0, err
		}
	}
	return duplicates, nil
}

// run runs starter, shows that much of its talk and of its result, and fails unless it ends with the exit code that the
// story needs.
func (d *demo) run(ctx context.Context, want int, talk, result view, args ...string) error {
	_, _ = fmt.Fprintf(d.out, "$ bin/starter %s\n", shellWords(args))
	var document bytes.Buffer // the result comes after the talk, whichever was written first
	stdout, stderr := &clip{to: &document, view: result}, &clip{to: d.out, view: talk}
	code, err := d.exec(ctx, stdout, stderr, args...)
	stderr.end()
	stdout.end()
	_, _ = document.WriteTo(d.out)
	if err == nil && code != want {
		err = fmt.Errorf("starter %s ended with exit code %d, not %d", args[0], code, want)
	}
	return err
}

func (d *demo) exec(ctx context.Context, stdout, stderr io.Writer, args ...string) (int, error) {
	return d.stack.Run(ctx, devstack.Command{
		Args: append([]string{d.starter}, args...), Stdout: stdout, Stderr: stderr,
		Interrupt: func() os.Signal { return syscall.SIGTERM },
	})
}

// count asks both sides, the ledger and TabNews, and prints what they say.
func (d *demo) count(ctx context.Context) (duplicates int, err error) {
	var arrivals []arrival
	var rows []stored
	var operations []operation
	err = errors.Join(d.stack.Emulated(ctx, "arrivals", &arrivals), d.stack.Emulated(ctx, "contents", &rows))
	for _, slug := range []string{cleanSlug, lostSlug} {
		o, statusErr := d.status(ctx, slug)
		err = errors.Join(err, statusErr)
		operations = append(operations, o)
	}
	if err != nil {
		return 0, err
	}
	return printTally(d.out, tally(operations, arrivals, rows))
}

// status is what is known of the operation that publishes slug.
func (d *demo) status(ctx context.Context, slug string) (operation, error) {
	var document bytes.Buffer
	code, err := d.exec(ctx, &document, d.out, "status", "--json", "publish/"+d.stack.Account()+"/"+slug)
	if err != nil {
		return operation{}, err
	}
	var known struct {
		State    string
		Attempts []json.RawMessage
	}
	if err := json.Unmarshal(document.Bytes(), &known); err != nil {
		return operation{}, fmt.Errorf("starter status ended with exit code %d: %w", code, err)
	}
	return operation{Slug: slug, State: known.State, Attempts: len(known.Attempts)}, nil
}

func heading(w io.Writer, text string) { _, _ = fmt.Fprintf(w, "\n== %s\n", text) }

// shellWords joins args as one would type them.
func shellWords(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		if words[i] = arg; strings.ContainsAny(arg, " ,") {
			words[i] = "'" + arg + "'"
		}
	}
	return strings.Join(words, " ")
}
