package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/publication"
)

// publicationID is the operation that publishing under ref belongs to. Under a slug whose content was removed through
// postonce a new content is another operation, and a person says so: it must not happen because a script ran twice.
func (a *app) publicationID(ctx context.Context, ref publication.Reference, again bool) (publication.OperationID, error) {
	first := publication.PublishID(ref.Owner, ref.Slug)
	n, removed, err := a.generation(ctx, ref)
	switch {
	case errors.Is(err, errNoLedger) && again:
		return "", usage("--again: only the ledger knows what was removed", "set DATABASE_URL to the worker's ledger")
	case errors.Is(err, errNoLedger):
		return first, nil
	case err != nil && again:
		return "", failed(fmt.Errorf("--again: the ledger, which knows what was removed, could not be asked: %w", err))
	case err != nil:
		a.say("the ledger could not be asked (%s); the worker asks it before anything is sent", err)
		return first, nil
	}
	switch {
	case again && !removed:
		return "", a.notRemoved(ctx, ref, n)
	case again:
		return publication.PublishAgainID(ref.Owner, ref.Slug, n+1), nil
	case removed:
		return "", a.wasRemoved(ctx, ref, n)
	}
	return publication.PublishAgainID(ref.Owner, ref.Slug, n), nil
}

// wasRemoved says how the publication of a generation went, and how to publish it anew.
func (a *app) wasRemoved(ctx context.Context, ref publication.Reference, n int) error {
	how := fmt.Sprintf("%s was removed (%s), so nothing was started", ref, publication.RemoveID(ref.Owner, ref.Slug, n))
	switch gone := a.gone(ctx, ref, n); {
	case gone.Kind() == publication.KindRemove:
		how = fmt.Sprintf("%s was removed (%s), so nothing was started", ref, gone)
	case gone != "":
		how = fmt.Sprintf("%s was deleted elsewhere, as %s tells, so nothing was started", ref, gone)
	}
	return usage(how, "`--again` publishes it anew, as another content: votes, comments and history of the old one are gone")
}

// notRemoved says why a slug may not be published again: its publication is there, or nobody knows whether it is.
func (a *app) notRemoved(ctx context.Context, ref publication.Reference, n int) error {
	removal, state := a.newestTry(ctx, publication.RemoveID(ref.Owner, ref.Slug, max(n, 1)))
	publish := publication.PublishAgainID(ref.Owner, ref.Slug, n)
	switch {
	case state == publication.StateUnknown:
		return usage(fmt.Sprintf("--again: whether %s was removed is not known yet: %s is unknown", ref, removal),
			fmt.Sprintf("decide it first: `starter status %s` shows what was seen, and `starter resolve %s` takes --adopt %s (it is removed), --not-created (it is not) or --abandon", removal, removal, ref))
	case state == publication.StateAbandoned:
		return usage(fmt.Sprintf("--again: whether %s was removed is not known: %s was abandoned", ref, removal),
			fmt.Sprintf("`starter status %s` shows whether it was found deleted since; while it can be read, `starter remove %s` tries again", publish, ref))
	case state != "" && !state.Settled():
		return usage(fmt.Sprintf("--again: whether %s was removed is not known yet: %s is %s", ref, removal, state),
			fmt.Sprintf("wait for it: `starter status %s --watch`", removal))
	}
	return usage(fmt.Sprintf("--again: %s was not removed through postonce, nor is it known to be deleted elsewhere", ref),
		fmt.Sprintf("publish it without --again; `starter status %s` shows whether it is there", publish))
}

// newestPublication is the publish operation that ref means: the newest one where the ledger can tell it, else the
// first. The newest generation may be content that was taken up, which no operation published.
func (a *app) newestPublication(ctx context.Context, ref publication.Reference) publication.OperationID {
	n, _, err := a.generation(ctx, ref)
	switch {
	case errors.Is(err, errNoLedger):
		return publication.PublishID(ref.Owner, ref.Slug)
	case err != nil:
		a.say("the ledger could not be asked (%s); the first publication of %s is meant", err, ref)
		return publication.PublishID(ref.Owner, ref.Slug)
	}
	for generation := n; generation > 1; generation-- {
		if op := publication.PublishAgainID(ref.Owner, ref.Slug, generation); a.inLedger(ctx, op) {
			return op
		}
	}
	if first := publication.PublishID(ref.Owner, ref.Slug); a.inLedger(ctx, first) {
		return first
	}
	return publication.PublishAgainID(ref.Owner, ref.Slug, n)
}
