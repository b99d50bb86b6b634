package ledger

import (
	"context"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// scheduled is a time as far from now as told, with the default lateness, in São Paulo.
func scheduled(fromNow time.Duration) *publication.Schedule {
	const zone = "America/Sao_Paulo"
	at := publication.InZone(time.Now().Add(fromNow).Truncate(time.Second), zone)
	return &publication.Schedule{SendAt: at, SendZone: zone, Late: publication.Lateness(publication.DefaultLate)}
}

func scheduledRequest(run, approver string, s *publication.Schedule) OpenRequest {
	req := request(op, payload("texto"), run, approver)
	req.Schedule = s
	return req
}

func (f fixture) wantSchedule(want *publication.Schedule) {
	f.t.Helper()
	got := f.load().Schedule
	if !publication.SameTime(got, want) || got != nil && (got.Late != want.Late || got.Missed != want.Missed || got.String() != want.String()) {
		f.t.Errorf("the ledger holds the time %v, want %v", got, want)
	}
}

// eventsOf counts the journal's entries of a kind.
func (f fixture) eventsOf(want Event) (n int) {
	for _, e := range f.journal() {
		if e.Event == want {
			n++
		}
	}
	return n
}

func TestAClaimKeepsTheTimeOfItsOperation(t *testing.T) {
	for name, c := range map[string]struct {
		fromNow time.Duration
		claimed bool
		refusal string
	}{
		"an hour early":  {time.Hour, false, ""},
		"in time":        {-time.Second, true, ""},
		"hardly late":    {-14 * time.Minute, true, ""},
		"too late":       {-16 * time.Minute, false, "a person decides"},
		"a day too late": {-26 * time.Hour, false, "a person decides"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.open(scheduledRequest("run-1", "ana", scheduled(c.fromNow)))
			got := f.try(op, 1)
			if got.Claimed != c.claimed || !strings.Contains(got.Refusal, c.refusal) || (c.refusal == "") != (got.Refusal == "") {
				t.Errorf("got %+v", got)
			}
			if early := got.NotBefore > 0; early != (c.fromNow > 0) {
				t.Errorf("not before %s", got.NotBefore)
			}
		})
	}
}

func TestALaterStartKeepsTheTimeUnlessItBringsAnother(t *testing.T) {
	f := newFixture(t)
	first, second := scheduled(time.Hour), scheduled(2*time.Hour)
	f.open(scheduledRequest("run-1", "ana", first))
	f.wantSchedule(first)
	f.open(scheduledRequest("run-2", "ana", nil))
	f.wantSchedule(first)
	f.open(scheduledRequest("run-1", "ana", second)) // a reset of a run that opened it already
	f.wantSchedule(first)
	f.open(scheduledRequest("run-3", "ana", second))
	f.wantSchedule(second)
	if n := f.eventsOf(EventScheduled); n != 2 {
		t.Errorf("%d entries tell of its times, want 2", n)
	}
	f.wantState(publication.StatePlanned)
}

// The time belonged to the send that was refused; who corrects the text means now, unless he says another.
func TestTheTimeOfWhatWasRejectedIsTakenAway(t *testing.T) {
	f := newFixture(t)
	f.open(scheduledRequest("run-1", "ana", scheduled(-time.Second)))
	f.claim(1)
	f.finish(1, publication.OutcomeRejected)
	f.open(scheduledRequest("run-2", "ana", nil))
	f.wantSchedule(nil)
	f.wantState(publication.StatePlanned)
}

func TestMissedIsNotedOnceAndEndsWithAnotherTime(t *testing.T) {
	f := newFixture(t)
	past := scheduled(-time.Hour)
	f.open(scheduledRequest("run-1", "ana", past))
	mark := func(s *publication.Schedule) error {
		_, err := f.MarkMissed(context.Background(), op, *s)
		return err
	}
	f.must(mark(scheduled(-2 * time.Hour))) // of a run that does not know of a move
	f.wantSchedule(past)
	f.must(mark(past))
	past.Missed = true
	f.wantSchedule(past)
	f.changesNothing(func() error { return mark(past) })
	if !f.load().Snapshot().Parked || f.eventsOf(EventMissed) != 1 {
		t.Errorf("parked %v, %d entries", f.load().Snapshot().Parked, f.eventsOf(EventMissed))
	}
	later := scheduled(-time.Second)
	if d := f.decide(publication.Decision{Kind: publication.DecisionReschedule, ID: "move", Schedule: later}); !d.Taken {
		t.Fatal(d.Refusal)
	}
	f.wantSchedule(later)
	if d := f.load().Decisions[1]; !publication.SameTime(d.Schedule, later) {
		t.Errorf("the decision keeps %v", d.Schedule)
	}
	f.claim(1)
}

