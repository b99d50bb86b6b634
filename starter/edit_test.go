package main

import (
	"strings"
	"testing"

	"postonce/publication"
)

func parkedEdit() publication.Snapshot {
	return publication.Snapshot{Operation: opEdit, State: publication.StateUnknown, Parked: true, Reference: "Ana/ola"}
}

func TestEditStartsFromTheVersionThatIsThere(t *testing.T) {
	e := &fakeEngine{steps: []step{{snapshot: parkedEdit()}}}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.mustRun(t, 3, "edit", "ana/ola", writeFile(t, "Outro texto.\n"), "--yes")
	in := e.started[0]
	if in.Operation != opEdit || in.ApprovedBy != "eva" || in.Digest != publication.DigestOf(in.Payload, in.Base) {
		t.Errorf("started %+v", in)
	}
	want := in.Base.Payload
	want.Body = "Outro texto." // title and source_url stay, the newline at the end goes
	if in.Payload != want || in.Base.ID != olaPage().ID || !in.Base.UpdatedAt.Equal(olaPage().UpdatedAt) || in.Base.Payload.Body != "Um texto." {
		t.Errorf("payload %+v\nbase %+v", in.Payload, in.Base)
	}
	b.saysOnStderr(t, "-Um texto.", "+Outro texto.", string(in.Digest), "PATCH ")
	if strings.Contains(b.err.String(), "Side by side") {
		t.Error("side by side without a wide terminal")
	}
}

func TestEditTakesAwayWhatIsWrittenEmpty(t *testing.T) {
	e := &fakeEngine{steps: []step{{snapshot: parkedEdit()}}}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.mustRun(t, 3, "edit", "ana/ola", writeFile(t, "---\nsource_url:\ntitle: Olá, mundo\nslug: ola\nstatus: published\n---\nUm texto.\n"), "--yes", "--side-by-side")
	if p := e.started[0].Payload; p.SourceURL != "" || p.Title != "Olá, mundo" || p.Body != "Um texto." {
		t.Errorf("started %+v", p)
	}
	b.saysOnStderr(t, "Side by side", "title now")
}

func TestEditWithoutChangeStartsNothing(t *testing.T) {
	b := newBench(t, &fakeEngine{})
	b.withPages(olaPage())
	b.mustRun(t, 0, "edit", "ana/ola", writeFile(t, "Um texto.\n\n"), "--yes", "--json")
	b.saysOnStderr(t, "nothing was started")
	for _, each := range []string{`"changed": false`, `"operation": null`, `"state": null`} {
		if !strings.Contains(b.out.String(), each) {
			t.Errorf("no %s in %s", each, &b.out)
		}
	}
}

func TestEditRefusesWhatIsNoEdit(t *testing.T) {
	for _, c := range []struct {
		ref, text string
		words     []string
	}{
		{"ana/ola", "---\nslug: outra\n---\nx", []string{"slug", "does not rename", "leave the slug out"}},
		{"ana/ola", "---\nstatus: draft\n---\nx", []string{"status", "takes no publication back", "starter remove"}},
		{"ana/ola", "", []string{"texto.md:1: body: is required"}},
		{"ana/ola", "---\ntitle:\n---\nx", []string{"texto.md:2: title: is required"}},
		{"ana/nada", "x", []string{"edit: ana/nada: TabNews shows nothing there", "publish-draft ana/nada"}},
		{"rui/ola", "x", []string{"rui: is another account than ana"}},
	} {
		e := &fakeEngine{}
		b := newBench(t, e)
		b.withPages(olaPage())
		b.mustRun(t, 2, "edit", c.ref, writeFile(t, c.text), "--yes")
		b.saysOnStderr(t, c.words...)
		if n := strings.Count(b.err.String(), "\n"); n != 1 || len(e.started) != 0 {
			t.Errorf("%q: %d lines, started %d:\n%s", c.text, n, len(e.started), &b.err)
		}
	}
}

