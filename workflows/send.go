package workflows

import (
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// plannedRound checks what can be checked without risk and then makes one attempt.
func (p *publish) plannedRound(ctx workflow.Context) error {
	if ready, err := p.inTime(ctx); err != nil || !ready {
		return err
	}
	free, err := p.prepare(ctx)
	if err != nil || !free {
		return err
	}
	if ready, err := p.inTime(ctx); err != nil || !ready {
		return err
	}
	// From here on a cancellation does not cut anything short: the outcome is awaited and recorded first.
	if ctx.Err() != nil {
		return ctx.Err()
	}
	sending, _ := workflow.NewDisconnectedContext(ctx)
	p.tellLateCancellation(ctx, sending)
	return p.attempt(sending)
}

// tellLateCancellation says to who cancels while the call is on the wire that this stops nothing.
func (p *publish) tellLateCancellation(ctx, sending workflow.Context) {
	workflow.GoNamed(sending, "late cancellation", func(sending workflow.Context) {
		ctx.Done().Receive(sending, nil)
		if p.snap.State == publication.StateSending {
			p.note("cancelled too late: the call left, or is about to; its outcome will be reported")
			p.show(sending)
		}
	})
}

// prepareAgain is how long the checks before sending hold.
const prepareAgain = 30 * time.Second

// prepare reports whether the session is the account's and the reference is free. It waits as long as that cannot be
// told. A reference that is taken ends the operation as rejected, or as unknown if an earlier attempt may have done it.
func (p *publish) prepare(ctx workflow.Context) (bool, error) {
	if p.base == nil && workflow.Now(ctx).Sub(p.preparedAt) < prepareAgain {
		return true, nil // it only waited for its turn in the lane
	}
	in := api.PrepareInput{Operation: p.in.Operation, Payload: p.payload, Base: p.base, RunID: chainID(ctx), Memory: p.memory}
	var got api.Prepared
	err := p.untilDone(ctx, "the checks before sending", func(ctx workflow.Context) error {
		if err := p.stillInTime(ctx); err != nil {
			return err
		}
		ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable("check session and slug"))
		return workflow.ExecuteActivity(ctx, api.Prepare, in).Get(ctx, &got)
	})
	if is(err, errorNotInTime) {
		return false, nil
	}
	if is(err, api.ErrorForgotten) {
		return false, p.open(ctx)
	}
	if err != nil {
		return false, err
	}
	if got.Found == nil {
		p.preparedAt = workflow.Now(ctx)
		p.note("before attempt %d: %s at %s", p.nextAttempt(), p.preparedWords(), got.At.UTC().Format(time.RFC3339))
		return true, nil
	}
	p.note("%s; nothing was sent", p.conflictWords(*got.Found))
	p.snap.Divergence = p.conflictDiff(*got.Found)
	if err := p.open(ctx); err != nil { // the ledger's record says what that means
		return false, err
	}
	if p.snap.State == publication.StatePlanned { // and must not be asked without a pause
		return false, p.wait(ctx, p.conflictWords(*got.Found), backoff(3))
	}
	return false, nil
}

// attempt orders one send and waits for its outcome, or until the send must have ended: a paused activity never times
// out, so a timer of the workflow's own stands beside it.
func (p *publish) attempt(ctx workflow.Context) error {
	n := p.nextAttempt()
	in := api.SendInput{
		Operation: p.in.Operation, Attempt: n, Payload: p.payload, Base: p.base, Digest: p.snap.Digest,
		SendTimeout: p.settings.SendTimeout, Delivery: p.settings.RPCTimeout,
		RunID: workflow.GetInfo(ctx).WorkflowExecution.RunID, Doubt: p.hadDoubt(n), Memory: p.memory,
	}
	p.become(publication.StateSending)
	p.snap.BlockedBy, p.snap.WaitingFor = "", ""
	p.show(ctx)
	options := p.settings.sendOptions(fmt.Sprintf("attempt %d of %s", n, p.snap.Reference))
	send := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), api.Send, in)

	timerCtx, stop := workflow.WithCancel(ctx)
	timer := workflow.NewTimerWithOptions(timerCtx, p.settings.SendDuration(), workflow.TimerOptions{Summary: "the send must have ended"})
	workflow.NewSelector(ctx).AddFuture(send, func(workflow.Future) {}).AddFuture(timer, func(workflow.Future) {}).Select(ctx)
	stop()
	if send.IsReady() {
		return p.takeOutcome(ctx, n, send)
	}
	p.awaitLate(ctx, n, send)
	return p.settle(ctx, api.SettleInput{Attempt: n})
}

