package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/tabnews"
	"postonce/workflows"
)

// removalID is the removal of the newest publication under ref. What stands there after that one was removed is
// somebody else's doing, and no removal of ours is about it.
func (a *app) removalID(ctx context.Context, ref publication.Reference, isThere bool) (publication.OperationID, error) {
	n, removed, err := a.generation(ctx, ref)
	switch {
	case err == nil && removed && isThere:
		return "", usage(fmt.Sprintf("remove: %s was removed (%s), and what is there now was not published with postonce", ref, publication.RemoveID(ref.Owner, ref.Slug, n)),
			"take it up first: `starter track "+ref.String()+"`")
	case errors.Is(err, errNoLedger):
		n = 1
	case err != nil:
		return "", failed(fmt.Errorf("remove: the ledger, which knows what was published again, could not be asked: %w", err))
	}
	return publication.RemoveID(ref.Owner, ref.Slug, n), nil
}

// whatGoes reads the content, and names its removal. Nil without an error: nothing is public there because this removal
// took place, which is shown.
func (a *app) whatGoes(ctx context.Context, e engine, ref publication.Reference) (publication.OperationID, *terminal.Removal, error) {
	base, content, absence := a.current(ctx, ref)
	var absent *tabnews.NotFoundError
	switch {
	case absence == nil:
		ref.Owner = content.OwnerUsername
	case !errors.As(absence, &absent):
		return "", nil, absence
	}
	op, err := a.removalID(ctx, ref, absence == nil)
	if err != nil {
		return "", nil, err
	}
	if absence != nil {
		goes, err := a.whatGoesUnread(ctx, e, op, absence)
		return op, goes, err
	}
	return op, &terminal.Removal{Base: base, Account: op.Account(), Site: a.site(), Comments: content.ChildrenDeepCount, TabCoins: content.TabCoins}, nil
}

// whatGoesUnread is for what no route shows: it was removed already, or it is a draft of ours.
func (a *app) whatGoesUnread(ctx context.Context, e engine, op publication.OperationID, absence error) (*terminal.Removal, error) {
	first, err := a.earlierRemoval(ctx, e, op)
	if err != nil {
		return nil, err
	}
	if first != nil {
		return nil, a.show(*first)
	}
	draft, err := a.acceptedDraft(ctx, e, publication.PublishAgainID(op.Account(), op.Reference().Slug, op.Generation()))
	if err != nil {
		return nil, notPublic(absence, "remove", "and no draft of yours is known there, so nothing was started")
	}
	return &terminal.Removal{Base: draft, Account: op.Account(), Site: a.site()}, nil
}

// earlierRemoval is a removal that may be what made the content go, or nil. One in doubt is taken up where its workflow
// was cancelled: the doubt is still there.
func (a *app) earlierRemoval(ctx context.Context, e engine, op publication.OperationID) (*publication.Snapshot, error) {
	first, err := a.existing(ctx, e, op)
	switch {
	case err != nil:
		return nil, err
	case first != nil:
		a.say("%s was started before; nothing was started or sent now", op)
		return first, nil
	}
	if !a.inDoubt(ctx, op) {
		return nil, nil
	}
	s, err := a.lookup(ctx, e, op)
	if err == nil {
		s, err = a.takeUpUnknown(ctx, e, s)
	}
	return &s, err
}

func removalOf(op publication.OperationID, base publication.Base, by string) workflows.PublishInput {
	p := base.Payload
	p.Status = publication.StatusDeleted
	return changeOf(op, base, p, by)
}

// typedConsent has the slug typed, unless --confirm gave it, which was checked against it.
func (a *app) typedConsent(slug, confirmed string) consent {
	return func(ctx context.Context, in *workflows.PublishInput) error {
		if confirmed == "" {
			typed, err := a.ask(ctx, "Type the slug to delete "+in.Operation.Reference().String(), "Deleted by "+in.ProposedBy+"; it cannot be undone.")
			if err != nil {
				return err
			}
			if typed != slug {
				return usage(fmt.Sprintf("remove: %q is not the slug; nothing was started", publication.Clip(typed, 60)), "type "+slug+", if that is what is to go")
			}
		}
		in.ApprovedBy = in.ProposedBy
		return nil
	}
}
