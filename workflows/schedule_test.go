package workflows

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/publication"
)

const day = 24 * time.Hour

func (w *world) markMissed(_ context.Context, in api.MarkMissedInput) (api.Missed, error) {
	w.missed = append(w.missed, in)
	in.Schedule.Missed = true
	return api.Missed{Schedule: &in.Schedule}, nil
}

// in is a time as far from the workflow's start as told, in New York, with the default lateness.
func (w *world) in(d time.Duration) *publication.Schedule {
	const zone = "America/New_York"
	at := publication.InZone(w.env.Now().Add(d).Truncate(time.Second), zone)
	return &publication.Schedule{SendAt: at, SendZone: zone, Late: publication.Lateness(publication.DefaultLate)}
}

// sentAt notes the times of the sends.
func (w *world) sentAt() *[]time.Time {
	var times []time.Time
	w.public = true
	w.send = func(context.Context, int) (api.SendOutput, error) {
		times = append(times, w.env.Now())
		return w.outcome(publication.OutcomeAccepted), nil
	}
	return &times
}

func (w *world) lastDecision() publication.Decision {
	w.t.Helper()
	s := w.status()
	if len(s.Decisions) == 0 {
		w.t.Fatal("no decision was answered")
	}
	return s.Decisions[len(s.Decisions)-1]
}

func (w *world) wantRefused(words string) {
	w.t.Helper()
	if d := w.lastDecision(); d.Taken || !strings.Contains(d.Refusal, words) {
		w.t.Errorf("decision %+v, want a refusal with %q", d, words)
	}
}

// wantMissed holds that a person is asked, and nothing was sent.
func (w *world) wantMissed() {
	w.t.Helper()
	s := w.status()
	if !s.Missed() || !s.Parked || len(s.Signals) == 0 || !strings.Contains(s.Known, "not sent by itself any more") {
		w.t.Errorf("not missed: state %s, parked %v, %+v, %q, signals %q", s.State, s.Parked, s.Schedule, s.Known, s.Signals)
	}
	w.wantSends(0)
}

func TestAScheduledOperationIsSentOnceAtItsTime(t *testing.T) {
	w := newWorld(t)
	times, due := w.sentAt(), w.in(day)
	w.at(day-time.Minute, func() {
		s := w.status()
		w.wantState(s, publication.StatePlanned)
		w.wantSends(0)
		if s.Parked || s.WaitingFor != "its time, "+due.String() || !strings.Contains(s.WaitingFor, "UTC") || !strings.Contains(s.WaitingFor, "America/New_York") {
			t.Errorf("parked %v, waits for %q", s.Parked, s.WaitingFor)
		}
	})
	w.startAt("ana", due)
	w.wantState(w.result(), publication.StateAccepted)
	w.wantSends(1)
	if late := (*times)[0].Sub(due.SendAt); late < 0 || late > time.Second {
		t.Errorf("sent %s after its time", late)
	}
	if len(w.missed) != 0 {
		t.Errorf("it was noted as missed: %+v", w.missed)
	}
}

// T26: due while something was away for a minute, for longer than --late, for more than a day.
func TestATimeThatPassedInAnOutageAsksAPerson(t *testing.T) {
	for _, away := range []time.Duration{time.Minute, 14 * time.Minute, 16 * time.Minute, 26 * time.Hour} {
		for what, hook := range map[string]func(*world) *func() bool{
			"the ledger":  func(w *world) *func() bool { return &w.openFails },
			"the session": func(w *world) *func() bool { return &w.unprepared },
		} {
			t.Run(fmt.Sprint(what, " away for ", away), func(t *testing.T) {
				w := newWorld(t)
				times, due := w.sentAt(), w.in(10*time.Second)
				*hook(w) = func() bool { return w.env.Now().Before(due.SendAt.Add(away)) }
				missed := away > time.Duration(due.Late)
				if missed {
					w.at(10*time.Second+away+3*time.Minute, func() {
						w.wantMissed()
						w.signal(SignalReschedule, RescheduleInput{By: "bea", At: "now"})
					})
				}
				w.startAt("ana", due)
				s := w.result()
				w.wantState(s, publication.StateAccepted)
				w.wantSends(1)
				if (len(w.missed) == 1) != missed || (s.Schedule == nil) != missed {
					t.Errorf("noted as missed %d times, schedule %v; sent at %v", len(w.missed), s.Schedule, *times)
				}
			})
		}
	}
}

