package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/publication"
)

// lookup tells what is known of an operation, from the best source that answers: the workflow, then the ledger, then
// what Temporal's own records tell.
func (a *app) lookup(ctx context.Context, e engine, op publication.OperationID) (publication.Snapshot, error) {
	run, err := e.Describe(ctx, op)
	switch {
	case errors.Is(err, errNotKnown):
		return a.fromLedger(ctx, op)
	case err != nil:
		return publication.Snapshot{}, failed(err)
	}
	return a.known(ctx, e, run)
}

// fromLedger is the answer where Temporal has none.
func (a *app) fromLedger(ctx context.Context, op publication.OperationID) (publication.Snapshot, error) {
	s, err := a.recorded(ctx, op)
	switch {
	case err == nil:
		return s, nil
	case errors.Is(err, errNotRecorded):
		return s, usage("operation: "+string(op)+" is not known", "`starter list` shows the operations")
	case errors.Is(err, errNoLedger):
		return s, usage("operation: "+string(op)+" is not known to Temporal, which forgets old ones", "set DATABASE_URL to ask the ledger too, or `starter list`")
	}
	return s, failed(err)
}

// known tells what is known of an operation that Temporal has.
func (a *app) known(ctx context.Context, e engine, run execution) (publication.Snapshot, error) {
	ask := e.Status
	if !run.Open {
		ask = e.Result
	}
	s, err := ask(ctx, run.Operation)
	var unanswered *unansweredError
	var ended *endedError
	switch {
	case err == nil && !run.Open:
		return a.repaired(ctx, s), nil
	case err == nil:
		return a.drifted(ctx, s), nil
	case errors.As(err, &unanswered):
		a.say("no worker answered within %s; what follows may be old", queryTimeout)
	case errors.As(err, &ended) && run.Operation.Kind() == publication.KindTrack: // nothing was sent: there is no more to know
		return s, failed(ended)
	case errors.As(err, &ended):
		a.say("%s; while its outcome is unknown, `starter recheck %s` takes it up again", ended, run.Operation)
	default:
		return s, failed(err)
	}
	return a.secondHand(ctx, e, run)
}

// repaired brings a closed workflow's result up to date: it is frozen, and the ledger may have learnt since that the
// record was repaired, or that an abandoned attempt answered late.
func (a *app) repaired(ctx context.Context, s publication.Snapshot) publication.Snapshot {
	if s.LocalRecord == publication.LocalRecorded && s.State == publication.StateAccepted {
		return a.sinceThen(ctx, s)
	}
	r, err := a.recorded(ctx, s.Operation)
	if err != nil || r.Digest != s.Digest {
		return s
	}
	if s.Identity == nil && r.Identity != nil {
		return r
	}
	if s.Identity != nil && r.Identity != nil && *s.Identity == *r.Identity {
		s.LocalRecord = r.LocalRecord
		s.Known, s.NextAction = s.KnownWords(), s.NextWords()
	}
	return a.sinceThen(ctx, s)
}

// sinceThen tells what later operations of ours made of accepted content: a draft was published, or it was removed.
func (a *app) sinceThen(ctx context.Context, s publication.Snapshot) publication.Snapshot {
	kind, id := s.Operation.Kind(), s.Identity
	if s.State != publication.StateAccepted || id == nil || kind != publication.KindPublish && kind != publication.KindTrack {
		return s
	}
	ref, before := s.Operation.Reference(), s.RemoteStatus
	accepted := func(op publication.OperationID) bool {
		r, err := a.recorded(ctx, op)
		return err == nil && r.State == publication.StateAccepted && r.Identity != nil && r.Identity.ID == id.ID
	}
	draft := publication.Base{ID: id.ID}
	switch {
	case accepted(a.newestRecorded(ctx, publication.RemoveID(ref.Owner, ref.Slug, s.Operation.Generation()))):
		s.RemoteStatus = publication.StatusDeleted
	case id.Status == publication.StatusDraft && accepted(a.newestRecorded(ctx, publication.ReviseID(ref.Owner, ref.Slug, draft.Version()))):
		s.RemoteStatus = publication.StatusPublished
	}
	if s.RemoteStatus != publication.StatusDeleted && a.hidden(ctx, s) {
		s.RemoteStatus = publication.StatusFirewall
	}
	if s.RemoteStatus != before {
		s.Known, s.NextAction = s.KnownWords(), s.NextWords()
	}
	return a.drifted(ctx, s)
}

// hidden tells whether the ledger has learnt that the firewall hides this content.
func (a *app) hidden(ctx context.Context, s publication.Snapshot) bool {
	r, err := a.recorded(ctx, s.Operation)
	return err == nil && r.RemoteStatus == publication.StatusFirewall && r.Identity != nil && r.Identity.ID == s.Identity.ID
}

// secondHand is the ledger's record, or what Temporal tells without a worker.
func (a *app) secondHand(ctx context.Context, e engine, run execution) (publication.Snapshot, error) {
	s, err := a.recorded(ctx, run.Operation)
	if err == nil {
		return s, nil
	}
	if !errors.Is(err, errNoLedger) && !errors.Is(err, errNotRecorded) {
		a.say("the ledger could not be asked: %s", err)
	}
	return fromExecution(ctx, e, run), nil
}

// fromExecution makes a snapshot of search attributes and the start's input. A workflow without a state has not run at
// all yet, since the state is the first thing that it writes.
func fromExecution(ctx context.Context, e engine, run execution) publication.Snapshot {
	s := publication.Snapshot{
		Operation: run.Operation, State: publication.StateProposed, Reference: run.Operation.Reference().String(),
		Verification: publication.VerificationPending, LocalRecord: publication.LocalPending,
	}
	if in, err := e.Input(ctx, run.Operation); err == nil {
		s = startedSnapshot(in)
	}
	if run.State != "" {
		s.State = run.State
	}
	s.NextAction = s.NextWords()
	s.Known = fmt.Sprintf("the workflow is %s in Temporal and was last seen as %s; a worker or the ledger (DATABASE_URL) can tell more", run.Status, s.State)
	return s
}
