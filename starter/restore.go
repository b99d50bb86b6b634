package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"postonce/publication"
)

func (a *app) restoreCommand() *cobra.Command {
	var flags changeFlags
	cmd := &cobra.Command{
		Use:   "restore OP",
		Short: "Change a content back to the version that an edit started from",
		Long: `Show what would bring back the version that the edit OP started from, ask, and make that change: an operation of its
own, from the version that is there now. Whatever was changed since goes back too, and is in the difference.`,
		Example: "  starter restore revise/ana/ola/20260304T050607-089Z",
		Args:    oneArgument("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			op, err := operationOf(args[0])
			if err != nil {
				return err
			}
			return a.restore(cmd.Context(), op, flags)
		},
	}
	flags.registerChange(cmd)
	return cmd
}

func (a *app) restore(ctx context.Context, op publication.OperationID, flags changeFlags) error {
	if err := a.checkRestore(op, flags); err != nil {
		return err
	}
	ref, by, err := a.own(ctx, op.Reference(), flags.approvalFlags)
	if err != nil {
		return err
	}
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	kept, err := a.keptBase(ctx, e, op)
	if err != nil {
		return err
	}
	r, err := a.backTo(ctx, ref, op, kept)
	if err != nil {
		return err
	}
	if r.changesNothing() {
		return a.nothingToChange(r, "reads exactly as the base of "+string(op)+": there is nothing to restore")
	}
	a.showRevision(r, flags.sideBySide)
	in := r.input(by)
	in.Operation = a.tryOf(ctx, in.Operation)
	return a.submit(ctx, e, in, flags.noWait, a.approval(flags.approvalFlags))
}

func (a *app) checkRestore(op publication.OperationID, flags changeFlags) error {
	switch {
	case op.Kind() != publication.KindRevise:
		return usage(string(op)+": only an edit has a version to go back to", "name a revise operation; `starter list` shows the operations")
	case fromDraft(op):
		return usage(string(op)+": started from a draft, and TabNews takes no publication back", "`starter remove "+op.Reference().String()+"` deletes it")
	}
	return a.checkApproval("restore", flags.approvalFlags)
}

// keptBase is the version that an edit started from. An edit that never left changed nothing, and its base is no reason
// to undo what others did since.
func (a *app) keptBase(ctx context.Context, e engine, op publication.OperationID) (publication.Base, error) {
	s, err := a.lookup(ctx, e, op)
	if err != nil {
		return publication.Base{}, err
	}
	switch s.State {
	case publication.StateProposed, publication.StatePlanned, publication.StateRejected:
		return publication.Base{}, usage(fmt.Sprintf("%s: is %s and changed nothing", op, s.State), "there is nothing to restore")
	case publication.StateSending:
		return publication.Base{}, usage(fmt.Sprintf("%s: is under way", op), fmt.Sprintf("wait for it: `starter status %s --watch`", op))
	}
	in, err := a.startedWith(ctx, e, s)
	if err != nil {
		return publication.Base{}, err
	}
	if in.Base == nil {
		return publication.Base{}, failed(fmt.Errorf("%s: no base is recorded with it", op))
	}
	return *in.Base, nil
}

// backTo gives the content of now the text of the version that was kept. Under the slug another content may stand by
// now, which no edit of ours ever changed.
func (a *app) backTo(ctx context.Context, ref publication.Reference, op publication.OperationID, kept publication.Base) (revision, error) {
	base, content, err := a.current(ctx, ref)
	if err != nil {
		return revision{}, notPublic(err, "restore", "nothing was started; what was deleted or hidden cannot be changed")
	}
	if kept.ID != "" && kept.ID != base.ID {
		return revision{}, usage(fmt.Sprintf("%s: changed the content %s, and another one, %s, is there now", op, kept.ID, base.ID), "`starter edit "+ref.String()+" FILE` changes that one")
	}
	p := base.Payload
	p.Title, p.Body, p.SourceURL = kept.Payload.Title, kept.Payload.Body, kept.Payload.SourceURL
	text, err := prepareChange(p, base.Payload)
	if err != nil {
		return revision{}, badInput(fmt.Errorf("%s: its base cannot be sent as it is: %w", op, err))
	}
	return revision{content.OwnerUsername, base, text}, nil
}
