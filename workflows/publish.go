package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// Workflows holds the settings of the worker that runs them.
type Workflows struct{ Settings Settings }

// publish is one run of Publish: the snapshot is what people see, the rest is what the run must remember.
type publish struct {
	settings Settings
	in       PublishInput
	payload  publication.Payload // the recorded one
	base     *publication.Base   // what is changed; nil for publish
	snap     publication.Snapshot
	inbox    inbox
	memory   string               // names the ledger's memory when it last said what is known
	late     *publication.Attempt // an outcome that came after the workflow had parked
	awaited  int                  // sends whose outcome may still come late
	opened   bool                 // the ledger has said what is known
	shown    shown
	// doubtSince is when this run learnt of the newest outcome, on the engine's clock: the quiet time counts from it too,
	// since the worker's clock may be wrong.
	doubtSince time.Time
	// preparedAt is when the checks before sending passed.
	preparedAt    time.Time
	unsentRounds  int // sends in a row that never left
	refusedRounds int // claims in a row that the ledger refused
	// closedByPerson: accepted as it stands, in spite of a divergence.
	closedByPerson bool
	planning       bool // a reschedule or cancel is being taken
	ending         bool // the run ends, and must not continue as new
}

// Publish models one operation on a publication: its creation, and under the names Revise and Remove its changes, which
// the same rules protect. It reads like the life of the operation: each round does what the present state
// allows, and nothing else. The ledger is the lasting judge: a run that starts, or is reset, for an operation that the
// ledger already knows takes up the recorded state instead of planning anew.
//
// It returns the Snapshot when the operation is accepted or abandoned, and fails with an application error of type
// Rejected, whose details hold the Snapshot, when it is rejected: a corrected payload may then start again under the
// same ID.
func (w *Workflows) Publish(ctx workflow.Context, in PublishInput) (publication.Snapshot, error) {
	p, err := newPublish(ctx, w.Settings, in)
	if err != nil {
		return publication.Snapshot{}, err
	}
	p.listen(ctx)
	if err := p.open(ctx); err != nil {
		return p.snap, p.end(ctx, err)
	}
	for {
		switch p.snap.State {
		case publication.StateProposed:
			err = p.awaitApproval(ctx)
		case publication.StatePlanned:
			err = p.plannedRound(ctx)
		case publication.StateSending:
			err = p.settle(ctx, api.SettleInput{})
		case publication.StateUnknown:
			err = p.park(ctx)
		case publication.StateAccepted:
			return p.conclude(ctx)
		case publication.StateRejected:
			return p.snap, p.reject(ctx)
		case publication.StateAbandoned:
			return p.finish(ctx)
		}
		if err != nil {
			return p.snap, p.end(ctx, err)
		}
	}
}

func newPublish(ctx workflow.Context, settings Settings, in PublishInput) (*publish, error) {
	p := &publish{in: in, payload: in.Payload, base: in.Base}
	// Recorded once: a worker with other settings must replay this run the same way.
	err := workflow.SideEffect(ctx, func(workflow.Context) any { return settings }).Get(&p.settings)
	if err != nil {
		return nil, err
	}
	p.snap, p.memory = in.Snapshot(), in.Memory()
	return p, nil
}

// open records the intention, or takes up what the ledger knows.
func (p *publish) open(ctx workflow.Context) error {
	p.show(ctx)
	opened, err := p.askLedger(ctx)
	if err != nil {
		return err
	}
	if opened, err = p.compareMemories(ctx, opened); err != nil {
		return err
	}
	p.takeUp(ctx, opened)
	p.show(ctx)
	return nil
}

func (p *publish) askLedger(ctx workflow.Context) (opened api.Opened, err error) {
	in := api.OpenInput{
		Operation: p.in.Operation, Payload: p.in.Payload, Base: p.in.Base, Digest: p.in.Digest,
		ProposedBy: p.in.ProposedBy, Approval: p.approval(ctx), RunID: chainID(ctx),
		Schedule: p.snap.Schedule,
	}
	err = p.untilDone(ctx, "the ledger", func(ctx workflow.Context) error {
		ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable("record the intention"))
		return workflow.ExecuteActivity(ctx, api.OpenOperation, in).Get(ctx, &opened)
	})
	return opened, err
}

// takeUp makes the ledger's record this run's own.
func (p *publish) takeUp(ctx workflow.Context, opened api.Opened) {
	p.opened, p.payload, p.base, p.memory = true, opened.Payload, opened.Base, opened.Memory
	p.doubtSince = workflow.Now(ctx)
	s := opened.Snapshot
	p.snap.State, p.snap.Digest, p.snap.Identity = s.State, s.Digest, s.Identity
	p.snap.RemoteStatus, p.snap.Verification = s.RemoteStatus, s.Verification
	p.snap.LocalRecord, p.snap.Schedule = publication.LocalRecorded, s.Schedule
	p.snap.Attempts = append([]publication.Attempt{}, s.Attempts...)
	p.snap.Decisions = append([]publication.Decision{}, s.Decisions...)
	p.snap.Title, p.snap.Draft = opened.Payload.Title, opened.Payload.Status == publication.StatusDraft
	if s.Digest != p.in.Digest {
		p.note("started with the payload %s, but this operation holds %s: the recorded one counts", p.in.Digest, s.Digest)
	}
}

// approval is the decision that came with the start. Its ID is the same in a reset run, so that it stays used up.
func (p *publish) approval(ctx workflow.Context) *publication.Decision {
	if p.in.ApprovedBy == "" {
		return nil
	}
	return &publication.Decision{
		ID: "start-" + chainID(ctx), Kind: publication.DecisionApprove, Signal: "start", By: p.in.ApprovedBy,
		Digest: p.in.Digest, At: workflow.Now(ctx), Taken: true,
	}
}

// chainID is the first run's ID: a reset and a continue-as-new keep it, a new start has another.
func chainID(ctx workflow.Context) string { return workflow.GetInfo(ctx).FirstRunID }

// awaitApproval parks until a person approved the exact payload. A time to send that passes meanwhile is missed.
func (p *publish) awaitApproval(ctx workflow.Context) error {
	if s := p.snap.Schedule; s != nil && !s.Missed && s.Overdue(workflow.Now(ctx)) {
		return p.markMissed(ctx)
	}
	d, err := p.awaitDecision(ctx)
	switch {
	case err != nil || d == nil:
		return err
	case plans(d.Kind):
		return p.takePlan(ctx)
	case d.Kind == publication.DecisionRecheck:
		return p.answer(ctx, *d, "")
	}
	// A cancellation waits for the ledger's answer: the approval must not arrive after what the cancellation writes.
	detached, _ := workflow.NewDisconnectedContext(ctx)
	stored, err := p.decide(detached, api.DecideInput{Operation: p.in.Operation, Decision: *d})
	if err == nil && stored.Taken {
		p.become(publication.StatePlanned)
		p.show(ctx)
	}
	return err
}
