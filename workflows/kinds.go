package workflows

import (
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// What differs between creating, changing and removing content is here; all the rest is the same.

func (p *publish) kind() publication.Kind { return p.in.Operation.Kind() }

// preparedWords say what the checks before a send saw.
func (p *publish) preparedWords() string {
	if p.base == nil || !p.base.Readable() {
		return "nothing public at " + p.snap.Reference
	}
	return p.snap.Reference + " was still the version that the change starts from,"
}

// conflictWords say why nothing may be sent.
func (p *publish) conflictWords(found publication.Candidate) string {
	switch {
	case found.FoundBy == publication.FoundByLedger:
		return found.Diff
	case p.base == nil:
		return fmt.Sprintf("%s exists already (id %s)", found.Reference, found.ID)
	case found.ID == "":
		return fmt.Sprintf("%s cannot be read any more: it was deleted, hidden or renamed since", found.Reference)
	case !p.base.Readable():
		return fmt.Sprintf("%s is public already (id %s), so it is no draft any more", found.Reference, found.ID)
	}
	return fmt.Sprintf("conflict: %s was changed by %s since the version that this change starts from", found.Reference, changer(found.ChangedBy))
}

// conflictDiff is the three-way information of a conflict: what they changed, and what we would have.
func (p *publish) conflictDiff(found publication.Candidate) string {
	if p.base == nil {
		return ""
	}
	return found.Diff
}

// settleByReading accepts an unknown change by itself when the content now reads exactly as the payload: a change of
// known content leaves no room for a twin, unlike a creation. A removal is never settled so, since what is hidden reads
// like what is gone.
func (p *publish) settleByReading(ctx workflow.Context) error {
	if p.kind() != publication.KindRevise || p.snap.State != publication.StateUnknown {
		return nil
	}
	open := p.snap.OpenAttempt()
	for _, c := range open.Candidates {
		if c.FoundBy == "reference" && c.Equal && (p.base.ID == "" || c.ID == p.base.ID) {
			p.note("%s reads exactly as the payload: the change was applied", c.Reference)
			ref := p.payloadReference()
			identity := publication.Identity{ID: c.ID, OwnerUsername: ref.Owner, Slug: ref.Slug, Status: p.payload.Status}
			return p.settle(ctx, api.SettleInput{Attempt: open.Number, Identity: &identity})
		}
	}
	return nil
}

// lookAgain reads once more when TabNews can no longer be working on a change: what reads like the base before that may
// still become the payload.
func (p *publish) lookAgain(ctx workflow.Context) error {
	if p.kind() == publication.KindPublish || p.snap.State != publication.StateUnknown {
		return nil
	}
	left := p.quietFrom(*p.snap.OpenAttempt()).Add(p.settings.QuietTime).Sub(workflow.Now(ctx))
	if left <= 0 {
		return nil
	}
	p.snap.Parked = true
	p.show(ctx)
	decided, err := workflow.AwaitWithTimeout(ctx, left, func() bool { return p.inbox.pending != nil || p.late != nil })
	p.snap.Parked = false
	if err != nil || decided {
		return err
	}
	p.investigate(ctx)
	return p.settleByReading(ctx)
}

// payloadReference is where the content is once the change was applied.
func (p *publish) payloadReference() publication.Reference {
	return publication.Reference{Owner: p.in.Operation.Account(), Slug: p.payload.Slug}
}

// contradiction says why a not_created decision cannot stand against what was read.
func (p *publish) contradiction(seen api.Read) string {
	found := seen.Reading == publication.ReadingFound
	switch {
	case p.kind() == publication.KindPublish && found:
		return fmt.Sprintf("%s can be read, so it was created; adopt it", p.snap.Reference)
	case p.kind() == publication.KindPublish && p.seenBefore(p.in.Operation.Reference()) != nil:
		c := p.seenBefore(p.in.Operation.Reference())
		return fmt.Sprintf("%s was read at %s with the id %s, so it was created, and hidden or deleted since; adopt it", c.Reference, c.SeenAt.UTC().Format(time.RFC3339), c.ID)
	case p.kind() == publication.KindRevise && found && seen.Equal:
		return fmt.Sprintf("%s reads exactly as the payload, so the change was applied; adopt it", p.snap.Reference)
	case p.kind() == publication.KindRevise && !found && p.base.Readable():
		return fmt.Sprintf("%s cannot be read any more, so nothing can be changed there; abandon it", p.snap.Reference)
	case p.kind() == publication.KindRemove && !found:
		return fmt.Sprintf("%s cannot be read any more, so it may be removed; adopt it", p.snap.Reference)
	}
	return ""
}

// baseChangedWords say what a person does with a change that can neither be told to be applied nor be sent again.
func (p *publish) baseChangedWords(by publication.OperationID) string {
	switch {
	case p.kind() == publication.KindRemove:
		return fmt.Sprintf("%s was changed by %s since the version that was to be removed, so nothing can be sent for that one; abandon it, then remove what is there now", p.snap.Reference, changer(by))
	case !p.base.Readable():
		return fmt.Sprintf("%s is public already, and reads differently from the payload, so the draft cannot be published again; adopt it as it stands (\"accept_divergence\":true), or abandon it and edit what is there now", p.snap.Reference)
	}
	return fmt.Sprintf("%s reads neither as before the change nor as approved: %s changed it since, so nothing can be sent from that version; adopt it as it stands (\"accept_divergence\":true), or abandon it and edit what is there now", p.snap.Reference, changer(by))
}

// changer says who changed content: an edit of ours, where the ledger could tell.
func changer(by publication.OperationID) string {
	if by == "" {
		return "somebody else"
	}
	return "our own " + string(by)
}

// readForAdoption reads what a person wants to adopt. A draft is shown by a probe alone, and a removal by absence.
func (p *publish) readForAdoption(ctx workflow.Context, ref publication.Reference) (api.Read, string, error) {
	if p.payload.Status == publication.StatusDraft {
		if c := p.probedDraft(ctx, ref); c != nil {
			return api.Read{At: c.SeenAt, Reading: publication.ReadingFound, Equal: c.Equal, Diff: c.Diff,
				Identity: &publication.Identity{ID: c.ID, OwnerUsername: ref.Owner, Slug: ref.Slug, Status: publication.StatusDraft}}, "", nil
		}
	}
	seen, refusal, err := p.readReference(ctx, ref)
	if err != nil {
		return seen, refusal, err
	}
	if p.kind() != publication.KindRemove {
		return p.orAsSeen(ref, seen, refusal)
	}
	switch seen.Reading {
	case publication.ReadingAbsent:
		seen.Equal = true
		seen.Identity = &publication.Identity{ID: p.base.ID, OwnerUsername: ref.Owner, Slug: ref.Slug, Status: publication.StatusDeleted}
		return seen, "", nil
	case publication.ReadingFound:
		return seen, fmt.Sprintf("%s can still be read: it was not removed", ref), nil
	}
	return seen, refusal, nil
}

// orAsSeen lets a person adopt what was read earlier and cannot be read now: hidden by the firewall, say. Its identity
// must not be lost because it came by reading.
func (p *publish) orAsSeen(ref publication.Reference, seen api.Read, refusal string) (api.Read, string, error) {
	c := p.seenBefore(ref)
	if seen.Reading != publication.ReadingAbsent || c == nil {
		return seen, refusal, nil
	}
	seen.Identity = &publication.Identity{ID: c.ID, OwnerUsername: ref.Owner, Slug: ref.Slug, Status: p.payload.Status}
	seen.Diff = fmt.Sprintf("%s cannot be read now; it was read at %s with the id %s", ref, c.SeenAt.UTC().Format(time.RFC3339), c.ID)
	return seen, "", nil
}

// seenBefore is content under the reference that a search of this operation read, or that a broken answer named; nil if
// there is none.
func (p *publish) seenBefore(ref publication.Reference) *publication.Candidate {
	for _, a := range p.snap.Attempts {
		for _, c := range a.Candidates {
			if c.FoundBy != publication.FoundByProbe && c.Reference == ref.String() && c.ID != "" {
				return &c
			}
		}
		if hint := hintOf(a); hint != nil && hint.Reference() == ref {
			return &publication.Candidate{Reference: ref.String(), ID: hint.ID, FoundBy: "answer", SeenAt: a.Evidence.StartedAt}
		}
	}
	return nil
}

// hintOf is the identity that a broken answer named, or nil.
func hintOf(a publication.Attempt) *publication.Identity {
	if a.Evidence == nil || a.Evidence.Hint == nil || a.Evidence.Hint.ID == "" {
		return nil
	}
	return a.Evidence.Hint
}

// probedDraft is the draft that a probe showed under the reference, or nil.
func (p *publish) probedDraft(ctx workflow.Context, ref publication.Reference) *publication.Candidate {
	if c := probedIn(ref, *p.snap.OpenAttempt()); c != nil {
		return c
	}
	if c := probedIn(ref, p.snap.Attempts...); c != nil && heedsEveryProbe(ctx) {
		return c
	}
	return nil
}

func probedIn(ref publication.Reference, attempts ...publication.Attempt) *publication.Candidate {
	for _, a := range attempts {
		for _, c := range a.Candidates {
			if c.FoundBy == publication.FoundByProbe && c.Reference == ref.String() && c.ID != "" {
				return &c
			}
		}
	}
	return nil
}

// heedsEveryProbe versions what a probe's finding means after the attempt that it was made for: runs from before took
// not_created in spite of it. It is asked only where a probe found something.
func heedsEveryProbe(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "a probe contradicts not-created", workflow.DefaultVersion, 1) != workflow.DefaultVersion
}

