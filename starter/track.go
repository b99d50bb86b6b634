package main

import (
	"context"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/workflows"
)

func (a *app) trackCommand() *cobra.Command {
	var flags approvalFlags
	cmd := &cobra.Command{
		Use:   "track REF",
		Short: "Take up content that exists already, so that the ledger knows it; sends nothing",
		Args:  oneArgument("REF"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.track(cmd.Context(), args[0], flags)
		},
	}
	flags.registerActor(cmd.Flags(), "who takes it up (default: your login name)")
	return cmd
}

func (a *app) track(ctx context.Context, arg string, flags approvalFlags) error {
	ref, by, err := a.ownReference(ctx, arg, flags)
	if err != nil {
		return err
	}
	base, content, err := a.current(ctx, ref)
	if err != nil {
		return notPublic(err, "track", "only what is public can be taken up")
	}
	a.say("%s %s, id %s", terminal.Bold(content.Reference().String()), terminal.Line(content.Title), content.ID)
	in := workflows.PublishInput{
		Operation: publication.TrackID(content.OwnerUsername, content.Slug), Payload: base.Payload, Digest: base.Payload.Digest(), ProposedBy: by,
	}
	return a.submitHere(ctx, in, flags.noWait, unasked)
}

// unasked is the consent to what sends nothing: the command itself is the order.
func unasked(_ context.Context, in *workflows.PublishInput) error {
	in.ApprovedBy = in.ProposedBy
	return nil
}
