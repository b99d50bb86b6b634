package workflows

import (
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
)

// awaitTurn waits on a durable timer until the send is to be ordered again. The place in the lane's queue is kept in the
// ledger meanwhile, by a run that continues as new too: the approval is not used yet, and stays valid there.
func (p *publish) awaitTurn(ctx workflow.Context, out api.SendOutput) error {
	what := out.Waiting
	if what == "" {
		what = "its turn in the lane"
	}
	if err := p.wait(ctx, what, out.NotBefore); err != nil {
		return err
	}
	// Asked only then, so that an ordinary run has no marker of a version in its history.
	if !workflow.GetInfo(ctx).GetContinueAsNewSuggested() || workflow.GetVersion(ctx, "continue in the lane", workflow.DefaultVersion, 1) < 1 {
		return nil
	}
	return p.mayContinue(ctx)
}
