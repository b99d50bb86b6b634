package main

import (
	"context"

	"github.com/spf13/cobra"

	"postonce/publication"
	"postonce/workflows"
)

func (a *app) recheckCommand() *cobra.Command {
	var by string
	var wait bool
	cmd := &cobra.Command{
		Use:   "recheck OP",
		Short: "Look again: search for candidates, or read back, also what was accepted long ago; sends nothing",
		Args:  oneArgument("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			op, err := a.operation(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.recheck(cmd.Context(), op, by, wait)
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "who asks (default: your login name)")
	cmd.Flags().BoolVar(&wait, "wait", false, "follow on until it settles or waits for a person")
	return cmd
}

func (a *app) recheck(ctx context.Context, op publication.OperationID, by string, wait bool) error {
	by, err := a.person(by)
	if err != nil {
		return err
	}
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	if s, closed := a.closedAccepted(ctx, e, op); closed {
		return a.look(ctx, e, s, by)
	}
	if err := a.mustBeOpen(ctx, e, op); err != nil {
		return err
	}
	id := newDecisionID()
	return a.decide(ctx, e, decision{op, workflows.SignalRecheck, id, workflows.RecheckInput{By: by, ID: id}}, wait)
}
