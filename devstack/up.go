package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"postonce/internal/devstack"
)

func upCommand() *cobra.Command {
	o := devstack.Options{UsualPorts: true, Steps: true}
	c := &cobra.Command{
		Use:   "up [flags]",
		Short: "Start everything on the usual ports and keep it running until Ctrl-C",
		Args:  cobra.NoArgs,
		RunE:  action(func(c *cobra.Command, _ []string) error { return up(c, o) }),
	}
	stackFlags(c, &o)
	return c
}

func up(c *cobra.Command, o devstack.Options) error {
	o.Log = c.ErrOrStderr()
	s, err := devstack.Start(c.Context(), o)
	if err != nil {
		return err
	}
	if err := invite(c.OutOrStdout(), s); err != nil {
		return stopAfter(s, err)
	}
	select {
	case <-c.Context().Done():
		_, _ = fmt.Fprintln(o.Log, "devstack: stopping; once more to stop at once")
		return stop(s)
	case fallen := <-s.Fallen():
		return stopAfter(s, fmt.Errorf("%s: %w", fallen.Name, fallen.How))
	}
}

// stopAfter stops the set, and returns both what went wrong before, if anything did, and while stopping.
func stopAfter(s *devstack.Stack, err error) error { return errors.Join(err, stop(s)) }

// invite prints where everything is, and what to try.
func invite(w io.Writer, s *devstack.Stack) error {
	file, err := s.WriteEnv()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, `
Web UI    %s
Temporal  %s
TabNews   %s
Postgres  127.0.0.1:%d

In another terminal:

  . %s
  bin/starter publish examples/ola.md
  bin/starter list

Ctrl-C stops everything.
`, s.UIURL(), s.TemporalAddress(), s.TabNewsURL(), s.PostgresPort(), file)
	return err
}
