package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"postonce/internal/devstack"
)

func setupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "setup",
		Short: "Install what the set needs and this machine lacks: the Temporal server, Postgres",
		Args:  cobra.NoArgs,
		RunE: action(func(c *cobra.Command, _ []string) error {
			_, err := devstack.Setup(c.Context(), devstack.BinDir(), func(format string, args ...any) {
				_, _ = fmt.Fprintf(c.ErrOrStderr(), "devstack: "+format+"\n", args...)
			})
			return err
		}),
	}
}
