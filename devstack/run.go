package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"postonce/internal/devstack"
)

// stopTime is how long a worker may take to end what it is sending, with a margin. A second signal cuts it short.
const stopTime = 150 * time.Second

func runCommand() *cobra.Command {
	var o devstack.Options
	c := &cobra.Command{
		Use:   "run [flags] -- COMMAND [ARGS...]",
		Short: "Start everything on free ports, run a command with it, stop everything",
		Long: `Start everything on free ports with fresh state, run a command that finds the addresses and the credentials in
its environment, stop everything, and end with the command's exit code.

The command sees TEMPORAL_ADDRESS, TEMPORAL_UI_URL, DATABASE_URL, TABNEWS_URL, TABNEWS_EMAIL, TABNEWS_PASSWORD and
POSTONCE_ACCOUNT. Workers inherit devstack's environment, so that settings such as POSTONCE_LANE_INTERVAL reach them.`,
		Example: "  devstack run -- bin/starter publish --yes examples/ola.md",
		Args:    cobra.MinimumNArgs(1),
		RunE:    action(func(c *cobra.Command, args []string) error { return runWith(c, o, args) }),
	}
	stackFlags(c, &o)
	return c
}

// stackFlags are the flags of the commands that start the whole set.
func stackFlags(c *cobra.Command, o *devstack.Options) {
	c.Flags().IntVar(&o.Workers, "workers", 1, "how many workers to start")
	c.Flags().StringVar(&o.Dir, "dir", "", "keep Temporal's and Postgres' state in this `folder` (the emulator starts empty)")
	c.Flags().StringVar(&o.TabNewsURL, "tabnews", "", "use the TabNews at this `URL`, with the credentials of the environment, instead of the emulator")
	c.Flags().BoolVarP(&o.Output, "verbose", "v", false, "show every step, and what the parts write")
	c.Flags().SetInterspersed(false)
}

func runWith(c *cobra.Command, o devstack.Options, args []string) error {
	if _, err := exec.LookPath(args[0]); err != nil {
		_, _ = fmt.Fprintf(c.ErrOrStderr(), "devstack: %v\n", err)
		return exit(127)
	}
	o.Log, o.Steps = c.ErrOrStderr(), o.Output
	if o.Dir != "" && o.TabNewsURL == "" {
		_, _ = fmt.Fprintf(o.Log, "devstack: state is kept in %s; the emulator starts empty all the same\n", o.Dir)
	}
	s, err := devstack.Start(c.Context(), o)
	if err != nil {
		return err
	}
	go tellFallen(s, o.Log)
	code, err := s.Run(c.Context(), devstack.Command{
		Args: args, Stdin: c.InOrStdin(), Stdout: c.OutOrStdout(), Stderr: c.ErrOrStderr(),
		Interrupt: func() os.Signal { return passOn(c.Context()) },
	})
	if err := stopAfter(s, err); err != nil {
		return err
	}
	return exit(code)
}

// passOn says which signal the command is to get: that which ended us, but for Ctrl-C in a terminal, which the terminal
// gave to the command too, and twice may mean "at once".
func passOn(ctx context.Context) os.Signal {
	sig := signalled{syscall.SIGTERM}
	errors.As(context.Cause(ctx), &sig)
	if sig.Signal == syscall.SIGINT && isatty.IsTerminal(os.Stdin.Fd()) {
		return nil
	}
	return sig.Signal
}

func tellFallen(s *devstack.Stack, log io.Writer) {
	for fallen := range s.Fallen() {
		_, _ = fmt.Fprintf(log, "devstack: %s: %v\n", fallen.Name, fallen.How)
	}
}

// stop ends the set in order, whatever ended us; a second signal makes it abrupt.
func stop(s *devstack.Stack) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	ctx, release := signal.NotifyContext(ctx, stopSignals...)
	defer release()
	return s.Stop(ctx)
}