// A lane that is paused, or another clock that says too early, is waited for; then the time is looked at again.
func TestATimeThatPassedInTheLaneAsksAPerson(t *testing.T) {
	w := newWorld(t)
	due, asked := w.in(time.Hour), 0
	w.public = true
	w.send = func(context.Context, int) (api.SendOutput, error) {
		if asked++; asked == 1 {
			return api.SendOutput{NotBefore: 16 * time.Minute}, nil
		}
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.at(2*time.Hour, func() {
		if s := w.status(); !s.Missed() || asked != 1 {
			t.Errorf("%d claims were tried, %+v", asked, s.Schedule)
		}
		w.signal(SignalReschedule, RescheduleInput{By: "bea", At: "now"})
	})
	w.startAt("ana", due)
	w.wantState(w.result(), publication.StateAccepted)
	if asked != 2 {
		t.Errorf("%d claims were tried, want 2", asked)
	}
}

// The claim looks at PostgreSQL's clock. What it refuses as too late is asked about as soon as the engine's clock agrees.
func TestAClaimRefusedAsTooLateIsJudgedAgain(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.send = func(context.Context, int) (api.SendOutput, error) {
		return api.SendOutput{Refusal: "its time passed"}, nil
	}
	w.at(day, func() {
		if s := w.status(); !s.Missed() || !s.Parked {
			t.Errorf("%+v", s)
		}
		w.signal(SignalCancel, CancelInput{By: "bea"})
	})
	w.startAt("ana", w.in(time.Hour))
	if len(w.missed) != 1 {
		t.Errorf("noted as missed %d times", len(w.missed))
	}
}

func TestATimeIsMovedEarlierAndLater(t *testing.T) {
	for name, c := range map[string]struct {
		at, zone string
		sent     time.Duration // after the workflow's start, which is made to be 2026-01-10T12:00Z
	}{
		"later":         {"2026-01-15T12:00Z", "", 5 * day},
		"earlier":       {"2026-01-10T13:00Z", "", time.Hour},
		"in local time": {"2026-01-10T10:00", "America/Sao_Paulo", time.Hour},
		"now":           {"now", "", time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.env.SetStartTime(time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC))
			times, started := w.sentAt(), w.env.Now()
			w.at(time.Minute, func() { w.signal(SignalReschedule, RescheduleInput{By: "bea", At: c.at, Zone: c.zone}) })
			w.startAt("ana", w.in(day))
			w.wantState(w.result(), publication.StateAccepted)
			w.wantSends(1)
			if after := (*times)[0].Sub(started); after < c.sent || after > c.sent+time.Second {
				t.Errorf("sent %s after the start, want %s", after, c.sent)
			}
		})
	}
}

func TestATimeThatNamesNoMomentIsRefusedWithTheReason(t *testing.T) {
	w := newWorld(t)
	w.env.SetStartTime(time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC))
	w.sentAt()
	next := time.Minute
	for text, words := range map[string]string{
		`{"by":"bea","at":"2026-03-08T02:30","zone":"America/New_York"}`: "does not exist",
		`{"by":"bea","at":"2026-11-01T01:30","zone":"America/New_York"}`: "exists twice",
		`{"by":"bea","at":"2026-03-08T12:00"}`:                           "no zone",
		`{"by":"bea","at":"2026-01-10T12:00Z"}`:                          "in the past",
		`{"by":"bea"}`:                                                   "no date with a time of day",
		`{"at":"now"}`:                                                   "by:",
		`{"by":"bea","when":"now"}`:                                      "when",
		`{"by":"NAME","at":"now"}`:                                       "placeholders",
		`{"by":"bea","at":20260110}`:                                     "JSON object",
	} {
		w.at(next, func() { w.signal(SignalReschedule, raw(text)) })
		w.at(next+time.Second, func() { w.wantRefused(words) })
		next += time.Minute
	}
	w.startAt("ana", w.in(day))
	w.wantState(w.result(), publication.StateAccepted)
	w.wantSends(1)
}

