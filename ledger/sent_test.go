package ledger

import (
	"context"
	"slices"
	"testing"

	"postonce/publication"
)

// events are the journal's, in order.
func (f fixture) events() []Event {
	f.t.Helper()
	var events []Event
	for _, e := range f.journal() {
		events = append(events, e.Event)
	}
	return events
}

func TestASendIsJournaledOnceAndBeforeItsAnswer(t *testing.T) {
	for outcome, left := range map[publication.Outcome]bool{publication.OutcomeAccepted: true, publication.OutcomeRejected: true,
		publication.OutcomeUnknown: true, publication.OutcomeNotSent: false} {
		t.Run(string(outcome), func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			f.claim(1)
			f.finish(1, outcome)
			f.finish(1, outcome)
			want := []Event{EventClaimed, EventSent, EventAnswered}
			if !left {
				want = []Event{EventClaimed, EventAnswered}
			}
			if events := f.events(); !slices.Equal(events[len(events)-len(want):], want) {
				t.Errorf("got %s, want it to end with %s", events, want)
			}
		})
	}
}

// A transport error parks as unknown, and the evidence may prove all the same that nothing left.
func TestWhatIsProvenUnsentIsNotJournaledAsSent(t *testing.T) {
	for _, c := range []struct {
		evidence publication.Evidence
		sent     bool
	}{
		{publication.Evidence{ProvenUnsent: true}, false},
		{publication.Evidence{ProvenUnsent: true, RequestBytes: 1}, true},
		{publication.Evidence{RequestBytes: 400}, true},
		{publication.Evidence{}, true},
	} {
		f := newFixture(t)
		f.planned()
		f.claim(1)
		req := finishRequest(1, publication.OutcomeUnknown)
		req.Evidence = &c.evidence
		f.must(f.Finish(context.Background(), req))
		if got := slices.Contains(f.events(), EventSent); got != c.sent {
			t.Errorf("%+v: journaled as sent: %v, want %v", c.evidence, got, c.sent)
		}
	}
}

func TestALateAcceptanceIsNotASecondSend(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	f.finish(1, publication.OutcomeUnknown)
	f.finish(1, publication.OutcomeAccepted)
	f.must(f.record(f.load().Snapshot()))
	if n := f.count(`select count(*) from journal where event = 'sent'`); n != 1 {
		t.Errorf("%d sends are journaled", n)
	}
}

// What a rebuilt ledger learns of attempts that it never saw tells of their requests too.
func TestARebuiltJournalTellsOfTheSends(t *testing.T) {
	for story, sends := range map[string]int{"accepted": 1, "unknown": 1, "rejected": 1, "reopened": 1, "second accepted": 2, "unsent": 0, "tombstone": 0, "planned": 0} {
		original := newFixture(t)
		stories[story](original)
		f := newFixture(t)
		f.must(f.record(original.load().Snapshot()))
		if n := f.count(`select count(*) from journal where event = 'sent'`); n != sends {
			t.Errorf("%s: %d sends are told, want %d", story, n, sends)
		}
	}
}

// Told again and again, a record changes neither a row nor the journal, whoever writes it.
func TestRecordReplayedThreeTimesChangesNothing(t *testing.T) {
	for name, repair := range map[string]bool{"by the workflow": false, "by the repair": true} {
		t.Run(name, func(t *testing.T) {
			for story, lead := range stories {
				f := newFixture(t)
				lead(f)
				req := recordRequest(f.load().Snapshot())
				req.Repair = repair
				f.must(f.Record(context.Background(), req))
				for range 3 {
					f.changesNothing(func() error { return f.Record(context.Background(), req) })
				}
				if events := f.events(); events[len(events)-1] == EventRepaired != repair {
					t.Errorf("%s: the journal ends with %s", story, events[len(events)-1])
				}
			}
		})
	}
}

// The repair is told as such also when it brings what the ledger never heard of.
func TestARepairIsToldInTheJournal(t *testing.T) {
	story := newFixture(t)
	stories["accepted"](story)
	snapshot := story.load().Snapshot()
	snapshot.Verification = publication.VerificationMatched
	f := newFixture(t)
	f.planned()
	f.claim(1)
	req := recordRequest(snapshot)
	req.Repair = true
	f.must(f.Record(context.Background(), req))
	f.wantState(publication.StateAccepted)
	events := f.events()
	want := []Event{EventClaimed, EventSent, EventRecorded, EventReadBack, EventRepaired}
	if !slices.Equal(events[len(events)-len(want):], want) {
		t.Errorf("got %s, want it to end with %s", events, want)
	}
	f.changesNothing(func() error { return f.Record(context.Background(), req) })
}
