package workflows

import (
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// Track takes up content that exists already: it reads it, and writes a record of it, so that later edits, removals and
// audits know it. Nothing is sent.
func (w *Workflows) Track(ctx workflow.Context, in PublishInput) (publication.Snapshot, error) {
	p, err := newPublish(ctx, w.Settings, in)
	if err != nil {
		return publication.Snapshot{}, err
	}
	p.listen(ctx)
	p.show(ctx)
	var seen api.Read
	read := api.ReadInput{Operation: in.Operation, Reference: p.snap.Reference, Payload: in.Payload}
	err = p.untilDone(ctx, "TabNews", func(ctx workflow.Context) error {
		ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable("read "+p.snap.Reference))
		return workflow.ExecuteActivity(ctx, api.ReadReference, read).Get(ctx, &seen)
	})
	if err != nil {
		return p.snap, err
	}
	if seen.Reading != publication.ReadingFound || !seen.Equal {
		return p.snap, temporal.NewNonRetryableApplicationError(
			fmt.Sprintf("%s is not what was to be tracked: it is gone or was changed meanwhile; track it again", p.snap.Reference), api.ErrorInvalid, nil)
	}
	p.snap.State, p.snap.Identity, p.snap.RemoteStatus = publication.StateAccepted, seen.Identity, seen.Identity.Status
	p.snap.Verification = publication.VerificationMatched
	if err := p.untilDone(ctx, "the ledger", p.record); err != nil {
		return p.snap, err
	}
	p.snap.LocalRecord = publication.LocalRecorded
	return p.finish(ctx)
}
