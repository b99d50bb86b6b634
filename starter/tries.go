package main

import (
	"context"
	"errors"

	"postonce/publication"
)

// newestTry is the newest try of a change that the ledger knows, and its state; op itself and no state where it knows
// none, or cannot be asked.
func (a *app) newestTry(ctx context.Context, op publication.OperationID) (publication.OperationID, publication.State) {
	r, err := a.ledger(ctx)
	if err == nil {
		var newest publication.OperationID
		var state publication.State
		if newest, state, err = r.NewestTry(ctx, op); err == nil {
			return newest, state
		}
	}
	if !errors.Is(err, errNoLedger) {
		a.say("the ledger could not be asked (%s); the worker asks it before anything is sent", err)
	}
	return op, ""
}

// tryOf is the operation that a change is to be: the newest try of it, or the one after where that was abandoned.
func (a *app) tryOf(ctx context.Context, op publication.OperationID) publication.OperationID {
	newest, state := a.newestTry(ctx, op)
	if state != publication.StateAbandoned {
		return newest
	}
	next := newest.WithTry(newest.Try() + 1)
	a.say("%s was abandoned with its outcome unknown; what follows is another try of it, %s", newest, next)
	return next
}

// newestRecorded is newestTry for what only shows: a ledger that cannot be asked is not worth a word there.
func (a *app) newestRecorded(ctx context.Context, op publication.OperationID) publication.OperationID {
	if r, err := a.ledger(ctx); err == nil {
		if newest, _, err := r.NewestTry(ctx, op); err == nil {
			return newest
		}
	}
	return op
}

// gone is the operation that shows that a generation is gone; empty where that is not known.
func (a *app) gone(ctx context.Context, ref publication.Reference, generation int) publication.OperationID {
	r, err := a.ledger(ctx)
	if err != nil {
		return ""
	}
	op, err := r.Gone(ctx, ref.Owner, ref.Slug, generation)
	if err != nil {
		return ""
	}
	return op
}

// underWay is an edit of ours that is not settled, and that seems to have made what is there now; empty when there is
// none, or the ledger cannot tell.
func (a *app) underWay(ctx context.Context, ref publication.Reference, now publication.Payload) publication.OperationID {
	r, err := a.ledger(ctx)
	if err != nil {
		return ""
	}
	inputs, err := r.UnderWay(ctx, ref.Owner, ref.Slug)
	if err != nil {
		return ""
	}
	for _, in := range inputs {
		if in.Operation.Kind() == publication.KindRevise && in.Payload == now {
			return in.Operation
		}
	}
	return ""
}
