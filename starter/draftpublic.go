package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/publication"
)

// madePublic is the change of ours that made an accepted draft public, or may have; nil: none did, so that it is a draft
// as far as can be known. The ledger knows every try; without one, Temporal knows the first.
func (a *app) madePublic(ctx context.Context, e engine, op publication.OperationID, draft publication.Base) (*publication.Snapshot, error) {
	ref := op.Reference()
	r, err := a.ledger(ctx)
	if err == nil {
		changes, err := r.Changes(ctx, ref.Owner, ref.Slug, draft.ID)
		if err != nil {
			return nil, failed(fmt.Errorf("the ledger, which knows whether %s was made public, could not be asked: %w", ref, err))
		}
		for i := range changes {
			if mayBePublic(changes[i]) {
				return &changes[i], nil
			}
		}
	}
	if err != nil && !errors.Is(err, errNoLedger) {
		return nil, failed(err)
	}
	run, err := e.Describe(ctx, publication.ReviseID(ref.Owner, ref.Slug, draft.Version()))
	switch {
	case errors.Is(err, errNotKnown):
		return nil, nil
	case err != nil:
		return nil, failed(err)
	}
	s, err := a.known(ctx, e, run)
	if err != nil || !mayBePublic(s) {
		return nil, err
	}
	return &s, nil
}

// mayBePublic reports whether a change may have made its draft public, or met one that was public already: that is what
// refuses it before anything is sent.
func mayBePublic(change publication.Snapshot) bool {
	switch change.State {
	case publication.StateSending, publication.StateUnknown, publication.StateAccepted, publication.StateAbandoned:
		return true
	case publication.StateRejected:
		return len(change.Attempts) == 0
	}
	return false
}

// noDraft refuses what is for a draft alone, where the draft is public by now, or may be.
func noDraft(command string, op publication.OperationID, public publication.Snapshot) error {
	ref := op.Reference()
	is := fmt.Sprintf("%s is %s", public.Operation, public.State)
	if public.State != publication.StateAccepted {
		return usage(fmt.Sprintf("%s: whether %s is still a draft is not known: %s; nothing was started", command, ref, is),
			fmt.Sprintf("look with `starter status %s`, and on TabNews, logged in", public.Operation))
	}
	return usage(fmt.Sprintf("%s: %s was made public (%s) and cannot be read now: it is hidden or deleted, or reading failed; nothing was started", command, ref, is),
		fmt.Sprintf("look on TabNews, logged in; `starter recheck %s` reads it again, and once it can be read, so can what would go with it", op))
}
