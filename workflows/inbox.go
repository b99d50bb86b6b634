package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// inbox holds the signals that wait to be judged. They are handled one at a time, in the order of arrival, so that of
// two contradicting decisions the first counts and the second is judged after it.
type inbox struct {
	channels []workflow.ReceiveChannel
	received int
	each     map[string]int // how many of each signal were received
	raw      []received
	pending  *publication.Decision // judged as possible; the main loop takes or refuses it
	judging  bool                  // one is being answered
}

type received struct {
	signal string
	data   []byte
	number int // of all signals
	nth    int // of this signal
}

// listen registers the query and the signals before the first activity, so that none is lost, and answers decisions
// that the present state does not allow while the main loop is busy.
func (p *publish) listen(ctx workflow.Context) {
	options := workflow.QueryHandlerOptions{Description: "What is known of the publication, the evidence, and the next safe action"}
	query := func() (publication.Snapshot, error) { return p.present(), nil }
	if err := workflow.SetQueryHandlerWithOptions(ctx, QueryStatus, query, options); err != nil {
		panic(err) // a programming error: the handler's form is wrong
	}
	p.inbox.each = map[string]int{}
	for _, signal := range []string{SignalApprove, SignalResolve, SignalRecheck, SignalReschedule, SignalCancel} {
		channel := workflow.GetSignalChannelWithOptions(ctx, signal, workflow.SignalChannelOptions{Description: "JSON: " + examples[signal]})
		p.inbox.channels = append(p.inbox.channels, channel)
		workflow.GoNamed(ctx, "receive "+signal, func(ctx workflow.Context) {
			for {
				var raw converter.RawValue
				channel.Receive(ctx, &raw)
				p.inbox.received++
				p.inbox.each[signal]++
				p.inbox.raw = append(p.inbox.raw, received{signal: signal, data: raw.Payload().GetData(), number: p.inbox.received, nth: p.inbox.each[signal]})
			}
		})
	}
	// Cancelling a send must not stop the answering of decisions.
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	workflow.GoNamed(ctx, "judge decisions", func(ctx workflow.Context) {
		for {
			// Before the ledger answered, nobody knows what a decision would be about.
			if workflow.Await(ctx, func() bool { return p.opened && len(p.inbox.raw) > 0 && p.inbox.pending == nil }) != nil {
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
	if err == nil && d.Kind == publication.DecisionReschedule {
		err = p.readTime(ctx, next.data, &d)
	}
	if d.ID = p.decisionID(ctx, d, next); d.ID == "" {
		return // answered before
	}
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

// decisionID is the sender's ID, or one made of the signal's place in the history, which a reset keeps: a signal that a
// reset applies again is the same decision, and is not taken twice. Empty: this very decision was answered before. The
// same ID with another content is another decision, and overwrites nothing.
func (p *publish) decisionID(ctx workflow.Context, d publication.Decision, signal received) string {
	id := d.ID
	if id == "" {
		id = signal.place(ctx)
	}
	for _, old := range p.snap.Decisions {
		switch {
		case old.ID != id:
		case sameDecision(old, d):
			return ""
		default:
			return id + "#" + signal.place(ctx)
		}
	}
	return id
}

// place names a signal by its place among those of its name. A reset applies many signals in one task, and then those of
// one name keep their order, while those of several do not; runs from before counted all of them.
func (r received) place(ctx workflow.Context) string {
	run := workflow.GetInfo(ctx).OriginalRunID
	if workflow.GetVersion(ctx, "signals are counted by name", workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return fmt.Sprintf("%s-%d", run, r.number)
	}
	return fmt.Sprintf("%s-%s-%d", run, r.signal, r.nth)
}

// sameDecision compares what a person said.
func sameDecision(a, b publication.Decision) bool {
	return a.Signal == b.Signal && a.By == b.By && a.Attempt == b.Attempt && a.Reference == b.Reference &&
		a.Reason == b.Reason && a.AcceptDivergence == b.AcceptDivergence && publication.SameTime(a.Schedule, b.Schedule) && (a.Kind == b.Kind || a.Kind == "")
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
// outcome, a decision that no longer fits), look at the state again. An error: the run ends (cancelled, or continued as
// new because its history has grown long).
func (p *publish) awaitDecision(ctx workflow.Context) (*publication.Decision, error) {
	if err := p.mayContinue(ctx); err != nil {
		return nil, err
	}
	p.snap.Parked = true
	p.show(ctx)
	err := p.awaitPerson(ctx, func() bool { return p.inbox.pending != nil || p.late != nil })
	p.snap.Parked = false
	if err != nil || p.inbox.pending == nil {
		return nil, err
	}
	// The state may have changed since it was judged.
	if refusal := judge(p.snap, *p.inbox.pending); refusal != "" {
		return nil, p.answer(ctx, *p.inbox.pending, refusal)
	}
	return p.inbox.pending, nil
}

// answer records a decision as taken, or as refused for a reason, and lets the next one be judged. A recheck and a
// refusal change nothing, so a ledger that is away does not hold them up: they stand in the history anyway.
func (p *publish) answer(ctx workflow.Context, d publication.Decision, refusal string) error {
	d.Taken, d.Refusal = refusal == "", refusal
	p.keep(d)
	p.show(ctx)
	var stored api.Decided
	ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable("keep the decision of "+orNobody(d.By)))
	err := workflow.ExecuteActivity(ctx, api.Decide, api.DecideInput{Operation: p.in.Operation, Decision: d}).Get(ctx, &stored)
	switch {
	case err != nil:
		workflow.GetLogger(ctx).Warn("a decision is not in the ledger yet", "decision", d.ID, "error", err)
	case stored.ID == d.ID && stored.Taken != d.Taken:
		p.keep(stored.Decision) // the ledger judged otherwise
		p.show(ctx)
	}
	return ctx.Err()
}

// decide stores a decision that opens or closes something. It must be in the ledger before it has an effect, and the
// ledger may still refuse it: the first valid decision of an attempt counts, and its record is then taken up.
func (p *publish) decide(ctx workflow.Context, in api.DecideInput) (publication.Decision, error) {
	return p.decideOnce(ctx, in, false)
}

func (p *publish) decideOnce(ctx workflow.Context, in api.DecideInput, told bool) (publication.Decision, error) {
	in.Decision.Taken = true
	var stored api.Decided
	err := p.untilDone(ctx, "the ledger, to keep the decision", func(ctx workflow.Context) error {
		ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable(string(in.Decision.Kind)+" by "+in.Decision.By))
		return workflow.ExecuteActivity(ctx, api.Decide, in).Get(ctx, &stored)
	})
	switch {
	case is(err, api.ErrorForgotten) && told: // it has the attempt under another number
		return p.outdated(ctx, in.Decision, err)
	case is(err, api.ErrorForgotten):
		err := p.untilDone(ctx, "the ledger, to rebuild the record", p.record)
		if is(err, api.ErrorConflict) {
			return p.outdated(ctx, in.Decision, err)
		}
		if err != nil {
			return stored.Decision, err
		}
		return p.decideOnce(ctx, in, true)
	case is(err, api.ErrorConflict):
		return p.outdated(ctx, in.Decision, err)
	case err != nil:
		return stored.Decision, err
	}
	p.keep(stored.Decision)
	want, moves := decidedState[in.Decision.Kind]
	if !stored.Taken || moves && stored.State != "" && stored.State != want {
		stored.Taken = false // the ledger knows otherwise: what it holds counts
		return stored.Decision, p.open(ctx)
	}
	return stored.Decision, nil
}

// outdated refuses a decision that the ledger's record contradicts, and takes that record up.
func (p *publish) outdated(ctx workflow.Context, d publication.Decision, conflict error) (publication.Decision, error) {
	d.Taken = false
	if err := p.answer(ctx, d, reason(conflict)); err != nil {
		return d, err
	}
	return d, p.open(ctx)
}

// decidedState is the operation's state after a decision of this kind was taken; those that are missing move none.
var decidedState = map[publication.DecisionKind]publication.State{
	publication.DecisionApprove:    publication.StatePlanned,
	publication.DecisionAdopt:      publication.StateAccepted,
	publication.DecisionNotCreated: publication.StatePlanned,
	publication.DecisionAbandon:    publication.StateAbandoned,
	publication.DecisionCancel:     publication.StateProposed,
}

// maxKept bounds the decisions in the snapshot; the ledger's journal has all of them.
const maxKept = 50

// keep puts an answered decision into the snapshot and frees the inbox if it was the pending one.
func (p *publish) keep(d publication.Decision) {
	p.snap.Decisions = append(slices.DeleteFunc(slices.Clone(p.snap.Decisions), func(old publication.Decision) bool { return old.ID == d.ID }), d)
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
