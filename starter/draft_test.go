package main

import (
	"strings"
	"testing"

	"postonce/publication"
	"postonce/workflows"
)

// draftWorld has ana/ola stored as a draft.
func draftWorld() *fakeEngine {
	p := olaPayload()
	p.Status = publication.StatusDraft
	s := acceptedOla()
	s.Digest, s.RemoteStatus, s.Identity.Status, s.Verification = p.Digest(), publication.StatusDraft, publication.StatusDraft, publication.VerificationNotApplicable
	return &fakeEngine{
		closed: map[publication.OperationID]publication.Snapshot{opOla: s},
		inputs: map[publication.OperationID]workflows.PublishInput{opOla: inputOf(p, "ana", "eva")},
	}
}

func TestDraftFlagOverridesTheFileAndIsTold(t *testing.T) {
	for text, told := range map[string]bool{
		"---\ntitle: Olá\nslug: ola\nstatus: published\n---\nUm texto.": true,
		"---\ntitle: Olá\nslug: ola\nstatus: draft\n---\nUm texto.":     false,
		"---\ntitle: Olá\nslug: ola\n---\nUm texto.":                    false,
	} {
		e := &fakeEngine{}
		b := newBench(t, e)
		b.mustRun(t, 6, "publish", "--draft", "--yes", "--no-wait", writeFile(t, text))
		if e.started[0].Payload.Status != publication.StatusDraft {
			t.Errorf("started %+v", e.started[0])
		}
		if got := strings.Contains(b.err.String(), `status: draft, as --draft says, not "published" as the file says`); got != told {
			t.Errorf("told %t, want %t:\n%s", got, told, &b.err)
		}
	}
}

func TestPublishDraftIsAChangeOfThatDraft(t *testing.T) {
	for _, arg := range []string{"publish/ana/ola", "ana/ola", "https://www.tabnews.com.br/ana/ola"} {
		e := draftWorld()
		parkedPublic := publication.Snapshot{Operation: "revise/ana/ola/draft-id-1", State: publication.StateUnknown, Parked: true}
		e.steps = []step{{snapshot: parkedPublic}}
		b := newBench(t, e)
		b.mustRun(t, 3, "publish-draft", arg, "--yes")
		in := e.started[0]
		if in.Operation != "revise/ana/ola/draft-id-1" || in.Base.ID != "id-1" || in.Base.Readable() || in.Base.Payload.Status != publication.StatusDraft {
			t.Errorf("started %s from %+v", in.Operation, in.Base)
		}
		if got := string(in.Base.PatchTo(in.Payload).CanonicalJSON()); got != `{"status":"published"}` || in.ApprovedBy != "eva" {
			t.Errorf("would send %s, approved by %q", got, in.ApprovedBy)
		}
		if in.Digest != publication.DigestOf(in.Payload, in.Base) || in.Digest == e.closed[opOla].Digest {
			t.Errorf("digest %s", in.Digest)
		}
		b.saysOnStderr(t, "draft → published", "Um texto.", "PATCH ", string(in.Digest))
	}
}

func TestPublishDraftNeedsAnAcceptedDraft(t *testing.T) {
	for _, c := range []struct {
		s     publication.Snapshot
		words []string
	}{
		{unknownOla(), []string{"is unknown, so there is no draft", "starter status publish/ana/ola"}},
		{acceptedOla(), []string{"accepted it as published, not as a draft"}},
	} {
		e := &fakeEngine{closed: map[publication.OperationID]publication.Snapshot{opOla: c.s}}
		b := newBench(t, e)
		b.mustRun(t, 2, "publish-draft", "ana/ola", "--yes")
		b.saysOnStderr(t, c.words...)
		if len(e.started) != 0 {
			t.Error("it was started")
		}
	}
	e := draftWorld()
	b := newBench(t, e)
	b.mustRun(t, 2, "publish-draft", "remove/ana/ola", "--yes")
	b = newBench(t, e)
	e.inputs = nil
	b.mustRun(t, 2, "publish-draft", "ana/ola", "--yes")
	b.saysOnStderr(t, "its payload is known neither to Temporal nor to the ledger", "DATABASE_URL")
	if len(e.started) != 0 {
		t.Errorf("started %+v", e.started)
	}
}

func TestPublishDraftHasItsOwnApproval(t *testing.T) {
	e := draftWorld()
	b := newBench(t, e)
	b.mustRun(t, 2, "publish-draft", "ana/ola")
	person := &fakePerson{}
	b = newBench(t, e)
	b.prompt = person
	b.mustRun(t, 1, "publish-draft", "ana/ola")
	if len(e.started) != 0 || person.asked[0] != "Publish the draft ana/ola?" {
		t.Errorf("started %d, asked %q", len(e.started), person.asked)
	}
	e.steps = []step{{snapshot: publication.Snapshot{State: publication.StateProposed, Parked: true}}}
	b = newBench(t, e)
	b.mustRun(t, 6, "publish-draft", "ana/ola", "--propose")
	if e.started[0].ApprovedBy != "" {
		t.Errorf("started %+v", e.started[0])
	}
}

// A changed text under a slug that is published, or stored as a draft, has a way that works.
func TestAnotherTextUnderAUsedSlugIsToldItsWay(t *testing.T) {
	planned := ola(publication.StatePlanned)
	accepted, unknown := acceptedOla(), unknownOla()
	for name, c := range map[string]struct {
		e     *fakeEngine
		words string
	}{
		"published": {&fakeEngine{run: closedRun(), result: &ending{snapshot: accepted}}, "to change its text: `starter edit ana/ola FILE`; for another article choose another slug"},
		"a draft":   {draftWorld(), "remove it with `starter remove ana/ola`, then store this text with `--again`"},
		"planned":   {&fakeEngine{run: openRun(), steps: []step{{snapshot: planned}}}, "first withdraw that one while nothing of it was sent: `starter cancel publish/ana/ola`"},
		"unknown":   {&fakeEngine{run: openRun(), steps: []step{{snapshot: unknown}}}, "look with `starter status publish/ana/ola`"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, c.e)
			code := 2
			if name == "unknown" {
				code = 3
			}
			b.mustRun(t, code, "publish", "--yes", writeFile(t, "---\ntitle: Olá\nslug: ola\n---\nOutro texto.\n"))
			b.saysOnStderr(t, c.words)
			if len(c.e.started) != 0 {
				t.Errorf("started %+v", c.e.started)
			}
		})
	}
}

func TestAnAcceptedDraftOffersToBePublished(t *testing.T) {
	b := newBench(t, draftWorld())
	b.mustRun(t, 0, "status", "ana/ola")
	if !strings.Contains(b.out.String(), "starter publish-draft publish/ana/ola") {
		t.Errorf("got %s", &b.out)
	}
}

func TestApproveShowsAProposedChangeAsItWasProposed(t *testing.T) {
	base, _ := versionOf(olaPage())
	p := base.Payload
	p.Body = "Outro texto."
	in := changeOf(opEdit, base, p, "eva")
	proposed := publication.Snapshot{Operation: opEdit, State: publication.StateProposed, Parked: true, Digest: in.Digest}
	e := deciding(proposed, publication.Snapshot{Operation: opEdit, State: publication.StatePlanned}, "")
	e.input = &in
	b := newBench(t, e)
	b.mustRun(t, 6, "approve", string(opEdit), "--by", "rui")
	if got := e.signals[0].(workflows.ApproveInput); got.Digest != in.Digest {
		t.Errorf("approved %+v", got)
	}
	b.saysOnStderr(t, "-Um texto.", "+Outro texto.")
}
