package activities

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
	"postonce/tabnews/tabnewstest"
)

// baseOf reads a published content as the base of a change.
func (b *bench) baseOf(t *testing.T, ref publication.Reference) *publication.Base {
	t.Helper()
	c, err := b.client.Content(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	return &publication.Base{ID: c.ID, UpdatedAt: c.UpdatedAt, Payload: publication.Payload{
		Title: c.Title, Slug: c.Slug, Body: c.Body, SourceURL: c.SourceURL, Status: c.Status, ParentID: c.ParentID}}
}

// edit changes the content past postonce.
func (b *bench) edit(t *testing.T, body string) {
	t.Helper()
	v := b.client.Update(t.Context(), tabnews.Update{Reference: publication.Reference{Owner: "autora", Slug: "ola"}, Patch: publication.Patch{Body: &body}}, time.Now().Add(10*time.Second))
	if v.Outcome != publication.OutcomeAccepted {
		t.Fatalf("%+v", v)
	}
}

func reviseInput(base *publication.Base) api.PrepareInput {
	wanted := base.Payload
	wanted.Title = "Outro título"
	return api.PrepareInput{Operation: publication.ReviseID("autora", "ola", base.Version()), Payload: wanted, Base: base, RunID: "run"}
}

func TestAChangeGoesOnFromItsBase(t *testing.T) {
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	got, err := b.Prepare(t.Context(), reviseInput(b.baseOf(t, id.Reference())))
	if err != nil || got.Found != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}

// T23: a remote edit between approval and send, also one that a reader cannot see.
func TestAChangeStopsWhenItsBaseIsGone(t *testing.T) {
	for name, body := range map[string]string{"another text": "Um texto de outra pessoa.", "the same text, another version": payload.Body} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, rightPassword)
			id := b.published(t, payload)
			base := b.baseOf(t, id.Reference())
			base.UpdatedAt = base.UpdatedAt.Add(-time.Second) // the edit comes a second after it
			in := reviseInput(base)
			b.edit(t, body)
			got, err := b.Prepare(t.Context(), in)
			if err != nil || got.Found == nil || got.State != publication.StateRejected || b.ledger.refused == nil {
				t.Fatalf("got %+v, %v", got, err)
			}
			if !strings.Contains(got.Found.Diff, "base → TabNews now") || !strings.Contains(got.Found.Diff, "base → ours") || !strings.Contains(got.Found.Diff, "Outro título") {
				t.Errorf("the conflict does not show both sides:\n%s", got.Found.Diff)
			}
		})
	}
}

// A change that meets an edit of ours is told of that edit, and of nobody else.
func TestAChangeThatMeetsOurOwnEditNamesIt(t *testing.T) {
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	base := b.baseOf(t, id.Reference())
	base.UpdatedAt = base.UpdatedAt.Add(-time.Second) // the edit comes a second after it
	ours := base.Payload
	ours.Body = "Um texto novo."
	b.edit(t, ours.Body)
	edit := ledger.Record{Operation: "revise/autora/ola/20260101T000000-000Z", State: publication.StateAccepted, Identity: &id, Payload: ours}
	for want, state := range map[publication.OperationID]publication.State{edit.Operation: publication.StateAccepted, "": publication.StateAbandoned} {
		edit.State = state
		b.ledger.known = []ledger.Record{edit}
		if got, err := b.Prepare(t.Context(), reviseInput(base)); err != nil || got.Found == nil || got.Found.ChangedBy != want {
			t.Errorf("%s: got %+v, %v", state, got.Found, err)
		}
	}
	b.edit(t, "Um texto de outra pessoa.")
	edit.State = publication.StateAccepted
	b.ledger.known = []ledger.Record{edit}
	if got, err := b.Prepare(t.Context(), reviseInput(base)); err != nil || got.Found == nil || got.Found.ChangedBy != "" {
		t.Errorf("somebody else's edit: got %+v, %v", got.Found, err)
	}
}