// probeContradicts says why a creation cannot be said to have created nothing: a probe showed it, whichever attempt it
// was about.
func (p *publish) probeContradicts(ctx workflow.Context) string {
	c := probedIn(p.in.Operation.Reference(), p.snap.Attempts...)
	if c == nil || p.kind() != publication.KindPublish || !heedsEveryProbe(ctx) {
		return ""
	}
	return fmt.Sprintf("a probe at %s found %s (id %s), so it was created; adopt it", c.SeenAt.UTC().Format(time.RFC3339), c.Reference, c.ID)
}

// keepSeen adds the earlier candidates that a new search does not show: what was seen once stays evidence.
func keepSeen(found, earlier []publication.Candidate) []publication.Candidate {
	out := found
	for _, old := range earlier {
		again := func(c publication.Candidate) bool { return c.Reference == old.Reference && c.ID == old.ID }
		if !slices.ContainsFunc(out, again) {
			out = append(out, old)
		}
	}
	return out
}

// probe asks TabNews about an unknown draft, on a person's order: one PATCH that touches updated_at and nothing else.
// It is a write, so the engine starts it at most once, like a send.
func (p *publish) probe(ctx workflow.Context, d publication.Decision) error {
	if p.payload.Status != publication.StatusDraft {
		return p.answer(ctx, d, "a probe is for drafts; what is to be public can be read: recheck")
	}
	in := api.ProbeInput{Operation: p.in.Operation, Attempt: p.snap.OpenAttempt().Number, Payload: p.payload, SendTimeout: p.settings.SendTimeout}
	var out api.Probed
	options := p.settings.sendOptions("probe " + p.snap.Reference + " for " + d.By)
	detached, _ := workflow.NewDisconnectedContext(ctx)
	if err := workflow.ExecuteActivity(workflow.WithActivityOptions(detached, options), api.Probe, in).Get(detached, &out); err != nil {
		return p.answer(ctx, d, "the probe gave no answer ("+publication.Clip(reason(err), 300)+"); it may have touched updated_at")
	}
	p.note("probe at %s: %s", out.At.UTC().Format("15:04:05Z"), out.Words)
	if out.Found != nil {
		open := p.snap.OpenAttempt()
		open.Candidates = keepSeen([]publication.Candidate{*out.Found}, open.Candidates)
	}
	return p.answer(ctx, d, "")
}
