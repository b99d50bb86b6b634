package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"postonce/publication"
)

func TestPublishFollowsToTheEnd(t *testing.T) {
	ended := make(chan struct{})
	last := step{snapshot: ola(publication.StateSending), before: func() {}}
	e := &fakeEngine{
		steps:  []step{{snapshot: ola(publication.StatePlanned)}, {snapshot: ola(publication.StateSending), before: func() { close(ended) }}, last},
		result: &ending{snapshot: acceptedOla()}, ended: ended,
	}
	b := newBench(t, e)
	b.mustRun(t, 0, "publish", "--yes", "--json", olaFile(t))
	if got := b.document(t); got.State != publication.StateAccepted || got.Identity.ID != "id-1" {
		t.Errorf("got %+v", got)
	}
	b.saysOnStderr(t, "planned", "sending")
	if len(e.started) != 1 {
		t.Fatalf("started %d times", len(e.started))
	}
	in := e.started[0]
	if in.Operation != opOla || in.Digest != olaPayload().Digest() || in.ApprovedBy != "eva" || in.ProposedBy != "eva" {
		t.Errorf("started with %+v", in)
	}
}

func TestPublishStopsWhereItParks(t *testing.T) {
	e := &fakeEngine{steps: []step{{snapshot: ola(publication.StateSending)}, {snapshot: unknownOla()}}}
	b := newBench(t, e)
	b.mustRun(t, 3, "publish", "--yes", olaFile(t))
	for _, word := range []string{"the answer was cut", "candidate", "starter resolve publish/ana/ola --attempt 1 --adopt ana/ola"} {
		if !strings.Contains(b.out.String(), word) {
			t.Errorf("standard output lacks %q:\n%s", word, &b.out)
		}
	}
}

// A workflow that has just begun says proposed, until it has asked the ledger; that is not the end of the story.
func TestPublishDoesNotStopBeforeTheWorkflowBegan(t *testing.T) {
	e := &fakeEngine{steps: []step{{snapshot: ola(publication.StateProposed)}, {snapshot: unknownOla()}}}
	newBench(t, e).mustRun(t, 3, "publish", "--yes", olaFile(t))
}

func TestProposeLeavesTheApprovalOpen(t *testing.T) {
	proposed := ola(publication.StateProposed)
	proposed.Parked = true
	e := &fakeEngine{steps: []step{{snapshot: proposed}}}
	b := newBench(t, e)
	b.mustRun(t, 6, "publish", "--propose", "--by", "  rui  costa ", olaFile(t))
	if in := e.started[0]; in.ApprovedBy != "" || in.ProposedBy != "rui costa" {
		t.Errorf("started with %+v", in)
	}
}

func TestNoWaitReturnsAtOnce(t *testing.T) {
	e := &fakeEngine{unpolled: true}
	b := newBench(t, e)
	b.mustRun(t, 6, "publish", "--yes", "--no-wait", "--json", olaFile(t))
	if got := b.document(t); got.State != publication.StatePlanned || got.Attempts == nil || got.Decisions == nil {
		t.Errorf("got %+v", got)
	}
	b.saysOnStderr(t, "no worker serves ana")
}

func TestAPersonIsAsked(t *testing.T) {
	for _, c := range []struct {
		person fakePerson
		starts int
		code   int
	}{
		{fakePerson{yes: true}, 1, 3},
		{fakePerson{yes: false}, 0, 1},
		{fakePerson{aborts: true}, 0, 1},
	} {
		e := &fakeEngine{steps: []step{{snapshot: unknownOla()}}}
		b := newBench(t, e)
		b.prompt = &c.person
		b.mustRun(t, c.code, "publish", olaFile(t))
		if len(e.started) != c.starts || len(c.person.asked) != 1 {
			t.Errorf("%+v: started %d times, want %d", c.person, len(e.started), c.starts)
		}
		if !strings.Contains(c.person.details[0], string(olaPayload().Digest())) {
			t.Errorf("the question does not name the digest: %q", c.person.details)
		}
	}
}

func TestSecondPublishStartsNothing(t *testing.T) {
	other := acceptedOla()
	other.Digest = "sha256:other"
	for _, c := range []struct {
		first publication.Snapshot
		word  string
		code  int
	}{
		{acceptedOla(), "with this payload", 0},
		{other, "another payload: sha256:other; nothing was sent", 2}, // a script must not believe that its text is there
	} {
		e := &fakeEngine{run: closedRun(), result: &ending{snapshot: c.first}}
		b := newBench(t, e)
		b.mustRun(t, c.code, "publish", "--yes", olaFile(t))
		if len(e.started) != 0 {
			t.Error("it was started again")
		}
		b.saysOnStderr(t, c.word)
	}
}

func TestAllCallersOfARaceGetTheOneOperation(t *testing.T) {
	sending := ola(publication.StateSending)
	e := &fakeEngine{startErr: errStarted, steps: []step{{snapshot: sending}, {snapshot: unknownOla()}}}
	b := newBench(t, e)
	b.mustRun(t, 3, "publish", "--yes", "--json", olaFile(t))
	if got := b.document(t); got.Operation != opOla || got.State != publication.StateUnknown {
		t.Errorf("got %+v", got)
	}
	b.saysOnStderr(t, "nothing was started or sent now")
}

func TestARejectedOneMayStartAgain(t *testing.T) {
	run := closedRun()
	run.Failed = true
	e := &fakeEngine{run: run, steps: []step{{snapshot: unknownOla()}}}
	b := newBench(t, e)
	b.withLedger(ola(publication.StateRejected))
	b.mustRun(t, 3, "publish", "--yes", olaFile(t))
	if len(e.started) != 1 {
		t.Error("it was not started")
	}
}

func TestTheLedgerRemembersWhatTemporalForgot(t *testing.T) {
	e := &fakeEngine{}
	b := newBench(t, e)
	b.withLedger(acceptedOla())
	b.mustRun(t, 0, "publish", "--yes", olaFile(t))
	if len(e.started) != 0 {
		t.Error("an accepted operation was started again")
	}
}

func TestUnconfirmedStartIsNotCalledFailed(t *testing.T) {
	b := newBench(t, &fakeEngine{startErr: errors.New("Temporal: deadline exceeded")})
	b.mustRun(t, 1, "publish", "--yes", olaFile(t))
	b.saysOnStderr(t, "did not confirm the start, so it may be under way", "starter status publish/ana/ola")
}

func TestCtrlCEndsTheWaitingOnly(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	e := &fakeEngine{steps: []step{{snapshot: ola(publication.StateSending), before: interrupt}}}
	b := newBench(t, e)
	if code := b.run(ctx, []string{"publish", "--yes", olaFile(t)}); code != 6 {
		t.Errorf("exit code %d, want 6", code)
	}
	b.saysOnStderr(t, "publish/ana/ola goes on by itself; look with `starter status publish/ana/ola`")
}
