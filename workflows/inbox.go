package workflows

import (
	"fmt"

	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// inbox holds the signals that wait to be judged. They are handled one at a time, in the order of arrival, so that of
// two contradicting decisions the first counts and the second is judged after it.
type inbox struct {
	received int
	raw      []received
	pending  *publication.Decision // judged as possible; the main loop takes or refuses it
	judging  bool                  // one is being answered
}

type received struct {
	signal string
	data   []byte
	number int
}

// listen registers the query and the signals before the first activity, so that none is lost, and answers decisions
// that the present state does not allow while the main loop is busy.
func (p *publish) listen(ctx workflow.Context) {
	options := workflow.QueryHandlerOptions{Description: "What is known of the publication, the evidence, and the next safe action"}
	query := func() (publication.Snapshot, error) { return p.present(), nil }
	if err := workflow.SetQueryHandlerWithOptions(ctx, QueryStatus, query, options); err != nil {
		panic(err) // a programming error: the handler's form is wrong
	}
	for _, signal := range []string{SignalApprove, SignalResolve, SignalRecheck} {
		channel := workflow.GetSignalChannelWithOptions(ctx, signal, workflow.SignalChannelOptions{Description: "JSON: " + examples[signal]})
		workflow.GoNamed(ctx, "receive "+signal, func(ctx workflow.Context) {
			for {
				var raw converter.RawValue
				channel.Receive(ctx, &raw)
				p.inbox.received++
				p.inbox.raw = append(p.inbox.raw, received{signal: signal, data: raw.Payload().GetData(), number: p.inbox.received})
			}
		})
	}
	// Cancelling a send must not stop the answering of decisions.
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	workflow.GoNamed(ctx, "judge decisions", func(ctx workflow.Context) {
		for {
			if workflow.Await(ctx, func() bool { return len(p.inbox.raw) > 0 && p.inbox.pending == nil }) != nil {
				return
			}
			p.judgeNext(ctx)
		}
	})
}

// judgeNext answers the oldest signal at once if it cannot be taken, else hands it to the main loop.
func (p *publish) judgeNext(ctx workflow.Context) {
	next := p.inbox.raw[0]
	p.inbox.raw = p.inbox.raw[1:]
	p.inbox.judging = true
	defer func() { p.inbox.judging = false }()
	d, err := decodeSignal(next.signal, next.data)
	d.At = workflow.Now(ctx)
	d.ID = p.decisionID(ctx, d.ID, next.number)
	if err != nil {
		if !known(d.Kind) {
			d.Kind = ""
		}
		_ = p.answer(ctx, d, err.Error())
		return
	}
	if refusal := judge(p.snap, d); refusal != "" {
		_ = p.answer(ctx, d, refusal)
		return
	}
	p.inbox.pending = &d
}

// decisionID is the sender's ID, unless it is missing or was used before (the same signal sent twice, or applied again
// by a reset): each signal is a decision of its own, and none overwrites another.
func (p *publish) decisionID(ctx workflow.Context, id string, number int) string {
	own := fmt.Sprintf("%s-%d", workflow.GetInfo(ctx).WorkflowExecution.RunID[:8], number)
	if id == "" {
		return own
	}
	for _, d := range p.snap.Decisions {
		if d.ID == id {
			return id + "#" + own
		}
	}
	return id
}

func known(k publication.DecisionKind) bool {
	for _, each := range publication.DecisionKinds() {
		if k == each {
			return true
		}
	}
	return false
}

// awaitDecision waits for a decision that the state allows. Nil without an error: something else happened (a late
// outcome), look at the state again. An error: the workflow was cancelled.
func (p *publish) awaitDecision(ctx workflow.Context) (*publication.Decision, error) {
	p.snap.Parked = true
	p.show(ctx)
	err := workflow.Await(ctx, func() bool { return p.inbox.pending != nil || p.late != nil })
	p.snap.Parked = false
	if err != nil {
		return nil, err
	}
	return p.inbox.pending, nil
}

// answer records a decision as taken, or as refused for a reason, and lets the next one be judged. A recheck and a
// refusal change nothing, so a ledger that is away does not hold them up: they stand in the history anyway.
func (p *publish) answer(ctx workflow.Context, d publication.Decision, refusal string) error {
	d.Taken, d.Refusal = refusal == "", refusal
	p.keep(d)
	p.show(ctx)
	ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable("keep the decision of "+orNobody(d.By)))
	err := workflow.ExecuteActivity(ctx, api.Decide, api.DecideInput{Operation: p.in.Operation, Decision: d}).Get(ctx, nil)
	if err != nil {
		workflow.GetLogger(ctx).Warn("a decision is not in the ledger yet", "decision", d.ID, "error", err)
	}
	return ctx.Err()
}

// decide stores a decision that opens or closes something. It must be in the ledger before it has an effect, and the
// ledger may still refuse it: the first valid decision of an attempt counts.
func (p *publish) decide(ctx workflow.Context, in api.DecideInput) (publication.Decision, error) {
	in.Decision.Taken = true
	var stored publication.Decision
	err := p.untilDone(ctx, "the ledger, to keep the decision", func(ctx workflow.Context) error {
		ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable(string(in.Decision.Kind)+" by "+in.Decision.By))
		return workflow.ExecuteActivity(ctx, api.Decide, in).Get(ctx, &stored)
	})
	if is(err, api.ErrorForgotten) {
		if err := p.untilDone(ctx, "the ledger, to rebuild the record", p.record); err != nil {
			return stored, err
		}
		return p.decide(ctx, in)
	}
	if is(err, api.ErrorConflict) {
		return stored, p.answer(ctx, in.Decision, reason(err))
	}
	if err != nil {
		return stored, err
	}
	p.keep(stored)
	return stored, nil
}

// maxKept bounds the decisions in the snapshot; the ledger's journal has all of them.
const maxKept = 50

// keep puts an answered decision into the snapshot and frees the inbox if it was the pending one.
func (p *publish) keep(d publication.Decision) {
	p.snap.Decisions = append(p.snap.Decisions, d)
	if over := len(p.snap.Decisions) - maxKept; over > 0 {
		p.snap.Decisions = append([]publication.Decision{}, p.snap.Decisions[over:]...)
	}
	if p.inbox.pending != nil && p.inbox.pending.ID == d.ID {
		p.inbox.pending = nil
	}
}

func orNobody(name string) string {
	if name == "" {
		return "somebody unnamed"
	}
	return name
}