func TestNowTakesTheTimeAway(t *testing.T) {
	f := newFixture(t)
	f.open(scheduledRequest("run-1", "ana", scheduled(time.Hour)))
	if d := f.decide(publication.Decision{Kind: publication.DecisionReschedule, ID: "now"}); !d.Taken {
		t.Fatal(d.Refusal)
	}
	f.wantSchedule(nil)
	if n := f.eventsOf(EventScheduled); n != 2 {
		t.Errorf("%d entries tell of its times, want 2", n)
	}
	f.claim(1)
}

func TestWhatIsBeingSentHasNoOtherTimeAndIsNotWithdrawn(t *testing.T) {
	for _, outcome := range []publication.Outcome{publication.OutcomeSending, publication.OutcomeUnknown, publication.OutcomeAccepted, publication.OutcomeRejected} {
		f := newFixture(t)
		f.reach(op, outcome)
		before := f.load().State
		for _, kind := range []publication.DecisionKind{publication.DecisionReschedule, publication.DecisionCancel} {
			if d := f.decide(publication.Decision{Kind: kind, Schedule: scheduled(time.Hour)}); d.Taken || d.Refusal == "" {
				t.Errorf("%s of what is %s: %+v", kind, before, d)
			}
		}
		f.wantSchedule(nil)
		f.wantState(before)
	}
}

// A decision that an attempt created nothing means now, whatever the time of the attempt before was.
func TestNotCreatedNeedsNoTime(t *testing.T) {
	f := newFixture(t)
	f.open(scheduledRequest("run-1", "ana", scheduled(-14*time.Minute)))
	f.claim(1)
	f.finish(1, publication.OutcomeUnknown)
	f.notCreated(1)
	f.wantSchedule(nil)
	f.claim(2)
}

func TestACancelVoidsWhatAllowedTheSend(t *testing.T) {
	for name, plan := range map[string]func(fixture){
		"an approval": func(f fixture) { f.planned() },
		"a decision that an attempt created nothing": func(f fixture) {
			f.planned()
			f.claim(1)
			f.finish(1, publication.OutcomeUnknown)
			f.notCreated(1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			plan(f)
			next := len(f.load().Attempts) + 1
			if d := f.decide(publication.Decision{Kind: publication.DecisionCancel, By: "bea"}); !d.Taken {
				t.Fatal(d.Refusal)
			}
			f.wantState(publication.StateProposed)
			f.open(request(op, payload("texto"), "run-1", "ana")) // the cancelled run, reset
			f.open(request(op, payload("texto"), "run-2", ""))    // another one, that nobody approved
			if got := f.try(op, next); got.Claimed {
				t.Errorf("what was withdrawn was claimed: %+v", got)
			}
			f.wantState(publication.StateProposed)
			f.open(request(op, payload("texto"), "run-3", "ana"))
			f.claim(next)
		})
	}
}

func TestARecordRebuildsTheSchedule(t *testing.T) {
	f := newFixture(t)
	s := scheduled(time.Hour)
	s.Missed = true
	snap := publication.Snapshot{Operation: op, State: publication.StatePlanned, Digest: payload("texto").Digest(), Schedule: s}
	f.must(f.Record(context.Background(), RecordRequest{Account: "autora", Lane: "home", Payload: payload("texto"), Snapshot: snap}))
	f.wantSchedule(s)
}

func TestScheduleIsRefusedWhereItCannotBe(t *testing.T) {
	f := newFixture(t)
	noLate, noZone := scheduled(time.Hour), scheduled(time.Hour)
	noLate.Late, noZone.SendZone = 0, ""
	removal := changeRequest(removeOp, payload("texto"), base, "run-1", "ana")
	removal.Schedule = scheduled(time.Hour)
	for name, req := range map[string]OpenRequest{
		"without lateness": scheduledRequest("run-1", "ana", noLate), "without zone": scheduledRequest("run-1", "ana", noZone), "of a removal": removal,
	} {
		if _, err := f.OpenOperation(context.Background(), req); err == nil || !strings.Contains(err.Error(), "schedule") {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.planned()
	for name, sql := range map[string]string{
		"a time without zone":  `update operations set send_at = now(), late = '15 min'`,
		"a time never late":    `update operations set send_at = now(), send_zone = 'UTC', late = '0'`,
		"missed without time":  `update operations set missed = true`,
		"lateness without all": `update operations set late = '15 min'`,
	} {
		if _, err := f.pool.Exec(context.Background(), sql); err == nil {
			t.Errorf("the database takes %s", name)
		}
	}
}
