package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// settle asks the ledger what became of an attempt, and waits while its request may still be on the wire.
func (p *publish) settle(ctx workflow.Context, in api.SettleInput) error {
	if in.Attempt == 0 { // a run that took up an operation in mid-send
		in.Attempt = p.sendingAttempt()
	}
	in.Operation, in.Digest, in.RunID = p.in.Operation, p.snap.Digest, workflow.GetInfo(ctx).WorkflowExecution.RunID
	in.Memory, in.Known = p.memory, p.knewClaimed(in.Attempt) != nil
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	for {
		var out api.Settled
		err := p.untilDone(ctx, "the ledger, to settle the attempt", func(ctx workflow.Context) error {
			ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable(fmt.Sprintf("settle attempt %d", in.Attempt)))
			return workflow.ExecuteActivity(ctx, api.Settle, in).Get(ctx, &out)
		})
		switch {
		case is(err, api.ErrorForgotten):
			return p.remind(ctx, in)
		case is(err, api.ErrorConflict):
			return p.refused(ctx, in.Attempt, reason(err))
		case err != nil:
			return err
		case out.InFlight <= 0:
			p.attempted(out.Attempt)
			if out.State != "" {
				p.become(out.State) // a person may have closed it
			}
			p.doubtSince = workflow.Now(ctx)
			p.show(ctx)
			return p.renumbered(ctx)
		}
		p.waitFor(ctx, fmt.Sprintf("attempt %d, which may still be on the wire", in.Attempt))
		if _, err := workflow.AwaitWithTimeout(ctx, out.InFlight, func() bool { return p.late != nil }); err != nil {
			return err
		}
		if p.late != nil {
			in.Identity, p.late = p.late.Identity, nil
		}
	}
}

// knewClaimed is the attempt of this number if this run learnt that it was claimed, and that it may have had an effect;
// else nil.
func (p *publish) knewClaimed(n int) *publication.Attempt {
	for i, a := range p.snap.Attempts {
		if a.Number == n && a.Outcome.MayHaveCreated() {
			return &p.snap.Attempts[i]
		}
	}
	return nil
}

// renumbered takes up the ledger's record where that has the doubt under another number than this run: people decide on
// the number that they see, and the ledger must know it.
func (p *publish) renumbered(ctx workflow.Context) error {
	if open := p.snap.OpenAttempt(); p.snap.State != publication.StateUnknown || open == nil || open.Outcome == publication.OutcomeUnknown {
		return nil
	}
	return p.open(ctx)
}

// remind goes on after the ledger lost its memory: what this run knows is written to it again. The empty ledger proves
// nothing, so an attempt is not sent only if its own sender testified that.
func (p *publish) remind(ctx workflow.Context, in api.SettleInput) error {
	p.note("the ledger does not know attempt %d of %s any more; its record is rebuilt from this run", in.Attempt, p.in.Operation)
	now := workflow.Now(ctx)
	a := publication.Attempt{
		Number: in.Attempt, Outcome: publication.OutcomeUnknown, Digest: in.Digest, RunID: in.RunID, FinishedAt: &now, Identity: in.Identity,
		Evidence: &publication.Evidence{Summary: "the ledger lost its record of this attempt, or was restored from before it: it may have created content", Phase: "forgotten", StartedAt: now},
	}
	switch {
	case in.Identity != nil:
		a.Outcome = publication.OutcomeAccepted
	case in.NotSentToken != "":
		a.Outcome = publication.OutcomeNotSent
		a.Evidence.Summary = "the ledger lost its record of this attempt; its sender says that nothing left: no request was made"
	case p.knewClaimed(in.Attempt) != nil && p.knewClaimed(in.Attempt).Outcome == publication.OutcomeUnknown:
		a = *p.knewClaimed(in.Attempt) // with what was seen of it
	}
	p.attempted(a)
	p.show(ctx)
	return p.recordOutcome(ctx)
}
