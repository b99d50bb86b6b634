package main

import (
	"context"

	"github.com/spf13/cobra"

	"postonce/publication"
	"postonce/workflows"
)

// cancelFlags are the choices of `starter cancel`.
type cancelFlags struct {
	by, reason string
	yes        bool
}

func (a *app) cancelCommand() *cobra.Command {
	var flags cancelFlags
	cmd := &cobra.Command{
		Use:   "cancel OP",
		Short: "Withdraw what was not sent yet",
		Long: `Withdraw what was not sent yet: its approval is void, its workflow ends, and nothing is sent unless somebody starts and
approves it again. What is being sent cannot be taken back, and what is unknown is decided with starter resolve. Where
nobody can be asked, the command itself is the decision.`,
		Example: "  starter cancel publish/ana/ola --reason 'not this week'",
		Args:    oneArgument("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			op, err := a.operation(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.cancel(cmd.Context(), op, flags)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.by, "by", "", "who withdraws it (default: your login name)")
	f.StringVar(&flags.reason, "reason", "", "why, in your words; kept with the decision")
	f.BoolVar(&flags.yes, "yes", false, "do not ask at a terminal")
	return cmd
}

func (a *app) cancel(ctx context.Context, op publication.OperationID, flags cancelFlags) error {
	by, err := a.person(flags.by)
	if err != nil {
		return err
	}
	e, s, err := a.open(ctx, op)
	if err != nil {
		return err
	}
	defer e.Close()
	if a.prompt != nil && !flags.yes && unsent(s) {
		if err := a.confirm(ctx, "Withdraw "+string(op)+"?", "decided by "+by+"; nothing is sent", "Yes, withdraw it"); err != nil {
			return err
		}
	}
	input := workflows.CancelInput{By: by, Reason: flags.reason, ID: newDecisionID()}
	return a.decide(ctx, e, decision{op, workflows.SignalCancel, input.ID, input}, false)
}
