package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"postonce/publication"
)

// decision is a signal under way: its ID finds it again among the decisions of the snapshot.
type decision struct {
	op     publication.OperationID
	signal string
	id     string
	input  any
}

// newDecisionID makes the ID that a signal carries.
func newDecisionID() string { return uuid.NewString() }

// open reaches Temporal and gives what is known of an operation that can still be decided on. The caller closes the
// engine.
func (a *app) open(ctx context.Context, op publication.OperationID) (engine, publication.Snapshot, error) {
	e, err := a.dial(ctx)
	if err != nil {
		return nil, publication.Snapshot{}, failed(err)
	}
	if err = a.mustBeOpen(ctx, e, op); err == nil {
		var s publication.Snapshot
		if s, err = a.lookup(ctx, e, op); err == nil {
			return e, s, nil
		}
	}
	e.Close()
	return nil, publication.Snapshot{}, err
}

// decide sends a decision and waits until the workflow shows that it took or refused it. With wait it follows on until
// the operation settles or parks again.
func (a *app) decide(ctx context.Context, e engine, d decision, wait bool) error {
	if err := a.send(ctx, e, d); err != nil {
		return err
	}
	talk := progress{app: a, decision: true}
	s, err := a.followTelling(ctx, e, d.op, d.answered, talk.tell)
	if ctx.Err() != nil && err != nil {
		return undecided(d.op, s)
	}
	if err != nil {
		return err
	}
	answer := d.answerIn(s)
	a.tellAnswer(answer, s)
	if answer != nil && answer.Taken && answer.Kind == publication.DecisionCancel {
		s = s.WithoutRun() // its workflow ends with it
	}
	if wait && answer != nil && answer.Taken && !ended(s) {
		if s, err = a.follow(ctx, e, d.op, halted); err != nil {
			return err
		}
	}
	if err := a.show(s); err != nil {
		return err
	}
	if a.code == exitAccepted && (answer == nil || !answer.Taken) {
		a.code = exitUsage
	}
	return nil
}

// send hands the signal over, or says that nobody is there to take it.
func (a *app) send(ctx context.Context, e engine, d decision) error {
	err := e.Signal(ctx, d.op, d.signal, d.input)
	switch {
	case errors.Is(err, errNotKnown): // it closed in the meantime
		s, err := a.lookup(ctx, e, d.op)
		if err != nil {
			return err
		}
		return a.refuseClosed(d.op, s)
	case err != nil:
		return failedTo(fmt.Sprintf("%s: Temporal did not confirm the signal, so the decision may have arrived; look with `starter status %s`", d.op, d.op), err)
	}
	return nil
}

// answered reports whether the workflow took or refused the decision. Only listed is not answered yet.
func (d decision) answered(s publication.Snapshot) bool { return d.answerIn(s) != nil }

func (d decision) answerIn(s publication.Snapshot) *publication.Decision {
	for i, each := range s.Decisions {
		if each.ID == d.id && (each.Taken || each.Refusal != "") {
			return &s.Decisions[i]
		}
	}
	return nil
}

func (a *app) tellAnswer(answer *publication.Decision, s publication.Snapshot) {
	switch {
	case answer == nil:
		a.say("refused: the workflow ended before it saw the decision; the operation is %s", s.State)
	case answer.Taken && answer.Kind == publication.DecisionCancel:
		a.say("withdrawn by %s: nothing was sent, and nothing will be; %s takes it up again, with an approval of its own", answer.By, takeUp(s.Operation))
	case answer.Taken:
		a.say("taken: %s by %s", answer.Kind, answer.By)
	default:
		a.say("refused: %s", answer.Refusal)
	}
}
