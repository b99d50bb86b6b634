package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"postonce/publication"
	"postonce/workflows"
)

func (a *app) resolveCommand() *cobra.Command {
	var flags resolveFlags
	cmd := &cobra.Command{
		Use:   "resolve OP (--adopt REF | --not-created | --abandon)",
		Short: "Decide what an unknown attempt did",
		Long: `Show what was seen of an unknown attempt and what was found since, and take a person's decision about it:

  --adopt REF     it created this content; the content is read and must match the payload
  --not-created   it created nothing; exactly one new attempt follows, unless the content can be read
  --abandon       close the operation; nothing is sent any more

A decision names its attempt and its reason, and is kept with them.`,
		Example: `  starter resolve publish/ana/ola --attempt 1 --adopt ana/ola --reason "it is there, I read it"
  starter resolve publish/ana/ola --attempt 1 --not-created --reason "the support of TabNews says so"`,
		Args: oneArgument("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			op, err := operationOf(args[0])
			if err != nil {
				return err
			}
			return a.resolve(cmd.Context(), op, flags)
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

func (a *app) resolve(ctx context.Context, op publication.OperationID, flags resolveFlags) error {
	input, err := a.resolveInput(flags)
	if err != nil {
		return err
	}
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	if err := a.mustBeOpen(ctx, e, op); err != nil {
		return err
	}
	s, err := a.lookup(ctx, e, op)
	if err != nil {
		return err
	}
	// The evidence and the candidates come before any decision.
	a.say("%s", a.view(s).Evidence())
	if err := a.completeInput(ctx, s, &input); err != nil {
		return err
	}
	return a.decide(ctx, e, decision{op, workflows.SignalResolve, input.ID, input}, flags.wait)
}

// completeInput asks a person for what the flags leave open, and for a confirmation.
func (a *app) completeInput(ctx context.Context, s publication.Snapshot, input *workflows.ResolveInput) error {
	last := s.LastAttempt()
	if last == nil {
		return usage(fmt.Sprintf("%s: there is no attempt to decide on; it is %s", s.Operation, s.State), s.State.NextSafeAction())
	}
	if input.Attempt == 0 {
		input.Attempt = last.Number
	}
	if input.Reason == "" {
		reason, err := a.ask(ctx, "Why?", "The reason is kept with the decision.")
		if err != nil {
			return err
		}
		input.Reason = reason
	}
	if a.prompt == nil {
		return nil
	}
	question, affirmative := questionOf(s, *input)
	return a.confirm(ctx, question, "decided by "+input.By+": "+input.Reason, affirmative)
}

// questionOf names what would follow, so that no new attempt is one keystroke away.
func questionOf(s publication.Snapshot, input workflows.ResolveInput) (question, affirmative string) {
	attempt := fmt.Sprintf("attempt %d of %s", input.Attempt, s.Operation)
	switch input.Decision {
	case publication.DecisionAdopt:
		return fmt.Sprintf("Did %s create %s?", attempt, input.Reference), "Yes, adopt it"
	case publication.DecisionAbandon:
		return fmt.Sprintf("Close %s, with %s unknown for ever?", s.Operation, attempt), "Yes, send nothing any more"
	}
	return fmt.Sprintf("Did %s create nothing? One new attempt is sent then.", attempt), "Yes, nothing was created"
}
