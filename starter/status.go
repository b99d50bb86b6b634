package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"postonce/internal/temporalclient"
	"postonce/publication"
)

func (a *app) statusCommand() *cobra.Command {
	var watch bool
	cmd := &cobra.Command{
		Use:   "status OP",
		Short: "Tell the state, what is known, the evidence, and the next safe action",
		Args:  oneArgument("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			op, err := a.operation(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.status(cmd.Context(), op, watch)
		},
	}
	cmd.Flags().BoolVar(&watch, "watch", false, "tell every change, until it can change no more or you press Ctrl-C")
	return cmd
}

func (a *app) status(ctx context.Context, op publication.OperationID, watch bool) error {
	e, err := a.dial(ctx)
	if err != nil {
		return a.statusWithoutTemporal(ctx, op, err)
	}
	defer e.Close()
	s, err := a.lookup(ctx, e, op)
	if err != nil {
		return err
	}
	if watch {
		return a.watch(ctx, e, s)
	}
	return a.show(s)
}

// watch tells changes until the workflow ends. Ctrl-C is the usual way to leave it, so the state that was seen last is
// its result then.
func (a *app) watch(ctx context.Context, e engine, s publication.Snapshot) error {
	run, err := e.Describe(ctx, s.Operation)
	if err != nil || !run.Open {
		return a.show(s)
	}
	if !a.json {
		if err := a.show(s); err != nil {
			return err
		}
	}
	last := s
	end, err := a.follow(ctx, e, s.Operation, func(seen publication.Snapshot) bool { last = seen; return false })
	switch {
	case err == nil:
		return a.show(end)
	case ctx.Err() != nil:
		return a.show(last)
	}
	return err
}

// statusWithoutTemporal asks the ledger: what happened is known there also while Temporal is away.
func (a *app) statusWithoutTemporal(ctx context.Context, op publication.OperationID, cause error) error {
	s, err := a.recorded(ctx, op)
	if err != nil {
		return withoutTemporal(cause, err)
	}
	a.say("%s; what follows is the ledger's record", cause)
	return a.show(s)
}

// withoutTemporal words the failure of both sources.
func withoutTemporal(cause, ledger error) error {
	var unreachable *temporalclient.UnreachableError
	if errors.Is(ledger, errNoLedger) || !errors.As(cause, &unreachable) {
		return failed(cause)
	}
	return failed(fmt.Errorf("%w; and the ledger: %w", cause, ledger))
}
