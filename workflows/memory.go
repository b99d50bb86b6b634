package workflows

import (
	"slices"

	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// compareMemories lets nothing be forgotten when the ledger was restored or rebuilt since this run opened the operation:
// attempts of which the run knows and the ledger does not are written to it before its record is taken up, or an older
// ledger's unused approval would send once more.
func (p *publish) compareMemories(ctx workflow.Context, opened api.Opened) (api.Opened, error) {
	restored := p.memory != "" && opened.Memory != "" && p.memory != opened.Memory
	if restored {
		p.note("the ledger was restored or rebuilt since this run opened the operation")
	}
	if !p.knowsMore(opened.Snapshot) {
		return opened, nil
	}
	// A copy of a disk has the same memory, and a run from before did not ask for it.
	if !restored && workflow.GetVersion(ctx, "tell a ledger what it lacks", workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return opened, nil
	}
	p.note("it lacks attempts that this run made; they are written to it")
	if slices.ContainsFunc(p.snap.Attempts, func(a publication.Attempt) bool { return a.Outcome == publication.OutcomeUnknown }) {
		p.become(publication.StateUnknown)
	}
	if err := p.untilDone(ctx, "the ledger, to write what it lacks", p.record); err != nil && !is(err, api.ErrorConflict) {
		return opened, err
	}
	return p.askLedger(ctx)
}

// knowsMore reports whether this run knows of an attempt that a record lacks. Where another run's has its number, the
// ledger gives it another one.
func (p *publish) knowsMore(recorded publication.Snapshot) bool {
	return slices.ContainsFunc(p.snap.Attempts, func(a publication.Attempt) bool { return recorded.Lacks(a) })
}

// bare are the attempts without what was seen of them, for the start of the next run.
func bare(attempts []publication.Attempt) []publication.Attempt {
	attempts = slices.Clone(attempts)
	for i := range attempts {
		attempts[i].Evidence, attempts[i].Candidates = nil, nil
	}
	return attempts
}
