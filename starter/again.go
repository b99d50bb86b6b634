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
	newest := publication.PublishAgainID(ref.Owner, ref.Slug, n)
	switch {
	case again && !removed && a.inDoubt(ctx, publication.RemoveID(ref.Owner, ref.Slug, max(n, 1))):
		return "", usage(fmt.Sprintf("--again: whether %s was removed is not known yet", ref),
			fmt.Sprintf("decide its removal first: `starter status %s`", publication.RemoveID(ref.Owner, ref.Slug, max(n, 1))))
	case again && !removed:
		return "", usage(fmt.Sprintf("--again: %s was not removed through postonce", ref),
			fmt.Sprintf("publish it without --again; `starter status %s` shows whether it is there", newest))
	case again:
		return publication.PublishAgainID(ref.Owner, ref.Slug, n+1), nil
	case removed:
		return "", usage(fmt.Sprintf("%s was removed (%s), so nothing was started", ref, publication.RemoveID(ref.Owner, ref.Slug, n)),
			"`--again` publishes it anew, as another content: votes, comments and history of the old one are gone")
	}
	return newest, nil
}

// newestPublication is the publish operation that ref means: the newest one where the ledger can tell it, else the
// first.
func (a *app) newestPublication(ctx context.Context, ref publication.Reference) publication.OperationID {
	n, _, err := a.generation(ctx, ref)
	if err != nil {
		n = 1
	}
	return publication.PublishAgainID(ref.Owner, ref.Slug, n)
}
