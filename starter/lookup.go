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
		return s.WithoutRun(), nil
	case errors.Is(err, errNotRecorded):
		return s, usage("operation: "+string(op)+" is not known", "`starter list` shows the operations")
	case errors.Is(err, errNoLedger):
		return s, usage("operation: "+string(op)+" is not known to Temporal, which forgets old ones", "set DATABASE_URL to ask the ledger too, or `starter list`")
	}
	return s, failed(err)
}

// known tells what is known of an operation that Temporal has, and whether nothing runs for it any more.
func (a *app) known(ctx context.Context, e engine, run execution) (publication.Snapshot, error) {
	s, err := a.best(ctx, e, run)
	if err == nil && !run.Open {
		s = s.WithoutRun()
	}
	return s, err
}

// best is known from the source that tells most.
func (a *app) best(ctx context.Context, e engine, run execution) (publication.Snapshot, error) {
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
	case err == nil && s.State == publication.StateAccepted:
		record, _ := a.recorded(ctx, s.Operation) // without one, nothing more is known
		return drifted(s, record), nil
	case err == nil:
		return s, nil
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
	r, err := a.recorded(ctx, s.Operation)
	switch {
	case s.LocalRecord == publication.LocalRecorded && s.State == publication.StateAccepted: // nothing was left to repair
	case err != nil || r.Digest != s.Digest:
		return s
	case s.Identity == nil && r.Identity != nil:
		return r
	case s.Identity != nil && r.Identity != nil && *s.Identity == *r.Identity:
		s.LocalRecord = r.LocalRecord
		s.Known, s.NextAction = s.KnownWords(), s.NextWords()
	}
	return a.sinceThen(ctx, s, r)
}

// sinceThen tells what became of accepted content: a draft was published, or it was removed, by later operations of
// ours; or the record of the operation itself has learnt that the firewall hides it, or that it changed elsewhere. What
// the watch saw before we removed it no longer holds.
func (a *app) sinceThen(ctx context.Context, s, record publication.Snapshot) publication.Snapshot {
	kind, id := s.Operation.Kind(), s.Identity
	if s.State != publication.StateAccepted || id == nil || kind != publication.KindPublish && kind != publication.KindTrack {
		return s
	}
	before := s.RemoteStatus
	switch {
	case a.removedByUs(ctx, s):
		s.RemoteStatus, record = publication.StatusDeleted, publication.Snapshot{}
	case sameContent(s, record) && record.RemoteStatus == publication.StatusFirewall:
		s.RemoteStatus = publication.StatusFirewall
	case a.publishedByUs(ctx, s):
		s.RemoteStatus = publication.StatusPublished
	}
	if s.RemoteStatus != before {
		s.Known, s.NextAction = s.KnownWords(), s.NextWords()
	}
	return drifted(s, record)
}

// removedByUs reports whether the newest try of a removal of ours removed the content, so that nothing is left to look at.
func (a *app) removedByUs(ctx context.Context, s publication.Snapshot) bool {
	ref := s.Operation.Reference()
	return a.acceptedOf(ctx, publication.RemoveID(ref.Owner, ref.Slug, s.Operation.Generation()), s)
}

// publishedByUs reports whether the newest try of ours made the draft public.
func (a *app) publishedByUs(ctx context.Context, s publication.Snapshot) bool {
	ref, draft := s.Operation.Reference(), publication.Base{ID: s.Identity.ID}
	return s.Identity.Status == publication.StatusDraft && a.acceptedOf(ctx, publication.ReviseID(ref.Owner, ref.Slug, draft.Version()), s)
}

// acceptedOf reports whether the newest try of a change was accepted for the content of s.
func (a *app) acceptedOf(ctx context.Context, change publication.OperationID, s publication.Snapshot) bool {
	r, err := a.recorded(ctx, a.newestRecorded(ctx, change))
	return err == nil && r.State == publication.StateAccepted && sameContent(s, r)
}

func sameContent(s, record publication.Snapshot) bool {
	return s.Identity != nil && record.Identity != nil && s.Identity.ID == record.Identity.ID
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
	if s.NextAction = s.NextWords(); !run.Open {
		s = s.WithoutRun()
	}
	s.Known = fmt.Sprintf("the workflow is %s in Temporal and was last seen as %s; a worker or the ledger (DATABASE_URL) can tell more", run.Status, s.State)
	return s
}
