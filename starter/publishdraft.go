package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/workflows"
)

// publishDraftFlags are the choices of `starter publish-draft`.
type publishDraftFlags struct {
	approvalFlags
	scheduleFlags
}

func (a *app) publishDraftCommand() *cobra.Command {
	var flags publishDraftFlags
	cmd := &cobra.Command{
		Use:   "publish-draft OP|REF",
		Short: "Make a draft that TabNews accepted public, by a change of that draft",
		Long: `Show the payload of an accepted draft as it becomes public, ask for an approval of its own, and publish that very
draft: the request changes its status and nothing else. It never creates content.

OP is the operation that stored the draft; ACCOUNT/SLUG finds it too.`,
		Example: "  starter publish-draft ana/rascunho\n  starter publish-draft publish/ana/rascunho --yes --by ana",
		Args:    oneArgument("OP or REF"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.publishDraft(cmd.Context(), args[0], flags)
		},
	}
	flags.approvalFlags.register(cmd.Flags())
	flags.registerSchedule(cmd.Flags())
	return cmd
}

func (a *app) publishDraft(ctx context.Context, arg string, flags publishDraftFlags) error {
	if err := a.checkApproval("publish-draft", flags.approvalFlags); err != nil {
		return err
	}
	schedule, err := flags.wanted()
	if err != nil {
		return err
	}
	op, err := a.draftOperation(ctx, arg)
	if err != nil {
		return err
	}
	_, by, err := a.own(ctx, op.Reference(), flags.approvalFlags)
	if err != nil {
		return err
	}
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	base, err := a.acceptedDraft(ctx, e, op)
	if err != nil {
		return err
	}
	in := publicOf(op, base, by)
	in.Operation = a.tryOf(ctx, in.Operation)
	if err := a.mayPublish(ctx, e, op, in); err != nil {
		return err
	}
	in.Schedule = a.heldTime(ctx, in.Operation, schedule)
	a.preview(a.drawPreview(terminal.Preview{Payload: in.Payload, Base: &base, Account: op.Account(), Site: a.site(), Schedule: in.Schedule}))
	return a.submit(ctx, e, in, flags.noWait, a.approval(flags.approvalFlags))
}

// publicOf is the change that publishes a draft, and leaves all else as it was accepted.
func publicOf(op publication.OperationID, draft publication.Base, by string) workflows.PublishInput {
	p := draft.Payload
	p.Status = publication.StatusPublished
	return changeOf(publication.ReviseID(op.Account(), p.Slug, draft.Version()), draft, p, by)
}

// draftOperation reads OP or REF; a REF means the newest publication under it.
func (a *app) draftOperation(ctx context.Context, arg string) (publication.OperationID, error) {
	if ref, err := a.reference(arg); err == nil {
		return a.newestPublication(ctx, ref), nil
	}
	op, err := operationOf(arg)
	if err == nil && op.Kind() != publication.KindPublish {
		err = usage(string(op)+": does not store a draft", "name the publish operation that did; `starter list` shows the operations")
	}
	return op, err
}

// acceptedDraft is the draft as it was approved and accepted: no route shows it, so there is nothing newer to read.
func (a *app) acceptedDraft(ctx context.Context, e engine, op publication.OperationID) (publication.Base, error) {
	s, err := a.lookup(ctx, e, op)
	if err != nil {
		return publication.Base{}, err
	}
	switch {
	case s.State != publication.StateAccepted || s.Identity == nil:
		return publication.Base{}, usage(fmt.Sprintf("%s: is %s, so there is no draft that TabNews accepted", op, s.State), fmt.Sprintf("look with `starter status %s`", op))
	case s.Identity.Status != publication.StatusDraft:
		return publication.Base{}, usage(fmt.Sprintf("%s: TabNews accepted it as %s, not as a draft", op, s.Identity.Status), "there is no draft to publish")
	}
	in, err := a.startedWith(ctx, e, s)
	return publication.Base{ID: s.Identity.ID, Payload: in.Payload}, err
}

// mayPublish refuses to start where another change made the draft public already, or may have. The same change is no
// other one, and what was abandoned is tried again.
func (a *app) mayPublish(ctx context.Context, e engine, op publication.OperationID, in workflows.PublishInput) error {
	public, err := a.madePublic(ctx, e, op, *in.Base)
	if err != nil || public == nil || public.Operation == in.Operation {
		return err
	}
	switch public.State {
	case publication.StateAccepted, publication.StateSending, publication.StateUnknown:
		return noDraft("publish-draft", op, *public)
	}
	return nil
}