// T26: still proposed when its time passes: an approval alone does not send it any more.
func TestATimeThatPassedBeforeTheApprovalIsMissed(t *testing.T) {
	w := newWorld(t)
	times, due := w.sentAt(), w.in(time.Hour)
	w.at(time.Hour+16*time.Minute, func() {
		w.wantMissed()
		w.wantState(w.status(), publication.StateProposed)
		w.signal(SignalApprove, ApproveInput{By: "bea", Digest: payload.Digest()})
	})
	w.at(2*time.Hour, func() {
		w.wantMissed()
		w.wantState(w.status(), publication.StatePlanned)
		w.signal(SignalReschedule, RescheduleInput{By: "bea", At: w.env.Now().Add(time.Hour).UTC().Format(time.RFC3339)})
	})
	w.startAt("", due)
	w.wantState(w.result(), publication.StateAccepted)
	if len(w.missed) != 1 || (*times)[0].Before(due.SendAt.Add(2*time.Hour)) {
		t.Errorf("noted as missed %d times, sent at %v", len(w.missed), *times)
	}
}

func TestAnApprovalInTimeWaitsForTheTime(t *testing.T) {
	w := newWorld(t)
	times, due := w.sentAt(), w.in(day)
	w.at(time.Hour, func() { w.signal(SignalApprove, ApproveInput{By: "bea", Digest: payload.Digest()}) })
	w.startAt("", due)
	w.wantState(w.result(), publication.StateAccepted)
	if (*times)[0].Before(due.SendAt) || len(w.missed) != 0 {
		t.Errorf("sent at %v, due %v", *times, due)
	}
}

// wantWithdrawn holds that the run ended as cancelled, the ledger was told by whom, and nothing was sent.
func (w *world) wantWithdrawn(by string) {
	w.t.Helper()
	var canceled *temporal.CanceledError
	if err := w.env.GetWorkflowError(); !errors.As(err, &canceled) {
		w.t.Fatalf("the run ended with %v", err)
	}
	var s publication.Snapshot
	if err := canceled.Details(&s); err != nil || s.State != publication.StateProposed {
		w.t.Errorf("the end says %+v, %v", s, err)
	}
	if w.opens == 0 {
		w.t.Error("the intention may reach the ledger after the withdrawal")
	}
	last := w.decided[len(w.decided)-1]
	if last.Kind != publication.DecisionCancel || last.By != by || !last.Taken {
		w.t.Errorf("the ledger was told %+v", w.decided)
	}
	w.wantSends(0)
}

func TestACancelWithdrawsWhatWasNotSent(t *testing.T) {
	for name, c := range map[string]struct {
		approver string
		in       time.Duration
		when     time.Duration
	}{
		"scheduled": {"ana", day, time.Hour}, "proposed": {"", day, time.Hour}, "missed": {"", time.Hour, day},
		"held up by the session": {"ana", 0, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.unprepared = func() bool { return true }
			w.at(c.when, func() { w.signal(SignalCancel, CancelInput{By: "bea", Reason: "not any more"}) })
			var due *publication.Schedule
			if c.in > 0 {
				due = w.in(c.in)
			}
			w.startAt(c.approver, due)
			w.wantWithdrawn("bea")
		})
	}
}

