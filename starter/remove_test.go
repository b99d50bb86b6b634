package main

import (
	"errors"
	"strings"
	"testing"

	"postonce/publication"
	"postonce/workflows"
)

func removed(op publication.OperationID) publication.Snapshot {
	return publication.Snapshot{Operation: op, State: publication.StateAccepted, RemoteStatus: publication.StatusDeleted, Verification: publication.VerificationMatched}
}

func TestRemoveTellsTheCostAndStartsOnce(t *testing.T) {
	e := &fakeEngine{result: &ending{snapshot: removed("remove/Ana/ola")}}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.mustRun(t, 0, "remove", "ana/ola", "--confirm", "ola")
	in := e.started[0]
	if in.Operation != "remove/Ana/ola" || in.ApprovedBy != "eva" || in.Payload.Status != publication.StatusDeleted || in.Base.Payload.Status != publication.StatusPublished {
		t.Errorf("started %+v", in)
	}
	if got := string(in.Base.PatchTo(in.Payload).CanonicalJSON()); got != `{"status":"deleted"}` || in.Digest != publication.DigestOf(in.Payload, in.Base) {
		t.Errorf("would send %s", got)
	}
	b.saysOnStderr(t, "Olá", "https://tabnews.example/Ana/ola", "comments     3", "tabcoins     2", "loses all TabCoins", "makes another content")
	if !strings.Contains(b.out.String(), "is gone") {
		t.Errorf("got %s", &b.out)
	}
}

func TestRemoveNeedsTheSlug(t *testing.T) {
	for _, c := range []struct {
		args   []string
		typed  *fakePerson
		code   int
		starts int
		word   string
	}{
		{nil, nil, 2, 0, "--confirm ola"},
		{[]string{"--yes"}, nil, 2, 0, "--yes does not remove"},
		{[]string{"--yes", "--confirm", "ola"}, nil, 2, 0, "--yes does not remove"},
		{[]string{"--confirm", "outra"}, nil, 2, 0, "is not the slug of ana/ola"},
		{[]string{"--propose", "--confirm", "ola"}, nil, 2, 0, "--propose"},
		{nil, &fakePerson{yes: true, line: "yes"}, 2, 0, "is not the slug"},
		{nil, &fakePerson{line: "ola"}, 0, 1, "started remove/Ana/ola"},
	} {
		e := &fakeEngine{result: &ending{snapshot: removed("remove/Ana/ola")}}
		b := newBench(t, e)
		b.withPages(olaPage())
		if c.typed != nil {
			b.prompt = c.typed
		}
		b.mustRun(t, c.code, append([]string{"remove", "ana/ola"}, c.args...)...)
		b.saysOnStderr(t, c.word)
		if len(e.started) != c.starts {
			t.Errorf("%q: started %d times", c.args, len(e.started))
		}
	}
}

func TestRemoveOfADraftOfOurs(t *testing.T) {
	e := draftWorld()
	e.result = &ending{snapshot: removed("remove/ana/ola")}
	b := newBench(t, e)
	b.withPages()
	b.mustRun(t, 0, "remove", "ana/ola", "--confirm", "ola")
	in := e.started[0]
	if in.Base.ID != "id-1" || in.Base.Readable() || in.Base.Payload.Status != publication.StatusDraft {
		t.Errorf("started from %+v", in.Base)
	}
	b.saysOnStderr(t, "nothing: it was never published")
}

func TestRemoveAgainShowsTheFirst(t *testing.T) {
	e := &fakeEngine{closed: map[publication.OperationID]publication.Snapshot{"remove/ana/ola": removed("remove/ana/ola")}}
	b := newBench(t, e)
	b.withPages()
	b.mustRun(t, 0, "remove", "ana/ola", "--confirm", "ola")
	b.saysOnStderr(t, "was started before; nothing was started or sent now")
	if len(e.started) != 0 {
		t.Error("it was started again")
	}
}

// A removal in doubt may be what made the content go: cancelling its workflow does not make it forgotten.
func TestRemoveTakesUpItsOwnDoubt(t *testing.T) {
	base, _ := versionOf(olaPage())
	in := removalOf("remove/ana/ola", base, "eva")
	doubt := publication.Snapshot{Operation: in.Operation, State: publication.StateUnknown, Parked: true, Digest: in.Digest}
	e := &fakeEngine{run: &execution{Operation: in.Operation, Failed: true, Status: "canceled"}, input: &in, steps: []step{{snapshot: doubt}}}
	b := newBench(t, e)
	b.withPages()
	b.withLedger(doubt)
	b.mustRun(t, 3, "remove", "ana/ola", "--confirm", "ola")
	if len(e.started) != 1 || e.started[0].ApprovedBy != "" || e.started[0].Digest != in.Digest {
		t.Errorf("started %+v", e.started)
	}
}

func TestRemoveOfNothing(t *testing.T) {
	b := newBench(t, &fakeEngine{})
	b.withPages()
	b.mustRun(t, 2, "remove", "ana/nada", "--confirm", "nada")
	b.saysOnStderr(t, "TabNews shows nothing there", "nothing was started")
}

func TestRemoveIsOfTheNewestPublication(t *testing.T) {
	e := &fakeEngine{result: &ending{snapshot: removed("remove/Ana/ola@2")}}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.withRecords(&fakeRecords{generation: 2})
	b.mustRun(t, 0, "remove", "ana/ola", "--confirm", "ola")
	if got := e.started[0].Operation; got != "remove/Ana/ola@2" {
		t.Errorf("started %s", got)
	}

	for _, r := range []*fakeRecords{{generation: 1, removed: true}, {err: errors.New("PostgreSQL: away")}} {
		e, code := &fakeEngine{}, 2
		if r.err != nil {
			code = 1
		}
		b := newBench(t, e)
		b.withPages(olaPage())
		b.withRecords(r)
		b.mustRun(t, code, "remove", "ana/ola", "--confirm", "ola")
		if len(e.started) != 0 {
			t.Errorf("%+v: started %+v", r, e.started)
		}
	}
}

func TestTrackTakesUpWhatIsRead(t *testing.T) {
	tracked := publication.Snapshot{Operation: "track/Ana/ola", State: publication.StateAccepted, Verification: publication.VerificationMatched}
	e := &fakeEngine{result: &ending{snapshot: tracked}}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.mustRun(t, 0, "track", "ana/ola", "--by", "rui")
	base, _ := versionOf(olaPage())
	want := workflows.PublishInput{Operation: "track/Ana/ola", Payload: base.Payload, Digest: base.Payload.Digest(), ProposedBy: "rui", ApprovedBy: "rui"}
	if e.started[0] != want {
		t.Errorf("started %+v", e.started[0])
	}
	if !strings.Contains(b.out.String(), "is tracked") {
		t.Errorf("got %s", &b.out)
	}
	e = &fakeEngine{result: &ending{err: &endedError{"track/Ana/ola", "ended by a failure (it was changed meanwhile)"}}}
	e.run = &execution{Operation: "track/Ana/ola", Failed: true, Status: "failed"}
	b = newBench(t, e)
	b.mustRun(t, 1, "status", "track/Ana/ola")
	b.saysOnStderr(t, "changed meanwhile")
	b = newBench(t, &fakeEngine{})
	b.withPages()
	b.mustRun(t, 2, "track", "ana/ola")
	b.saysOnStderr(t, "only what is public")
}
