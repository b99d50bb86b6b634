package workflows

import (
	"fmt"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// conclude follows an acceptance: read back, record, and return the identity. A failure in here never causes a send
// and never hides the identity. Content that diverged or cannot be read keeps the run open for a person.
func (p *publish) conclude(ctx workflow.Context) (publication.Snapshot, error) {
	// A cancellation that comes now is too late: the content exists, and its identity is reported.
	cancellable := ctx
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	if p.snap.Verification != publication.VerificationMatched && !p.closedByPerson {
		p.readBack(ctx)
	}
	for {
		p.recordOrRepair(ctx)
		if p.snap.Verification == publication.VerificationMatched || p.snap.Verification == publication.VerificationNotApplicable || p.closedByPerson {
			return p.finish(ctx)
		}
		d, err := p.awaitDecision(cancellable)
		if cancellable.Err() != nil {
			return p.finish(ctx) // a cancelled run ends, and reports what exists
		}
		if err != nil {
			return p.snap, err
		}
		p.late = nil // the identity is known already
		if d == nil {
			continue
		}
		p.closedByPerson = d.Kind == publication.DecisionAdopt
		if d.Kind == publication.DecisionRecheck { // its answer comes with what it found
			p.readBack(ctx)
		}
		if err := p.answer(ctx, *d, ""); err != nil {
			return p.snap, err
		}
	}
}

// readBack compares the public content with the payload. Drafts are shown by no public route.
func (p *publish) readBack(ctx workflow.Context) {
	if p.snap.RemoteStatus == publication.StatusDraft {
		p.snap.Verification = publication.VerificationNotApplicable
		p.show(ctx)
		return
	}
	in := api.ReadBackInput{Payload: p.payload, Identity: *p.snap.Identity}
	var out api.ReadBackOutput
	actx := workflow.WithActivityOptions(ctx, p.settings.readBackOptions("read back "+p.snap.Identity.Reference().String()))
	if err := workflow.ExecuteActivity(actx, api.ReadBack, in).Get(ctx, &out); err != nil {
		p.snap.Verification = publication.VerificationUnreadable
		p.note("reading back: %s", publication.Clip(reason(err), 300))
	} else {
		p.snap.Verification, p.snap.Divergence = out.Verification, out.Diff
	}
	p.show(ctx)
}

// record writes all that is known to the ledger.
func (p *publish) record(ctx workflow.Context) error {
	ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable("write the record to the ledger"))
	return workflow.ExecuteActivity(ctx, api.Record, p.recordInput()).Get(ctx, nil)
}

func (p *publish) recordInput() api.RecordInput {
	s := p.present()
	s.LocalRecord = publication.LocalRecorded // true once this is written
	return api.RecordInput{Payload: p.payload, Base: p.base, Snapshot: s}
}

// recordOrRepair records, or leaves the record to a detached child that goes on for as long as it takes.
func (p *publish) recordOrRepair(ctx workflow.Context) {
	err := p.record(ctx)
	if err == nil {
		p.snap.LocalRecord = publication.LocalRecorded
		p.show(ctx)
		return
	}
	p.snap.LocalRecord = publication.LocalPending
	p.note("the ledger could not be written (%s); %s goes on with it", publication.Clip(reason(err), 200), RepairID(p.in.Operation))
	p.show(ctx)
	p.startRepair(ctx)
}

func (p *publish) startRepair(ctx workflow.Context) {
	options := workflow.ChildWorkflowOptions{
		WorkflowID:            RepairID(p.in.Operation),
		ParentClosePolicy:     enumspb.PARENT_CLOSE_POLICY_ABANDON,
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		StaticSummary:         RepairSummary(p.in.Operation),
		StaticDetails:         p.repairDetails(),
		TypedSearchAttributes: RepairAttributes(p.in.Operation),
	}
	child := workflow.ExecuteChildWorkflow(workflow.WithChildOptions(ctx, options), RepairRecordWorkflow, p.recordInput())
	// Wait for the start: a parent that ends first would take an unstarted child with it.
	if err := child.GetChildWorkflowExecution().Get(ctx, nil); err != nil {
		p.note("the repair was not started: %s", publication.Clip(err.Error(), 200))
	}
}

