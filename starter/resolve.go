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
		Use:   "resolve OP (--adopt REF | --not-created | --abandon | --probe)",
		Short: "Decide what an unknown attempt did",
		Long: `Show what was seen of an unknown attempt and what was found since, and take a person's decision about it:

  --adopt REF     it created this content; the content is read and must match the payload
  --not-created   it created nothing; exactly one new attempt follows, unless the content can be read
  --abandon       close the operation; nothing is sent any more
  --probe         ask TabNews about a draft, which no reading can show: a request that touches its updated_at

Of an edit or a removal read "changed" or "removed" for "created".

A decision names its attempt and its reason, and is kept with them. Where nobody can be asked, the command itself is the
decision.`,
		Example: `  starter resolve publish/ana/ola --attempt 1 --adopt ana/ola --reason "it is there, I read it"
  starter resolve publish/ana/ola --attempt 1 --not-created --reason "the support of TabNews says so"`,
		Args: oneArgument("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			op, err := a.operation(cmd.Context(), args[0])
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
	e, s, err := a.open(ctx, op)
	if err != nil {
		return err
	}
	defer e.Close()
	// The evidence and the candidates come before any decision.
	a.say("%s", a.view(s).Evidence())
	if input.Decision == publication.DecisionProbe {
		a.say("%s", probeWords(s))
	}
	if err := a.completeInput(ctx, s, &input, flags.yes); err != nil {
		return err
	}
	return a.decide(ctx, e, decision{op, workflows.SignalResolve, input.ID, input}, flags.wait)
}

// completeInput asks a person for what the flags leave open, and for a confirmation.
func (a *app) completeInput(ctx context.Context, s publication.Snapshot, input *workflows.ResolveInput, unasked bool) error {
	last := s.OpenAttempt()
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
	if a.prompt == nil || unasked {
		return nil
	}
	question, affirmative := questionOf(s, *input)
	return a.confirm(ctx, question, "decided by "+input.By+": "+input.Reason, affirmative)
}

// questionOf names what would follow, so that no new attempt is one keystroke away.
func questionOf(s publication.Snapshot, input workflows.ResolveInput) (question, affirmative string) {
	attempt := fmt.Sprintf("attempt %d of %s", input.Attempt, s.Operation)
	verb := effectOf(s.Operation)
	switch input.Decision {
	case publication.DecisionAdopt:
		return fmt.Sprintf("Did %s %s %s?", attempt, verb.plain, input.Reference), "Yes, adopt it"
	case publication.DecisionProbe:
		return fmt.Sprintf("Ask TabNews about the draft %s, and touch its updated_at?", s.Reference), "Yes, ask"
	case publication.DecisionAbandon:
		return fmt.Sprintf("Close %s, with %s unknown for ever?", s.Operation, attempt), "Yes, send nothing any more"
	}
	return fmt.Sprintf("Did %s %s nothing? One new attempt is sent then.", attempt, verb.plain), "Yes, nothing was " + verb.past
}

// probeWords say what a probe is before it is ordered.
func probeWords(s publication.Snapshot) string {
	return fmt.Sprintf(`a probe sends PATCH {"status":"draft"} for %s: it changes nothing but updated_at; it shows a draft with its id, or that it is public, or that it is absent, deleted or hidden`, s.Reference)
}
