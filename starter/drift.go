package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"postonce/publication"
	"postonce/workflows"
)

// drifted adds what the drift watch saw of accepted content since: neither a closed workflow's result nor an open one
// knows it, the ledger's record does.
func drifted(s, record publication.Snapshot) publication.Snapshot {
	if s.State != publication.StateAccepted || record.Drift == nil || !sameContent(s, record) {
		return s
	}
	return s.WithDrift(*record.Drift)
}

// closedAccepted gives an accepted operation whose workflow has ended, and whose content the drift watch can look at: it
// takes no recheck any more, and the watch reads it instead.
func (a *app) closedAccepted(ctx context.Context, e engine, op publication.OperationID) (publication.Snapshot, bool) {
	run, err := e.Describe(ctx, op)
	if err != nil && !errors.Is(err, errNotKnown) || err == nil && run.Open {
		return publication.Snapshot{}, false
	}
	s, err := a.lookup(ctx, e, op)
	public := s.RemoteStatus != publication.StatusDraft && op.Kind() != publication.KindRemove
	return s, err == nil && s.State == publication.StateAccepted && s.Identity != nil && public && !a.removedByUs(ctx, s)
}

// lookTimeout is how long the watch may take to answer before the command says that it goes on by itself.
const lookTimeout = 2 * time.Minute

// look lets the account's drift watch read the content now, and tells what was seen.
func (a *app) look(ctx context.Context, e engine, s publication.Snapshot, by string) error {
	account, id := s.Operation.Account(), newDecisionID()
	if err := e.Look(ctx, account, workflows.LookRequest{By: by, Operation: s.Operation, ID: id}); err != nil {
		return failed(err)
	}
	answer, err := a.awaitLook(ctx, e, account, id)
	if err != nil {
		return err
	}
	if answer.Problem != "" {
		return failed(fmt.Errorf("%s: not read: %s", s.Operation, answer.Problem))
	}
	remote, verification := answer.Seen.Effect()
	if remote != "" {
		s.RemoteStatus = remote
	}
	s.Verification = verification
	if answer.Seen == publication.SeenUnchanged { // a newer version of ours ends what was told of the one before
		s.Drift, s.Divergence = nil, ""
	} else {
		s = s.WithDrift(answer.Drift)
	}
	s.Known, s.NextAction = s.KnownWords(), s.NextWords()
	a.say("read now: %s", answer.Seen)
	return a.show(s)
}

// awaitLook polls the watch for its answer. A worker that is away is told once and waited for.
func (a *app) awaitLook(ctx context.Context, e engine, account, id string) (found lookAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	told := false
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		status, err := e.Watched(ctx, account)
		for _, answer := range status.Answers {
			if answer.ID == id {
				return answer, nil
			}
		}
		var unanswered *unansweredError
		if errors.As(err, &unanswered) && !told {
			a.say("no worker of %s answered within %s; waiting for one", account, queryTimeout)
			told = true
		} else if err != nil && ctx.Err() == nil && !errors.As(err, &unanswered) {
			return found, failed(err)
		}
		select {
		case <-a.after(pause):
		case <-ctx.Done():
			return found, &failure{code: exitWaiting, text: fmt.Sprintf("the watch of %s has not answered yet and goes on by itself; look with `starter status`", account)}
		}
	}
}
