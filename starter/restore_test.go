package main

import (
	"testing"

	"postonce/publication"
	"postonce/workflows"
)

const opOldEdit = publication.OperationID("revise/Ana/ola/20260101T000000-000Z")

// afterEdit is a world in which opOldEdit, in a state, changed "Antes." to what olaPage shows.
func afterEdit(state publication.State) *fakeEngine {
	base, _ := versionOf(olaPage())
	base.UpdatedAt = base.UpdatedAt.AddDate(0, -2, 0)
	now := base.Payload
	base.Payload.Body, base.Payload.Title = "Antes.", "Título de antes"
	in := changeOf(opOldEdit, base, now, "eva")
	return &fakeEngine{
		closed: map[publication.OperationID]publication.Snapshot{opOldEdit: {Operation: opOldEdit, State: state, Digest: in.Digest}},
		inputs: map[publication.OperationID]workflows.PublishInput{opOldEdit: in},
		steps:  []step{{snapshot: parkedEdit()}},
	}
}

func TestRestoreIsAnEditBackToTheBase(t *testing.T) {
	e := afterEdit(publication.StateAccepted)
	b := newBench(t, e)
	b.withPages(olaPage())
	b.mustRun(t, 3, "restore", string(opOldEdit), "--yes")
	in := e.started[0]
	if in.Operation != opEdit || in.Payload.Body != "Antes." || in.Payload.Title != "Título de antes" || in.Base.Payload.Body != "Um texto." {
		t.Errorf("started %+v", in)
	}
	b.saysOnStderr(t, "+Antes.", "-Um texto.")
}

func TestRestoreTakesTheBaseFromTheLedgerToo(t *testing.T) {
	e := afterEdit(publication.StateAccepted)
	b := newBench(t, e)
	b.withRecords(&fakeRecords{inputs: e.inputs})
	e.inputs = nil
	b.withPages(olaPage())
	b.mustRun(t, 3, "restore", string(opOldEdit), "--yes")
	if len(e.started) != 1 {
		t.Error("nothing was started")
	}
}

func TestRestoreRefusesWhatHasNoWayBack(t *testing.T) {
	for _, c := range []struct {
		op    string
		state publication.State
		page  string
		code  int
		words []string
	}{
		{"publish/ana/ola", publication.StateAccepted, "", 2, []string{"only an edit has a version to go back to"}},
		{"revise/ana/ola/draft-11111111", publication.StateAccepted, "", 2, []string{"takes no publication back", "starter remove ana/ola"}},
		{string(opOldEdit), publication.StateRejected, "", 2, []string{"is rejected and changed nothing"}},
		{string(opOldEdit), publication.StateAccepted, "Antes.", 0, []string{"nothing to restore", "nothing was started"}},
	} {
		e := afterEdit(c.state)
		b := newBench(t, e)
		page := olaPage()
		if c.page != "" {
			page.Body, page.Title = c.page, "Título de antes"
		}
		b.withPages(page)
		b.mustRun(t, c.code, "restore", c.op, "--yes")
		b.saysOnStderr(t, c.words...)
		if len(e.started) != 0 {
			t.Errorf("%s: started %+v", c.op, e.started)
		}
	}
}

// The content under a slug may be another one by now.
func TestRestoreDoesNotTouchAnotherContent(t *testing.T) {
	page := olaPage()
	page.ID = "22222222-2222-4222-8222-222222222222"
	e := afterEdit(publication.StateAccepted)
	b := newBench(t, e)
	b.withPages(page)
	b.mustRun(t, 2, "restore", string(opOldEdit), "--yes")
	b.saysOnStderr(t, "another one, 2222")
	if len(e.started) != 0 {
		t.Error("it was started")
	}
}
