package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"postonce/publication"
	"postonce/workflows"
)

// kindOf are the decisions of the signals that have one alone.
var kindOf = map[string]publication.DecisionKind{workflows.SignalReschedule: publication.DecisionReschedule, workflows.SignalCancel: publication.DecisionCancel}

// scheduledOla waits for a time in the year 2099, which no test will see.
func scheduledOla(t *testing.T) publication.Snapshot {
	t.Helper()
	schedule, err := publication.ParseSchedule("2099-12-24T09:00", "America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	schedule.Late = publication.Lateness(publication.DefaultLate)
	s := ola(publication.StatePlanned)
	s.Schedule, s.WaitingFor = &schedule, "its time, "+schedule.String()
	return s
}

const bothZones = "2099-12-24 12:00 UTC, 2099-12-24 09:00 in America/Sao_Paulo (-03:00)"

func TestPublishAtATimeShowsItInBothZonesAndDoesNotWait(t *testing.T) {
	e := &fakeEngine{steps: []step{{snapshot: scheduledOla(t)}}}
	b := newBench(t, e)
	b.mustRun(t, 6, "publish", "--yes", "--at", "2099-12-24T09:00", "--tz", "America/Sao_Paulo", "--late", "20m", olaFile(t))
	in := e.started[0]
	if in.Digest != olaPayload().Digest() || !publication.SameTime(in.Schedule, scheduledOla(t).Schedule) || in.Schedule.Late != publication.Lateness(20*time.Minute) {
		t.Errorf("started with %+v, %+v", in, in.Schedule)
	}
	b.saysOnStderr(t, bothZones)
	for _, word := range []string{bothZones, "starter reschedule publish/ana/ola --now", "--at WHEN --tz ZONE", "starter cancel publish/ana/ola"} {
		if !strings.Contains(b.out.String(), word) {
			t.Errorf("standard output lacks %q:\n%s", word, &b.out)
		}
	}
}

func TestTheTimeIsPartOfTheQuestion(t *testing.T) {
	e := &fakeEngine{steps: []step{{snapshot: scheduledOla(t)}}}
	b := newBench(t, e)
	person := &fakePerson{yes: true}
	b.prompt = person
	b.mustRun(t, 6, "publish", "--at", "2099-12-24T09:00-03:00", "--tz", "America/Sao_Paulo", "--json", olaFile(t))
	if !strings.Contains(person.details[0], bothZones) {
		t.Errorf("asked with %q", person.details)
	}
	if got := b.document(t); !publication.SameTime(got.Schedule, scheduledOla(t).Schedule) {
		t.Errorf("got %+v", got.Schedule)
	}
}

func TestABadTimeStartsNothing(t *testing.T) {
	for _, c := range []struct {
		flags []string
		words string
	}{
		{[]string{"--at", "2099-12-24T09:00"}, "no zone"},
		{[]string{"--at", "2001-12-24T09:00Z"}, "in the past"},
		{[]string{"--at", "2027-03-14T02:30", "--tz", "America/New_York"}, "does not exist"},
		{[]string{"--at", "2099-12-24T09:00", "--tz", "Brasilia"}, "no zone of the IANA"},
		{[]string{"--tz", "America/Sao_Paulo"}, "belong to --at"},
		{[]string{"--late", "1h"}, "belong to --at"},
		{[]string{"--at", "2099-12-24T09:00Z", "--late", "0s"}, "too short"},
	} {
		e := &fakeEngine{}
		b := newBench(t, e)
		b.mustRun(t, 2, append([]string{"publish", "--yes", olaFile(t)}, c.flags...)...)
		b.saysOnStderr(t, c.words)
		if len(e.started) != 0 {
			t.Errorf("%q started %+v", c.flags, e.started)
		}
	}
}

// The ledger is the lasting judge: what Temporal forgot keeps its time, and another time is told.
func TestTheLedgersTimeIsKeptAndAReplacementIsTold(t *testing.T) {
	e := &fakeEngine{steps: []step{{snapshot: scheduledOla(t)}}}
	b := newBench(t, e)
	b.withLedger(scheduledOla(t))
	b.mustRun(t, 6, "publish", "--yes", olaFile(t))
	b.saysOnStderr(t, "keeps its time: "+bothZones)
	b = newBench(t, &fakeEngine{steps: []step{{snapshot: scheduledOla(t)}}})
	b.withLedger(scheduledOla(t))
	b.mustRun(t, 6, "publish", "--yes", "--at", "2099-12-25T09:00Z", olaFile(t))
	b.saysOnStderr(t, "was to be sent at "+bothZones+"; this start makes it 2099-12-25 09:00 UTC")
}

func TestAnotherTimeForWhatRunsAlreadyIsToldAndNotTaken(t *testing.T) {
	e := &fakeEngine{run: openRun(), steps: []step{{snapshot: scheduledOla(t)}}}
	b := newBench(t, e)
	b.mustRun(t, 6, "publish", "--yes", "--at", "2099-12-25T09:00Z", olaFile(t))
	b.saysOnStderr(t, "has the time "+bothZones, "`starter reschedule publish/ana/ola --at 2099-12-25T09:00:00Z`")
	if len(e.started) != 0 {
		t.Errorf("started %+v", e.started)
	}
}

func TestRescheduleSendsAMomentWithoutDoubt(t *testing.T) {
	for _, c := range []struct {
		args []string
		at   string
	}{
		{[]string{"--at", "2099-12-24T09:00", "--tz", "America/Sao_Paulo"}, "2099-12-24T09:00:00-03:00"},
		{[]string{"--now"}, "now"},
	} {
		e := deciding(scheduledOla(t), scheduledOla(t), "")
		b := newBench(t, e)
		b.mustRun(t, 6, append([]string{"reschedule", "ana/ola", "--by", "eva"}, c.args...)...)
		if in := e.signals[0].(workflows.RescheduleInput); in.At != c.at || in.By != "eva" || in.ID == "" {
			t.Errorf("sent %+v", in)
		}
		b.saysOnStderr(t, "taken: reschedule")
	}
	for _, args := range [][]string{{}, {"--now", "--at", "2099-12-24T09:00Z"}, {"--at", "2001-12-24T09:00Z"}, {"--now", "--tz", "UTC"}} {
		newBench(t, &fakeEngine{}).mustRun(t, 2, append([]string{"reschedule", "ana/ola"}, args...)...)
	}
}

func TestCancelSaysThatNothingWasSentAndHowToTakeItUp(t *testing.T) {
	e := deciding(scheduledOla(t), ola(publication.StateProposed), "")
	b := newBench(t, e)
	b.mustRun(t, 6, "cancel", "ana/ola", "--by", "eva", "--reason", "not now")
	if in := e.signals[0].(workflows.CancelInput); in.By != "eva" || in.Reason != "not now" || in.ID == "" {
		t.Errorf("sent %+v", in)
	}
	b.saysOnStderr(t, "withdrawn by eva: nothing was sent", "`starter publish FILE` takes it up again")
	for _, word := range []string{"nothing runs", "starter publish FILE --propose"} {
		if !strings.Contains(b.out.String(), word) {
			t.Errorf("standard output lacks %q:\n%s", word, &b.out)
		}
	}
	if strings.Contains(b.out.String(), "starter approve") {
		t.Errorf("a way out that nobody takes any more:\n%s", &b.out)
	}
}

// A decision that nobody takes yet waits: what it was about does not go on.
func TestACancelWithoutAWorkerSaysThatItWaits(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	silent := step{err: &unansweredError{errors.New("no poller")}}
	e := &fakeEngine{run: openRun(), steps: []step{silent}}
	e.onSignal = func(string, any) []step { return []step{silent, {err: silent.err, before: interrupt}} }
	b := newBench(t, e)
	b.withLedger(scheduledOla(t))
	if code := b.run(ctx, []string{"cancel", "ana/ola"}); code != 6 || len(e.signals) != 1 {
		t.Errorf("exit code %d, sent %+v", code, e.signals)
	}
	b.saysOnStderr(t, "no worker answers; the decision waits", "the decision is sent, and is taken or refused by itself")
	if strings.Contains(b.err.String(), "the publication goes on") {
		t.Errorf("got %s", &b.err)
	}
}

func TestACancelThatComesTooLateIsNoSuccess(t *testing.T) {
	for _, c := range []struct {
		after publication.Snapshot
		code  int
	}{{acceptedOla(), 2}, {unknownOla(), 3}} {
		b := newBench(t, deciding(ola(publication.StateSending), c.after, "too late"))
		b.mustRun(t, c.code, "cancel", "ana/ola")
		b.saysOnStderr(t, "refused: too late")
	}
}

func TestWhatWasMissedIsShown(t *testing.T) {
	missed := scheduledOla(t)
	missed.Schedule.Missed, missed.Parked, missed.WaitingFor = true, true, ""
	b := newBench(t, &fakeEngine{run: openRun(), steps: []step{{snapshot: missed}}})
	b.mustRun(t, 6, "status", "ana/ola")
	for _, word := range []string{"missed", bothZones, "starter reschedule publish/ana/ola --now"} {
		if !strings.Contains(b.out.String(), word) {
			t.Errorf("standard output lacks %q:\n%s", word, &b.out)
		}
	}
	b = newBench(t, &fakeEngine{run: openRun()})
	b.withLedger(missed)
	b.mustRun(t, 0, "list")
	if !strings.Contains(b.out.String(), "missed "+bothZones) {
		t.Errorf("the list lacks it:\n%s", &b.out)
	}
}
