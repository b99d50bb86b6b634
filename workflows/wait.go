package workflows

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// finalErrors are those that no repetition mends.
var finalErrors = []string{api.ErrorInvalid, api.ErrorForgotten, api.ErrorConflict, errorNotInTime}

// is reports whether an activity failed with this type of application error.
func is(err error, kind string) bool {
	cause := applicationError(err)
	return cause != nil && cause.Type() == kind
}

// untilDone repeats a read or an idempotent local write until it succeeds. While it cannot, people see what is waited
// for, and a recheck tries again at once. It must never be used around a send.
func (p *publish) untilDone(ctx workflow.Context, what string, call func(workflow.Context) error) error {
	for round := 0; ; round++ {
		err := call(ctx)
		if err == nil {
			p.snap.WaitingFor = ""
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if cause := applicationError(err); cause != nil && slices.Contains(finalErrors, cause.Type()) {
			return cause
		}
		if err := p.wait(ctx, fmt.Sprintf("%s: %s", what, reason(err)), retryAfter(err, round)); err != nil {
			return err
		}
		if err := p.mayContinue(ctx); err != nil {
			return err
		}
	}
}

// retryAfter is how long to wait before asking again: until the time that the answer names, where it names one.
func retryAfter(err error, round int) time.Duration {
	var named time.Duration
	if cause := applicationError(err); cause != nil && cause.Type() == api.ErrorInFlight && cause.Details(&named) == nil && named > 0 {
		return min(named, 2*time.Minute)
	}
	return backoff(round)
}

// backoff grows from 1 s to 2 min: an outage of days must not fill the history.
func backoff(round int) time.Duration {
	return min(time.Second<<min(round, 10), 2*time.Minute)
}

// wait says what is waited for and sleeps on a durable timer, which a recheck ends early, and whoever moves or withdraws
// what was not sent yet. errWithdrawn: the run ends.
func (p *publish) wait(ctx workflow.Context, what string, d time.Duration) error {
	p.waitFor(ctx, what)
	woken := func() bool {
		d := p.inbox.pending
		return d != nil && (d.Kind == publication.DecisionRecheck || plans(d.Kind) && !p.planning)
	}
	early, err := workflow.AwaitWithTimeout(ctx, d, woken)
	switch {
	case err != nil || !early:
		return err
	case plans(p.inbox.pending.Kind):
		return p.takePlan(ctx)
	}
	return p.answer(ctx, *p.inbox.pending, "")
}

// waitFor shows what holds the publication up.
func (p *publish) waitFor(ctx workflow.Context, what string) {
	p.snap.WaitingFor = publication.Clip(what, 500)
	p.show(ctx)
}

func applicationError(err error) *temporal.ApplicationError {
	var cause *temporal.ApplicationError
	if errors.As(err, &cause) {
		return cause
	}
	return nil
}

// reason is an activity's own words, without the engine's wrapping.
func reason(err error) string {
	if cause := applicationError(err); cause != nil {
		return cause.Message()
	}
	return err.Error()
}