// awaitLate takes an outcome that comes after the workflow stopped waiting for it: an identity is never lost.
func (p *publish) awaitLate(ctx workflow.Context, n int, send workflow.Future) {
	p.awaited++
	workflow.GoNamed(ctx, "late outcome", func(ctx workflow.Context) {
		var out api.SendOutput
		err := send.Get(ctx, &out)
		p.awaited--
		if err != nil {
			out.Attempt.Identity = heartbeatIdentity(err)
		}
		if out.Attempt.Identity != nil {
			out.Attempt.Number = n
			p.late = &out.Attempt
		}
	})
}

// takeOutcome turns what Send said into the operation's state. A failed activity says nothing: the ledger is asked.
func (p *publish) takeOutcome(ctx workflow.Context, n int, send workflow.Future) error {
	var out api.SendOutput
	if err := send.Get(ctx, &out); err != nil {
		p.note("attempt %d: the activity failed (%s); the ledger decides what that means", n, publication.Clip(err.Error(), 300))
		return p.settle(ctx, api.SettleInput{Attempt: n, Identity: heartbeatIdentity(err)})
	}
	switch {
	case out.Existing != nil:
		return p.settle(ctx, api.SettleInput{Attempt: n})
	case out.NotBefore > 0:
		p.become(publication.StatePlanned)
		return p.awaitTurn(ctx, out)
	case out.Refusal != "":
		p.snap.BlockedBy = out.BlockedBy
		return p.refused(ctx, n, out.Refusal)
	case out.Attempt.Outcome == publication.OutcomeNotSent:
		return p.unsent(ctx, n, out)
	}
	p.unsentRounds, p.refusedRounds = 0, 0
	p.attempted(out.Attempt)
	p.doubtSince = workflow.Now(ctx)
	p.show(ctx)
	if out.Recorded || p.snap.State == publication.StateAccepted {
		return nil // an acceptance is recorded, or repaired, after it was read back
	}
	return p.recordOutcome(ctx)
}

// recordOutcome writes an outcome that Send could not write itself. Where the ledger knows otherwise, its record counts.
func (p *publish) recordOutcome(ctx workflow.Context) error {
	err := p.untilDone(ctx, "the ledger, to record the outcome", p.record)
	if is(err, api.ErrorConflict) {
		return p.open(ctx)
	}
	return err
}

// unsent plans again, by itself and after a pause, what provably never left for a local reason.
func (p *publish) unsent(ctx workflow.Context, n int, out api.SendOutput) error {
	p.note("attempt %d: nothing was sent: %s", n, out.Problem)
	if err := p.settle(ctx, api.SettleInput{Attempt: n, NotSentToken: out.Token}); err != nil {
		return err
	}
	if p.snap.State != publication.StatePlanned {
		return nil
	}
	p.unsentRounds++
	return p.wait(ctx, "another try, since nothing was sent: "+out.Problem, backoff(p.unsentRounds-1))
}

// refused handles a claim that the ledger forbids: its record, not this run, knows the state.
func (p *publish) refused(ctx workflow.Context, n int, refusal string) error {
	p.note("attempt %d was refused by the ledger: %s; nothing was sent", n, refusal)
	p.become(publication.StatePlanned)
	p.refusedRounds++ // another operation of the same reference may take long to be decided: the history must not fill up
	if err := p.wait(ctx, "the ledger refused the claim: "+refusal, backoff(p.refusedRounds+1)); err != nil {
		return err
	}
	return p.open(ctx)
}

// attempted puts an attempt's outcome into the snapshot and moves the state.
func (p *publish) attempted(a publication.Attempt) {
	p.snap.PutAttempt(a)
	if a.Identity != nil {
		p.snap.Identity, p.snap.RemoteStatus = a.Identity, a.Identity.Status
	}
	p.become(a.Outcome.StateAfter())
}

// hadDoubt reports whether a person decided of an attempt before n that it created nothing. If TabNews then says that
// the slug is taken, that attempt landed after all.
func (p *publish) hadDoubt(n int) bool {
	for _, a := range p.snap.Attempts {
		if a.Number < n && a.Outcome == publication.OutcomeNotCreated {
			return true
		}
	}
	return false
}

// sendingAttempt is the number that the ledger says is being sent.
func (p *publish) sendingAttempt() int {
	for _, a := range p.snap.Attempts {
		if a.Outcome == publication.OutcomeSending {
			return a.Number
		}
	}
	return max(1, p.nextAttempt()-1)
}

// nextAttempt is the number after the newest attempt's.
func (p *publish) nextAttempt() int {
	if last := p.snap.LastAttempt(); last != nil {
		return last.Number + 1
	}
	return 1
}

// heartbeatIdentity is the identity that Send heartbeated before it failed. Its absence proves nothing.
func heartbeatIdentity(err error) *publication.Identity {
	var timeout *temporal.TimeoutError
	if !errors.As(err, &timeout) || !timeout.HasLastHeartbeatDetails() {
		return nil
	}
	var identity publication.Identity
	if timeout.LastHeartbeatDetails(&identity) != nil || identity.ID == "" {
		return nil
	}
	return &identity
}
