package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"postonce/publication"
)

// removeFlags are the choices of `starter remove`.
type removeFlags struct {
	approvalFlags
	confirm string
}

func (a *app) removeCommand() *cobra.Command {
	var flags removeFlags
	cmd := &cobra.Command{
		Use:   "remove REF",
		Short: "Delete a content at TabNews, after you typed its slug",
		Long: `Show what would go with REF and what it costs, have its slug typed, and delete it by one request. The deletion has an
approval of its own: neither --yes nor any other approval stands for it.`,
		Example: "  starter remove ana/ola\n  starter remove ana/ola --confirm ola --by ana",
		Args:    oneArgument("REF"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.remove(cmd.Context(), args[0], flags)
		},
	}
	f := cmd.Flags()
	flags.registerActor(f, "who decides (default: your login name)")
	f.StringVar(&flags.confirm, "confirm", "", "the content's `SLUG`, in the place of typing it")
	f.BoolVar(&flags.yes, "yes", false, "does not remove: a removal is confirmed by its slug")
	return cmd
}

func (a *app) remove(ctx context.Context, arg string, flags removeFlags) error {
	ref, err := a.checkRemove(arg, flags)
	if err != nil {
		return err
	}
	ref, by, err := a.own(ctx, ref, flags.approvalFlags)
	if err != nil {
		return err
	}
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	op, goes, err := a.whatGoes(ctx, e, ref)
	if err != nil || goes == nil {
		return err
	}
	a.preview(drawn{goes.Heading(), goes.Text()})
	return a.submit(ctx, e, removalOf(op, goes.Base, by), flags.noWait, a.typedConsent(ref.Slug, flags.confirm))
}

// checkRemove makes sure that a person names what goes before anything is looked at.
func (a *app) checkRemove(arg string, flags removeFlags) (publication.Reference, error) {
	ref, err := a.reference(arg)
	switch {
	case err != nil:
		return ref, badInput(err)
	case flags.yes:
		return ref, usage("remove: --yes does not remove", "type the slug at a terminal, or give --confirm "+ref.Slug)
	case flags.confirm == "" && a.prompt == nil:
		return ref, usage("remove: nobody can be asked here, for this is no terminal, and nothing was started", "give --confirm "+ref.Slug)
	case flags.confirm != "" && flags.confirm != ref.Slug:
		return ref, usage(fmt.Sprintf("--confirm: %q is not the slug of %s; nothing was started", publication.Clip(flags.confirm, 60), ref), "give --confirm "+ref.Slug+", if that is what is to go")
	}
	return ref, nil
}
