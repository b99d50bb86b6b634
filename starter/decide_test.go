package main

import (
	"strings"
	"testing"

	"postonce/publication"
	"postonce/workflows"
)

// deciding plays a workflow that answers a decision after two looks.
func deciding(before publication.Snapshot, after publication.Snapshot, refusal string) *fakeEngine {
	e := &fakeEngine{run: openRun(), steps: []step{{snapshot: before}}}
	e.onSignal = func(name string, input any) []step {
		id := ""
		switch in := input.(type) {
		case workflows.ApproveInput:
			id = in.ID
		case workflows.ResolveInput:
			id = in.ID
		case workflows.RecheckInput:
			id = in.ID
		case workflows.RescheduleInput:
			id = in.ID
		case workflows.CancelInput:
			id = in.ID
		}
		pending := before
		pending.Decisions = []publication.Decision{{ID: "another", Taken: true}, {ID: id}} // looked at, not answered
		answered := after
		answered.Decisions = []publication.Decision{{ID: id, Signal: name, Kind: kindOf[name], By: "eva", Taken: refusal == "", Refusal: refusal}}
		return []step{{snapshot: before}, {snapshot: pending}, {snapshot: answered}}
	}
	return e
}

func TestApproveNamesTheDigestThatIsShown(t *testing.T) {
	proposed := ola(publication.StateProposed)
	proposed.Parked = true
	e := deciding(proposed, ola(publication.StatePlanned), "")
	e.input = &workflows.PublishInput{Operation: opOla, Payload: olaPayload(), Digest: olaPayload().Digest()}
	b := newBench(t, e)
	b.mustRun(t, 6, "approve", "ana/ola", "--by", "eva")
	in := e.signals[0].(workflows.ApproveInput)
	if in.Digest != olaPayload().Digest() || in.By != "eva" || in.ID == "" {
		t.Errorf("sent %+v", in)
	}
	b.saysOnStderr(t, "Um texto.", "taken")
}

func TestRefusalIsNeverSuccess(t *testing.T) {
	for _, c := range []struct {
		after publication.Snapshot
		code  int
	}{
		{acceptedOla(), 2}, // 0 would say that the decision worked
		{unknownOla(), 3},
	} {
		e := deciding(unknownOla(), c.after, "too late")
		b := newBench(t, e)
		b.mustRun(t, c.code, "resolve", "ana/ola", "--attempt", "1", "--not-created", "--reason", "I looked")
		b.saysOnStderr(t, "refused: too late")
	}
}

func TestResolveShowsCandidatesBeforeItDecides(t *testing.T) {
	after := acceptedOla()
	e := deciding(unknownOla(), after, "")
	shown := ""
	b := newBench(t, e)
	played := e.onSignal
	e.onSignal = func(name string, input any) []step {
		shown = b.err.String()
		return played(name, input)
	}
	b.mustRun(t, 0, "resolve", "publish/ana/ola", "--attempt", "1", "--adopt", "https://www.tabnews.com.br/ana/ola", "--reason", "I read it", "--json")
	if !strings.Contains(shown, "candidate") || !strings.Contains(shown, "the answer was cut") {
		t.Errorf("before the decision only this was shown:\n%s", shown)
	}
	in := e.signals[0].(workflows.ResolveInput)
	if in.Decision != publication.DecisionAdopt || in.Reference != "ana/ola" || in.Attempt != 1 || in.Reason != "I read it" {
		t.Errorf("sent %+v", in)
	}
	if got := b.document(t); got.State != publication.StateAccepted || len(got.Decisions) != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestResolveAtATerminalAsksForAttemptReasonAndConsent(t *testing.T) {
	e := deciding(unknownOla(), ola(publication.StatePlanned), "")
	b := newBench(t, e)
	person := &fakePerson{yes: true, line: "nothing is there"}
	b.prompt = person
	b.mustRun(t, 6, "resolve", "ana/ola", "--not-created")
	in := e.signals[0].(workflows.ResolveInput)
	if in.Attempt != 1 || in.Reason != "nothing is there" {
		t.Errorf("sent %+v", in)
	}
	if len(person.asked) != 2 || !strings.Contains(person.asked[1], "attempt 1 of publish/ana/ola") {
		t.Errorf("asked %q", person.asked)
	}
}

func TestANoSendsNoDecision(t *testing.T) {
	e := deciding(unknownOla(), unknownOla(), "")
	b := newBench(t, e)
	b.prompt = &fakePerson{yes: false, line: "why not"}
	b.mustRun(t, 1, "resolve", "ana/ola", "--not-created")
	if len(e.signals) != 0 {
		t.Errorf("sent %+v", e.signals)
	}
}

func TestWaitFollowsOn(t *testing.T) {
	e := deciding(unknownOla(), ola(publication.StatePlanned), "")
	e.ended = make(chan struct{})
	e.result = &ending{snapshot: acceptedOla()}
	played := e.onSignal
	e.onSignal = func(name string, input any) []step {
		steps := played(name, input)
		sending := step{snapshot: ola(publication.StateSending), before: func() { close(e.ended) }}
		return append(steps, sending, step{snapshot: ola(publication.StateSending)})
	}
	newBench(t, e).mustRun(t, 0, "resolve", "ana/ola", "--attempt", "1", "--not-created", "--reason", "r", "--wait")
}

func TestAClosedOneRefusesDecisions(t *testing.T) {
	for _, args := range [][]string{
		{"approve", "ana/ola"},
		{"resolve", "ana/ola", "--attempt", "1", "--abandon", "--reason", "r"},
	} {
		e := &fakeEngine{run: closedRun(), result: &ending{snapshot: acceptedOla()}}
		b := newBench(t, e)
		b.mustRun(t, 2, args...)
		b.saysOnStderr(t, "refused", "accepted")
		if len(e.signals) != 0 {
			t.Errorf("%q sent %+v", args, e.signals)
		}
	}
}

func TestTheEndBeforeAnAnswerIsARefusal(t *testing.T) {
	e := deciding(unknownOla(), unknownOla(), "")
	e.onSignal = nil
	e.result = &ending{snapshot: acceptedOla()}
	b := newBench(t, e)
	b.mustRun(t, 2, "recheck", "ana/ola")
	b.saysOnStderr(t, "ended before it saw the decision")
}
