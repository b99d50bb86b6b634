package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// park searches for what the unknown attempt may have created, shows it, and waits for a person. Nothing is sent, and
// nothing is adopted by itself. It returns when the state changed, or with an error when the run must end.
func (p *publish) park(ctx workflow.Context) error {
	p.investigate(ctx)
	if err := p.settleByReading(ctx); err != nil {
		return err
	}
	if err := p.lookAgain(ctx); err != nil {
		return err
	}
	for p.snap.State == publication.StateUnknown {
		d, err := p.awaitDecision(ctx)
		if err != nil {
			return err
		}
		if err := p.unknownRound(ctx, d); err != nil {
			return err
		}
		if err := p.settleByReading(ctx); err != nil {
			return err
		}
	}
	return nil
}

// unknownRound does what one decision, or a late outcome, asks for.
func (p *publish) unknownRound(ctx workflow.Context, d *publication.Decision) error {
	if p.late != nil {
		return p.takeLate(ctx)
	}
	if d == nil {
		return nil
	}
	switch d.Kind {
	case publication.DecisionAdopt:
		return p.adopt(ctx, *d)
	case publication.DecisionNotCreated:
		return p.notCreated(ctx, *d)
	case publication.DecisionAbandon:
		return p.abandon(ctx, *d)
	case publication.DecisionProbe:
		return p.probe(ctx, *d)
	default:
		return p.recheck(ctx, *d)
	}
}

// recheck asks the ledger first, which may know of an outcome that this run never got, and then looks again.
func (p *publish) recheck(ctx workflow.Context, d publication.Decision) error {
	if err := p.settle(ctx, api.SettleInput{Attempt: p.snap.OpenAttempt().Number}); err != nil {
		return err
	}
	if p.snap.State == publication.StateUnknown {
		p.investigate(ctx)
	}
	return p.answer(ctx, d, "")
}

// takeLate takes an identity that came after the workflow had parked. If a person let a newer attempt begin meanwhile,
// it is kept as a hint on its own attempt.
func (p *publish) takeLate(ctx workflow.Context) error {
	late := *p.late
	p.late = nil
	if open := p.snap.OpenAttempt(); open != nil && open.Number != late.Number {
		p.note("attempt %d answered late, with the identity %s: it was created after all", late.Number, late.Identity.ID)
		return nil
	}
	return p.settle(ctx, api.SettleInput{Attempt: late.Number, Identity: late.Identity, Evidence: late.Evidence})
}

// investigate collects candidates. It is a search: when it fails, that is said, and the operation stays parked.
func (p *publish) investigate(ctx workflow.Context) {
	open := p.snap.OpenAttempt()
	if open == nil {
		return
	}
	in := api.InvestigateInput{Operation: p.in.Operation, Attempt: *open, Payload: p.payload, Base: p.base}
	in.Attempt.Evidence, in.Attempt.Candidates = nil, nil // not needed, and the history stays small
	var found publication.Investigation
	actx := workflow.WithActivityOptions(ctx, p.settings.repeatable("search for what attempt "+fmt.Sprint(open.Number)+" may have created"))
	if err := workflow.ExecuteActivity(actx, api.Investigate, in).Get(ctx, &found); err != nil {
		p.note("searching failed: %s", publication.Clip(reason(err), 300))
		p.show(ctx)
		return
	}
	open.Candidates = keepSeen(found.Candidates, open.Candidates)
	for _, n := range found.Notes {
		p.note("%s", n)
	}
	p.note("at %s: %s is %s", found.At.UTC().Format(time.RFC3339), p.snap.Reference, readingWords[found.Reading])
	p.show(ctx)
}

var readingWords = map[publication.Reading]string{
	publication.ReadingFound:  "public",
	publication.ReadingAbsent: "not public (absent, a draft, hidden or deleted: reading cannot tell which)",
	publication.ReadingFailed: "not readable now, which proves nothing",
}

// adopt takes the content that a person named, if reading it shows the payload.
func (p *publish) adopt(ctx workflow.Context, d publication.Decision) error {
	ref, err := publication.ParseReference(d.Reference)
	if err != nil {
		return p.answer(ctx, d, err.Error())
	}
	seen, refusal, err := p.readForAdoption(ctx, ref)
	if err != nil {
		return err
	}
	if refusal == "" && !seen.Equal && !d.AcceptDivergence {
		p.snap.Divergence = seen.Diff
		refusal = fmt.Sprintf("%s differs from the payload, or cannot be read now; look at the difference, then send the decision again with \"accept_divergence\":true if it is the right one", ref)
	}
	if refusal != "" {
		return p.answer(ctx, d, refusal)
	}
	verification := publication.VerificationMatched
	if seen.Identity.Status == publication.StatusDraft {
		verification = publication.VerificationNotApplicable
	}
	if !seen.Equal {
		verification, p.snap.Divergence = publication.VerificationDiverged, seen.Diff
	}
	if seen.Reading == publication.ReadingAbsent && p.kind() != publication.KindRemove {
		verification = publication.VerificationUnreadable
	}
	stored, err := p.decide(ctx, api.DecideInput{Operation: p.in.Operation, Decision: d, Identity: seen.Identity, Verification: verification})
	if err != nil || !stored.Taken {
		return err
	}
	p.adopted(*seen.Identity, verification)
	p.closedByPerson = !seen.Equal
	p.show(ctx)
	return nil
}

