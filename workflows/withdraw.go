package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// end answers what still waits when the run is cancelled or withdrawn: no signal goes without its answer. A cancelled
// run leaves no approval behind that nobody would remember.
func (p *publish) end(ctx workflow.Context, err error) error {
	p.ending = true
	withdrawn := errors.Is(err, errWithdrawn)
	switch {
	case withdrawn:
		p.drain(ctx, "the operation was withdrawn; start it again, and decide then")
	case ctx.Err() != nil:
		withdrawn = p.withdraw(ctx)
		p.drain(ctx, "the run was cancelled; start the operation again, which takes it up where it stands, and decide then")
	}
	switch {
	case withdrawn:
		return temporal.NewCanceledError(p.present())
	case ctx.Err() != nil && workflow.IsContinueAsNewError(err):
		return ctx.Err() // another run would not know that it was cancelled
	}
	return err
}

// withdrawOnCancel versions what a cancellation writes: runs that were cancelled before wrote nothing.
const withdrawOnCancel = "withdraw on cancel"

// withdraw takes back the approval of what was not sent when its run is cancelled in Temporal, and reports whether that
// is so. It waits for the ledger as long as that takes: with the run gone, nobody would.
func (p *publish) withdraw(ctx workflow.Context) bool {
	if !p.unsentYet() || workflow.GetVersion(ctx, withdrawOnCancel, workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return false
	}
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	// The intention may be on its way to the ledger, and must not arrive after the withdrawal.
	if !p.opened && p.open(ctx) != nil || !p.unsentYet() {
		return false
	}
	d := publication.Decision{
		ID: "cancel-" + workflow.GetInfo(ctx).WorkflowExecution.RunID, Kind: publication.DecisionCancel, Signal: SignalCancel,
		By: "Temporal", Reason: "the run was cancelled", At: workflow.Now(ctx),
	}
	stored, err := p.decide(ctx, api.DecideInput{Operation: p.in.Operation, Decision: d})
	if err != nil || !stored.Taken {
		return false
	}
	p.become(publication.StateProposed)
	return true
}

// unsentYet reports whether there is something to withdraw.
func (p *publish) unsentYet() bool {
	return p.snap.State == publication.StateProposed || p.snap.State == publication.StatePlanned
}