// What is not sent is not judged: it is there, whatever rules TabNews had when it was written.
func TestEditDoesNotJudgeWhatStays(t *testing.T) {
	page := olaPage()
	page.SourceURL, page.Title = "http://localhost/velho ", " Olá "
	e := &fakeEngine{steps: []step{{snapshot: parkedEdit()}}}
	b := newBench(t, e)
	b.withPages(page)
	b.mustRun(t, 3, "edit", "ana/ola", writeFile(t, "Outro."), "--yes")
	in := e.started[0]
	if got := string(in.Base.PatchTo(in.Payload).CanonicalJSON()); got != `{"body":"Outro."}` {
		t.Errorf("would send %s", got)
	}
}

func TestAnotherEditOfTheSameVersionIsShown(t *testing.T) {
	open := parkedEdit()
	open.Digest = "sha256:other"
	e := &fakeEngine{run: &execution{Operation: opEdit, Open: true}, steps: []step{{snapshot: open}}}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.mustRun(t, 3, "edit", "ana/ola", writeFile(t, "Outro."), "--yes")
	b.saysOnStderr(t, "another payload: sha256:other", "settle that one first", "starter status "+string(opEdit))
	if len(e.started) != 0 {
		t.Error("it was started")
	}
}

// An earlier success must not pass for the one that was asked for.
func TestAnotherChangeThatWorkedIsNoSuccess(t *testing.T) {
	page := olaPage()
	edit := publication.Snapshot{Operation: opEdit, State: publication.StateAccepted, Verification: publication.VerificationMatched, Digest: "sha256:other"}
	gone := removed("remove/Ana/ola")
	gone.Digest = "sha256:other"
	for _, c := range []struct {
		first publication.Snapshot
		args  []string
	}{
		{edit, []string{"edit", "ana/ola", writeFile(t, "Outro."), "--yes"}},
		{gone, []string{"remove", "ana/ola", "--confirm", "ola"}},
	} {
		e := &fakeEngine{closed: map[publication.OperationID]publication.Snapshot{c.first.Operation: c.first}}
		b := newBench(t, e)
		b.withPages(page)
		b.mustRun(t, 2, c.args...)
		b.saysOnStderr(t, "another payload: sha256:other", "settled as accepted")
		if len(e.started) != 0 {
			t.Errorf("started %+v", e.started)
		}
	}
}

func TestEditAsks(t *testing.T) {
	e := &fakeEngine{}
	b := newBench(t, e)
	b.withPages(olaPage())
	person := &fakePerson{}
	b.prompt = person
	b.mustRun(t, 1, "edit", "ana/ola", writeFile(t, "Outro."))
	if len(e.started) != 0 || person.asked[0] != "Change Ana/ola?" || !strings.Contains(person.details[0], "sha256:") {
		t.Errorf("started %d, asked %q %q", len(e.started), person.asked, person.details)
	}
}

func TestReadingNeedsTheAddress(t *testing.T) {
	for _, args := range [][]string{
		{"edit", "ana/ola", writeFile(t, "x"), "--yes"},
		{"track", "ana/ola"},
		{"remove", "ana/ola", "--confirm", "ola"},
		{"comment", "--on", "rui/ola", writeFile(t, "x"), "--yes"},
	} {
		b := newBench(t, &fakeEngine{})
		b.mustRun(t, 2, args...)
		b.saysOnStderr(t, "TABNEWS_URL: is not set")
	}
}

func TestAConflictShowsBaseTheirsAndOurs(t *testing.T) {
	rejected := parkedEdit()
	rejected.State, rejected.Parked = publication.StateRejected, false
	rejected.Divergence = "base → TabNews now\n-Um texto.\n+Deles.\n\nbase → ours\n-Um texto.\n+Nosso.\n"
	e := &fakeEngine{closed: map[publication.OperationID]publication.Snapshot{opEdit: rejected}}
	b := newBench(t, e)
	b.mustRun(t, 4, "status", string(opEdit))
	for _, word := range []string{"Conflict: what others made of the base", "+Deles.", "+Nosso.", "starter edit Ana/ola FILE"} {
		if !strings.Contains(b.out.String(), word) {
			t.Errorf("standard output lacks %q:\n%s", word, &b.out)
		}
	}
}