func (p *publish) adopted(identity publication.Identity, v publication.Verification) {
	p.snap.Identity, p.snap.RemoteStatus, p.snap.Verification = &identity, identity.Status, v
	if open := p.snap.OpenAttempt(); open != nil {
		open.Outcome, open.Identity = publication.OutcomeAccepted, &identity
	}
	p.become(publication.StateAccepted)
}

// readReference reads content for a decision; the refusal says why it cannot be adopted.
func (p *publish) readReference(ctx workflow.Context, ref publication.Reference) (api.Read, string, error) {
	var seen api.Read
	in := api.ReadInput{Operation: p.in.Operation, Reference: ref.String(), Payload: p.payload, Base: p.base}
	actx := workflow.WithActivityOptions(ctx, p.settings.repeatable("read "+ref.String()))
	if err := workflow.ExecuteActivity(actx, api.ReadReference, in).Get(ctx, &seen); err != nil {
		return seen, fmt.Sprintf("%s could not be read now (%s); try again", ref, publication.Clip(reason(err), 300)), ctx.Err()
	}
	if seen.Reading == publication.ReadingFound && seen.Identity != nil {
		return seen, "", nil
	}
	words := fmt.Sprintf("%s is %s", ref, readingWords[seen.Reading])
	if p.payload.Status == publication.StatusDraft {
		words += "; drafts can be read by nobody through the API"
	}
	return seen, words + "; nothing was adopted", nil
}

// notCreated opens exactly one new attempt, if reading does not contradict the person. It waits until the old attempt
// can no longer be in flight and reads once more before it does.
func (p *publish) notCreated(ctx workflow.Context, d publication.Decision) error {
	if refusal, err := p.contradicted(ctx); err != nil || refusal != "" {
		return p.answerUnless(ctx, d, refusal, err)
	}
	if err := p.outwait(ctx, d); err != nil {
		return err
	}
	if p.late != nil {
		return p.answer(ctx, d, "the attempt answered after all")
	}
	refusal, err := p.contradicted(ctx)
	if err != nil || refusal != "" {
		return p.answerUnless(ctx, d, refusal, err)
	}
	stored, err := p.decide(ctx, api.DecideInput{Operation: p.in.Operation, Decision: d})
	if err != nil || !stored.Taken {
		return err
	}
	p.snap.OpenAttempt().Outcome = publication.OutcomeNotCreated
	p.snap.Schedule = nil // the person who decides it means now
	p.become(publication.StatePlanned)
	p.preparedAt = time.Time{}
	p.show(ctx)
	return nil
}

func (p *publish) answerUnless(ctx workflow.Context, d publication.Decision, refusal string, err error) error {
	if err != nil {
		return err
	}
	p.investigate(ctx)
	return p.answer(ctx, d, refusal)
}

// contradicted says why a not_created decision cannot stand: the exact reference can be read, or reading fails.
func (p *publish) contradicted(ctx workflow.Context) (string, error) {
	seen, words, err := p.readReference(ctx, p.in.Operation.Reference())
	switch {
	case err != nil:
		return "", err
	case seen.Reading != publication.ReadingFound && seen.Reading != publication.ReadingAbsent:
		return words, nil
	}
	if refusal := p.contradiction(seen); refusal != "" {
		return refusal, nil
	}
	if refusal := p.probeContradicts(ctx); refusal != "" {
		return refusal, nil
	}
	return p.baseChanged(ctx, seen), nil
}

// baseChanged says why no new attempt of a change can follow: somebody else changed the content meanwhile. The new
// attempt would be refused before its send, and the operation unknown again, with nothing said to the person.
func (p *publish) baseChanged(ctx workflow.Context, seen api.Read) string {
	if p.base == nil || seen.Reading != publication.ReadingFound || seen.AsBase {
		return ""
	}
	if workflow.GetVersion(ctx, "not-created-needs-base", workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return ""
	}
	p.snap.Divergence = seen.Diff
	return p.baseChangedWords(seen.ChangedBy)
}

// quietFrom is when the quiet time begins: at the attempt's end, and not before this run learnt of it.
func (p *publish) quietFrom(a publication.Attempt) time.Time {
	if end := a.LatestPossible(); end.After(p.doubtSince) {
		return end
	}
	return p.doubtSince
}

// outwait waits until TabNews can no longer be working on the attempt: a 404 before that proves nothing.
func (p *publish) outwait(ctx workflow.Context, d publication.Decision) error {
	open := p.snap.OpenAttempt()
	until := p.quietFrom(*open).Add(p.settings.QuietTime)
	if open.Evidence != nil && open.Evidence.ProvenUnsent {
		return nil // no byte of it left: nothing can be in flight
	}
	left := until.Sub(workflow.Now(ctx))
	if left <= 0 {
		return nil
	}
	p.waitFor(ctx, fmt.Sprintf("%s, when attempt %d can no longer be in flight; then the decision of %s opens attempt %d", until.UTC().Format(time.RFC3339), open.Number, d.By, p.nextAttempt()))
	_, err := workflow.AwaitWithTimeout(ctx, left, func() bool { return p.late != nil })
	p.snap.WaitingFor = ""
	return err
}

// abandon closes the operation. No send can follow.
func (p *publish) abandon(ctx workflow.Context, d publication.Decision) error {
	stored, err := p.decide(ctx, api.DecideInput{Operation: p.in.Operation, Decision: d})
	if err == nil && stored.Taken {
		p.become(publication.StateAbandoned)
	}
	return err
}
