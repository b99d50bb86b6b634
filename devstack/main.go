// Command devstack starts the whole set on one machine, for people, demos and tests: Temporal with its Web UI,
// Postgres, the TabNews emulator and workers. Its own talk goes to standard error.
//
// It only adapts: internal/devstack has the parts.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"postonce/internal/devstack"
)

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, stopSignals...)
	go func() { cancel(signalled{<-signals}) }()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

var stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// signalled is the cause of a context that a signal ended.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return s.String() }

// run is main without the process around it: it returns the exit code. 2 is a wrong command line or setting, 127 a
// command that is not there; `devstack run` otherwise ends as its command did.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if code := exit(0); errors.As(err, &code) {
		return int(code)
	}
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintln(stderr, "devstack:", err)
	if errors.As(err, new(failed)) {
		return 1
	}
	return 2
}

// exit ends the program with a code, and says nothing more.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// failed is an error of what a command did; all others are cobra's, about the command line.
type failed struct{ error }

func (f failed) Unwrap() error { return f.error }

// action makes what a command does fit cobra.
func action(do func(c *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		err := do(c, args)
		if err == nil || errors.As(err, new(exit)) || errors.As(err, new(devstack.UsageError)) {
			return err
		}
		return failed{err}
	}
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "devstack",
		Short:         "Temporal, Postgres, the TabNews emulator and workers, started and stopped together",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(runCommand(), upCommand(), emulatorCommand(), demoCommand(), setupCommand())
	return root
}