// repairDetails is Markdown for the repair's page in the Web UI: whose record it is, and that nobody has to do anything.
func (p *publish) repairDetails() string {
	details := fmt.Sprintf("`%s`, **%s**: %s\n\n", p.in.Operation, p.snap.Reference, p.snap.State)
	if id := p.snap.Identity; id != nil {
		details += fmt.Sprintf("identity %s, %s at TabNews\n\n", id.ID, id.Status)
	}
	return details + "The publication has returned its result. This writes it to the ledger, for as long as it takes, and sends nothing to TabNews."
}

// repairPrefix begins the workflow IDs of repairs.
const repairPrefix = "repair/"

// RepairID is the workflow ID of an operation's repair.
func RepairID(op publication.OperationID) string { return repairPrefix + string(op) }

// OperationOf is the operation that a workflow ID names, and whether the workflow is its repair.
func OperationOf(workflowID string) (op publication.OperationID, repair bool) {
	id, repair := strings.CutPrefix(workflowID, repairPrefix)
	return publication.OperationID(id), repair
}

// RepairSummary is the repair's line in the Web UI.
func RepairSummary(op publication.OperationID) string { return "Repair the record of " + string(op) }

// RepairAttributes let a repair be found by its publication.
func RepairAttributes(op publication.OperationID) temporal.SearchAttributes {
	return temporal.NewSearchAttributes(refKey.ValueSet(op.Reference().String()), accountKey.ValueSet(op.Account()))
}

// RepairRecord writes a publication's record to the ledger, for as long as it takes. The publication itself has long
// since returned its identity. Writing is idempotent: replaying it changes nothing.
func (w *Workflows) RepairRecord(ctx workflow.Context, in api.RecordInput) error {
	in.Repair = true
	ctx = workflow.WithActivityOptions(ctx, w.Settings.repairOptions())
	return workflow.ExecuteActivity(ctx, api.Record, in).Get(ctx, nil)
}

// reject fails the run, visibly, with the refusal. A corrected payload may start again under the same ID.
func (p *publish) reject(ctx workflow.Context) error {
	p.findHidden(ctx)
	p.drain(ctx, "")
	s := p.present()
	return temporal.NewApplicationErrorWithOptions(fmt.Sprintf("rejected: %s", s.Known), api.ErrorRejected,
		temporal.ApplicationErrorOptions{NonRetryable: true, Details: []any{s}})
}

// finish answers the signals that are still waiting and returns what is known.
func (p *publish) finish(ctx workflow.Context) (publication.Snapshot, error) {
	p.drain(ctx, "")
	return p.present(), nil
}

// drain answers what came too late, so that no signal goes unanswered; why says more than the state does.
func (p *publish) drain(ctx workflow.Context, why string) {
	p.opened = true // nothing more will be known
	if why == "" {
		why = fmt.Sprintf("too late: the operation is %s", p.snap.State)
	}
	p.show(ctx)
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	for !p.idle() {
		if d := p.inbox.pending; d != nil {
			_ = p.answer(ctx, *d, why)
			continue
		}
		if workflow.Await(ctx, func() bool { return p.inbox.pending != nil || p.idle() }) != nil {
			return
		}
	}
}

// idle reports whether every signal that arrived was answered, those included that no coroutine has received yet.
func (p *publish) idle() bool {
	for _, channel := range p.inbox.channels {
		if channel.Len() > 0 {
			return false
		}
	}
	return len(p.inbox.raw) == 0 && p.inbox.pending == nil && !p.inbox.judging
}

// mayContinue continues as new when the history has grown long, at a moment at which nothing would be lost.
func (p *publish) mayContinue(ctx workflow.Context) error {
	if !workflow.GetInfo(ctx).GetContinueAsNewSuggested() || !p.opened || !p.idle() || p.late != nil || p.awaited > 0 || p.ending {
		return nil
	}
	return p.continueAsNew(ctx)
}

// continueAsNew keeps the history of a publication that is parked for long, and rechecked often, bounded. The new run
// takes up the state from the ledger; the approval that came with the start is used up.
func (p *publish) continueAsNew(ctx workflow.Context) error {
	in := p.in
	in.ApprovedBy, in.LastState = "", p.snap.State
	in.LastKnown = &LastKnown{p.memory, bare(p.snap.Attempts)}
	return workflow.NewContinueAsNewError(ctx, WorkflowOf(in.Operation.Kind()), in)
}
