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

// removalID is the first try of the removal of the newest publication under ref. there is the content that can be read,
// or nil. What stands there after that publication was removed is somebody else's doing, and no removal of ours is about
// it; but the same content may be there again.
func (a *app) removalID(ctx context.Context, ref publication.Reference, there *publication.Base) (publication.OperationID, error) {
	n, removed, err := a.generation(ctx, ref)
	switch {
	case errors.Is(err, errNoLedger):
		n = 1
	case err != nil:
		return "", failed(fmt.Errorf("remove: the ledger, which knows what was published again, could not be asked: %w", err))
	case removed && there != nil:
		return a.removalAnew(ctx, ref, n, there.ID)
	}
	return publication.RemoveID(ref.Owner, ref.Slug, n), nil
}

// removalAnew is the removal of what stands where a publication is gone.
func (a *app) removalAnew(ctx context.Context, ref publication.Reference, n int, id string) (publication.OperationID, error) {
	gone := a.gone(ctx, ref, n)
	s, err := a.recorded(ctx, gone)
	back := err == nil && s.Identity != nil && s.Identity.ID == id
	switch {
	case back && gone.Kind() == publication.KindRemove: // its number is used up
		a.say("%s is there again, although %s was accepted", ref, gone)
		return publication.RemoveID(ref.Owner, ref.Slug, n+1), nil
	case back:
		return publication.RemoveID(ref.Owner, ref.Slug, n), nil
	case gone != "" && gone.Kind() != publication.KindRemove:
		return "", usage(fmt.Sprintf("remove: %s was deleted elsewhere, as %s tells, and what is there now was not published with postonce", ref, gone),
			"take it up first: `starter track "+ref.String()+"`")
	case gone == "":
		gone = publication.RemoveID(ref.Owner, ref.Slug, n)
	}
	return "", usage(fmt.Sprintf("remove: %s was removed (%s), and what is there now was not published with postonce", ref, gone),
		"take it up first: `starter track "+ref.String()+"`")
}

// whatGoes reads the content, and names its removal. Nil without an error: nothing is to be removed, which is shown.
func (a *app) whatGoes(ctx context.Context, e engine, ref publication.Reference) (publication.OperationID, *terminal.Removal, error) {
	base, content, absence := a.current(ctx, ref)
	there := &base
	var absent *tabnews.NotFoundError
	switch {
	case absence == nil:
		ref.Owner = content.OwnerUsername
	case !errors.As(absence, &absent):
		return "", nil, absence
	default:
		there = nil
	}
	op, err := a.removalID(ctx, ref, there)
	if err != nil {
		return "", nil, err
	}
	if there == nil {
		return a.whatGoesUnread(ctx, e, op, absence)
	}
	op = a.tryOf(ctx, op)
	return op, &terminal.Removal{Base: base, Account: op.Account(), Site: a.site(), Comments: content.ChildrenDeepCount, TabCoins: content.TabCoins}, nil
}

// whatGoesUnread is for what no route shows: it is gone already, or it is a draft of ours.
func (a *app) whatGoesUnread(ctx context.Context, e engine, op publication.OperationID, absence error) (publication.OperationID, *terminal.Removal, error) {
	ref := op.Reference()
	if gone := a.gone(ctx, ref, op.Generation()); gone != "" && gone.Kind() != publication.KindRemove {
		return op, nil, a.showDeleted(ctx, ref, gone)
	}
	newest := a.newestRecorded(ctx, op)
	first, err := a.earlierRemoval(ctx, e, newest)
	if first == nil && err == nil && newest.Try() > 1 { // it changed nothing, and the one before was abandoned
		first, err = a.earlierRemoval(ctx, e, newest.WithTry(newest.Try()-1))
	}
	if err != nil {
		return op, nil, err
	}
	if first != nil && first.State != publication.StateAbandoned {
		return op, nil, a.show(*first)
	}
	publish := publication.PublishAgainID(op.Account(), ref.Slug, op.Generation())
	draft, unstored := a.acceptedDraft(ctx, e, publish)
	var public *publication.Snapshot
	if unstored == nil {
		if public, err = a.madePublic(ctx, e, publish, draft); err != nil {
			return op, nil, err
		}
	}
	switch {
	case unstored == nil && public == nil:
		op = a.tryOf(ctx, op)
		return op, &terminal.Removal{Base: draft, Account: op.Account(), Site: a.site()}, nil
	case first != nil:
		a.say("%s was abandoned, and %s cannot be read now: it is removed, or hidden, and reading cannot tell which; nothing was started, for what cannot be read cannot be compared with what goes. Once it can be read again, this command tries again; once it is known to be deleted, `starter publish --again` takes the slug anew", first.Operation, ref)
		return op, nil, a.show(*first)
	case public != nil:
		return op, nil, noDraft("remove", publish, *public)
	}
	return op, nil, notPublic(absence, "remove", "and no draft of yours is known there, so nothing was started")
}

// showDeleted shows the publication whose content somebody else deleted.
func (a *app) showDeleted(ctx context.Context, ref publication.Reference, gone publication.OperationID) error {
	s, err := a.recorded(ctx, gone)
	if err != nil {
		return failed(err)
	}
	a.say("%s is gone already: it was deleted elsewhere; nothing was started or sent now", ref)
	s.RemoteStatus = publication.StatusDeleted // a change of ours may be where it was noted
	s.Known, s.NextAction = s.KnownWords(), s.NextWords()
	return a.show(s)
}

// earlierRemoval is a removal that may be what made the content go, or nil. One in doubt is taken up where its workflow
// was cancelled: the doubt is still there.
func (a *app) earlierRemoval(ctx context.Context, e engine, op publication.OperationID) (*publication.Snapshot, error) {
	first, err := a.existing(ctx, e, op)
	switch {
	case err != nil:
		return nil, err
	case first != nil:
		if first.State != publication.StateAbandoned {
			a.say("%s was started before; nothing was started or sent now", op)
		}
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