func TestAChangeOfADeletedContentStops(t *testing.T) {
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	in := reviseInput(b.baseOf(t, id.Reference()))
	b.tabnews.Moderate("autora", "ola", "delete")
	got, err := b.Prepare(t.Context(), in)
	if err != nil || got.Found == nil || got.Found.ID != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestADraftIsPublishedFromWhatWasApproved(t *testing.T) {
	b := newBench(t, rightPassword)
	draft := payload
	draft.Status = publication.StatusDraft
	id := b.published(t, draft)
	base := &publication.Base{ID: id.ID, Payload: draft}
	in := api.PrepareInput{Operation: publication.ReviseID("autora", "ola", base.Version()), Payload: payload, Base: base, RunID: "run"}
	if got, err := b.Prepare(t.Context(), in); err != nil || got.Found != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	s := sending{Activities: b.Activities, in: api.SendInput{Payload: payload, Base: base}}
	if v := s.request(t.Context(), time.Now().Add(10*time.Second)); v.Outcome != publication.OutcomeAccepted || v.Identity.ID != id.ID {
		t.Errorf("got %+v", v)
	}
	if arrivals := b.tabnews.Arrivals(); arrivals[len(arrivals)-1].Method != "PATCH" {
		t.Error("publishing a draft was no PATCH")
	}
	if got, err := b.Prepare(t.Context(), in); err != nil || got.Found == nil {
		t.Errorf("a draft that is public already may be published again: %+v, %v", got, err)
	}
}

func TestARemovalReadsBackWhenItIsGone(t *testing.T) {
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	gone := api.ReadBackInput{Payload: payload, Identity: id}
	gone.Payload.Status = publication.StatusDeleted
	if out, err := b.readBack(t, gone); err == nil {
		t.Errorf("readable content was called %s", out.Verification)
	}
	b.tabnews.Moderate("autora", "ola", "delete")
	if out, err := b.readBack(t, gone); err != nil || out.Verification != publication.VerificationMatched {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestAProbeTellsDraftPublishedAndAbsentApart(t *testing.T) {
	for _, c := range []struct {
		status publication.ContentStatus
		words  string
		found  bool
	}{
		{publication.StatusDraft, "is a draft", true},
		{publication.StatusPublished, "is published", false},
		{"", "absent, deleted, or hidden", false},
	} {
		b := newBench(t, rightPassword)
		p := payload
		p.Status = c.status
		if c.status == "" {
			if _, err := b.client.CheckSession(t.Context()); err != nil {
				t.Fatal(err)
			}
		} else {
			b.published(t, p)
		}
		out, err := b.Probe(t.Context(), api.ProbeInput{Operation: "publish/autora/ola", Attempt: 1, Payload: p, SendTimeout: 10 * time.Second})
		if out.Found != nil && !out.Found.Equal {
			t.Errorf("the draft was not compared: %+v", out.Found)
		}
		if kept := len(b.ledger.found) == 1; kept != c.found {
			t.Errorf("%q: kept with the attempt: %+v", c.status, b.ledger.found)
		}
		if err != nil || (out.Found != nil) != c.found || !strings.Contains(out.Words, c.words) {
			t.Errorf("%q: %+v, %v", c.status, out, err)
		}
	}
}

func TestAProbeWithoutAnAnswerSaysSo(t *testing.T) {
	b := newBench(t, rightPassword)
	if _, err := b.client.CheckSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.tabnews.Inject(tabnewstest.Fault{On: "update", Fault: "drop_after_store", Times: 1})
	if out, err := b.Probe(t.Context(), api.ProbeInput{Operation: "publish/autora/ola", SendTimeout: 10 * time.Second}); err == nil {
		t.Errorf("got %+v", out)
	}
}

func TestAnUnknownChangeIsComparedWithBaseAndPayload(t *testing.T) {
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	base := b.baseOf(t, id.Reference())
	wanted := base.Payload
	wanted.Body = "Um texto novo."
	in := api.InvestigateInput{Operation: publication.ReviseID("autora", "ola", base.Version()), Payload: wanted, Base: base, Attempt: publication.Attempt{Number: 1}}
	found, err := b.Investigate(t.Context(), in)
	if err != nil || !strings.Contains(strings.Join(found.Notes, "\n"), "not applied as far as can be seen") {
		t.Errorf("got %+v, %v", found, err)
	}
	b.edit(t, "Um texto novo.")
	if found, err = b.Investigate(t.Context(), in); err != nil || len(found.Candidates) != 1 || !found.Candidates[0].Equal {
		t.Errorf("got %+v, %v", found, err)
	}
}

func TestARemovalKeepsWhatOthersChangedJustBefore(t *testing.T) {
	for name, body := range map[string]string{"changed": "Um texto deles.", "as seen": payload.Body} {
		b := newBench(t, rightPassword)
		id := b.published(t, payload)
		base := b.baseOf(t, id.Reference())
		b.edit(t, body)
		gone := base.Payload
		gone.Status = publication.StatusDeleted
		s := sending{Activities: b.Activities, in: api.SendInput{Payload: gone, Base: base}}
		verdict := s.request(t.Context(), time.Now().Add(10*time.Second))
		s.attempt.Outcome, s.attempt.Evidence = verdict.Outcome, &verdict.Evidence
		s.judge(verdict.Stored)
		if foreign := s.attempt.Evidence.Foreign; strings.Contains(foreign, "+Um texto deles.") != (name == "changed") || name == "as seen" && foreign != "" {
			t.Errorf("%s: %q", name, foreign)
		}
	}
}

func TestAnotherTryIsTheSameIntention(t *testing.T) {
	b := newBench(t, rightPassword)
	base := &publication.Base{ID: identity.ID, UpdatedAt: time.Date(2026, 11, 30, 15, 0, 0, 0, time.UTC), Payload: payload}
	wanted, removed := payload, payload
	wanted.Title, removed.Status = "Outro", publication.StatusDeleted
	for _, in := range []api.OpenInput{
		{Operation: publication.ReviseID("autora", "ola", base.Version()).WithTry(2), Payload: wanted, Base: base},
		{Operation: publication.RemoveID("autora", "ola", 2).WithTry(3), Payload: removed, Base: base},
	} {
		if got, err := b.intended(in); err != nil || got != in.Operation {
			t.Errorf("got %q, %v, want %q", got, err, in.Operation)
		}
	}
}

// Waiting settles one refusal of the ledger, and no repetition the other.
func TestARefusedTryIsWaitedForOrFinal(t *testing.T) {
	for name, c := range map[string]struct {
		refusal *ledger.TryError
		kind    string
	}{
		"in flight":     {&ledger.TryError{State: publication.StateAbandoned, InFlight: 30 * time.Second}, api.ErrorInFlight},
		"not abandoned": {&ledger.TryError{State: publication.StateUnknown}, api.ErrorInvalid},
	} {
		var failure *temporal.ApplicationError
		if err := notOpened(fmt.Errorf("ledger: open: %w", c.refusal)); !errors.As(err, &failure) || failure.Type() != c.kind {
			t.Errorf("%s: %v", name, err)
		}
		var left time.Duration
		if c.refusal.InFlight > 0 && (failure.Details(&left) != nil || left != c.refusal.InFlight) {
			t.Errorf("%s: the wait of %s is not told: %s", name, c.refusal.InFlight, left)
		}
	}
}

func TestOpenOperationChecksChangesToo(t *testing.T) {
	b := newBench(t, rightPassword)
	base := &publication.Base{ID: identity.ID, UpdatedAt: time.Date(2026, 11, 30, 15, 0, 0, 0, time.UTC), Payload: payload}
	wanted := payload
	wanted.Title = "Outro"
	removed := payload
	removed.Status = publication.StatusDeleted
	for name, in := range map[string]api.OpenInput{
		"nothing changes":         {Operation: publication.ReviseID("autora", "ola", base.Version()), Payload: payload, Base: base},
		"another base":            {Operation: "revise/autora/ola/20200101T000000-000Z", Payload: wanted, Base: base},
		"a removal by a revision": {Operation: publication.ReviseID("autora", "ola", base.Version()), Payload: removed, Base: base},
		"an edit by a removal":    {Operation: "remove/autora/ola", Payload: wanted, Base: base},
		"no base":                 {Operation: "remove/autora/ola", Payload: removed},
		"a base for a creation":   {Operation: "publish/autora/ola", Payload: payload, Base: base},
	} {
		in.Digest = publication.DigestOf(in.Payload, in.Base)
		if _, err := b.OpenOperation(t.Context(), in); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
}

// An approval of an old draft publishes nothing that took its place.
func TestAnOldDraftsApprovalPublishesNoNewerOne(t *testing.T) {
	draft := payload
	draft.Status = publication.StatusDraft
	old := publication.Identity{ID: "0b6f0d3c-8b0a-4a7e-9d55-3f1f6b1f0009", OwnerUsername: "autora", Slug: "ola", Status: publication.StatusDraft}
	base := &publication.Base{ID: old.ID, Payload: draft}
	for name, newest := range map[string]ledger.Record{
		"removed":  {Operation: "remove/autora/ola", State: publication.StateAccepted, Identity: &old},
		"deleted":  {Operation: "publish/autora/ola", State: publication.StateAccepted, Identity: &old, RemoteStatus: publication.StatusDeleted},
		"replaced": {Operation: "publish/autora/ola@2", State: publication.StateAccepted, Identity: &identity},
	} {
		b := newBench(t, rightPassword)
		b.published(t, draft) // what stands there now
		b.ledger.known = []ledger.Record{newest, {Operation: "publish/autora/ola", State: publication.StateAccepted, Identity: &old}}
		in := api.PrepareInput{Operation: publication.ReviseID("autora", "ola", base.Version()), Payload: payload, Base: base, RunID: "run"}
		if got, err := b.Prepare(t.Context(), in); err != nil || got.Found == nil || got.Found.FoundBy != publication.FoundByLedger {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		s := sending{Activities: b.Activities, in: api.SendInput{Payload: payload, Base: base}}
		if problem := s.baseGone(t.Context(), time.Now().Add(10*time.Second)); problem == "" {
			t.Errorf("%s: the send would go on", name)
		}
	}
}