func TestACancelOfWhatIsBeingSentOrUnknownIsRefused(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) {
		w.signal(SignalCancel, CancelInput{By: "bea"})
		return w.outcome(publication.OutcomeUnknown), nil
	}
	w.at(time.Minute, func() {
		w.wantRefused("its outcome will be reported")
		w.signal(SignalCancel, CancelInput{By: "bea"})
		w.signal(SignalReschedule, RescheduleInput{By: "bea", At: "now"})
	})
	w.at(2*time.Minute, func() {
		w.wantRefused("decide the attempt")
		w.wantState(w.status(), publication.StateUnknown)
		w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
	})
	w.start("ana")
	w.wantSends(1)
	w.wantState(w.result(), publication.StateAbandoned)
}

// The Cancel button of the Web UI must not leave an approval behind that a later start would use.
func TestACancelledRunWithdrawsTheApproval(t *testing.T) {
	for name, set := range map[string]func(w *world) *publication.Schedule{
		"scheduled": func(w *world) *publication.Schedule { return w.in(day) },
		"held up by the session": func(w *world) *publication.Schedule {
			w.unprepared = func() bool { return true }
			return nil
		},
		"before the ledger answered": func(w *world) *publication.Schedule {
			w.openFails = func() bool { return w.env.Now().Before(time.Date(2026, 1, 10, 14, 0, 0, 0, time.UTC)) }
			return nil
		},
		"while the ledger is away": func(w *world) *publication.Schedule {
			w.at(time.Hour-time.Second, func() { w.ledgerAway = 10 })
			return w.in(day)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.env.SetStartTime(time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC))
			due := set(w)
			w.at(time.Hour, func() { w.env.CancelWorkflow() })
			w.startAt("ana", due)
			w.wantWithdrawn("Temporal")
		})
	}
}

// A person who withdraws what waits for its turn in the lane is heard then, and not after the turn.
func TestACancelIsHeardWhileItWaitsInTheLane(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return api.SendOutput{NotBefore: time.Hour}, nil }
	w.at(10*time.Minute, func() { w.signal(SignalCancel, CancelInput{By: "bea"}) })
	w.at(20*time.Minute, func() { t.Error("it was not heard before the turn") })
	w.start("ana")
	w.wantSends(1) // it asked for its turn once, and was told to wait
	var canceled *temporal.CanceledError
	if err := w.env.GetWorkflowError(); !errors.As(err, &canceled) || w.decided[len(w.decided)-1].By != "bea" {
		t.Errorf("the run ended with %v, decisions %+v", err, w.decided)
	}
}

// Now, and then not at all: whoever withdraws in the same moment is heard before anything leaves.
func TestACancelRightAfterNowIsHeard(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) {
		if len(w.sends) == 1 {
			return api.SendOutput{NotBefore: 20 * time.Second}, nil
		}
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.at(5*time.Second, func() { // the checks before sending still hold, so nothing stands before the next claim
		w.signal(SignalReschedule, RescheduleInput{By: "ana", At: "now"})
		w.signal(SignalCancel, CancelInput{By: "bea"})
	})
	w.start("ana")
	w.wantSends(1)
	if last := w.decided[len(w.decided)-1]; last.By != "bea" || !last.Taken {
		t.Errorf("decisions %+v", w.decided)
	}
}

// Whoever decides that an attempt created nothing means now: its time has passed long since, and was not missed.
func TestNotCreatedNeedsNoTime(t *testing.T) {
	w := newWorld(t)
	w.send = func(_ context.Context, n int) (api.SendOutput, error) {
		if n == 1 {
			return w.outcome(publication.OutcomeUnknown), nil
		}
		w.public = true
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.at(day, func() { w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1)) })
	w.startAt("ana", w.in(time.Hour))
	w.wantState(w.result(), publication.StateAccepted)
	w.wantSends(2)
	if len(w.missed) != 0 {
		t.Errorf("it was noted as missed: %+v", w.missed)
	}
}
