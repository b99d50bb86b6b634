package publication

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAnAttemptIsPutInThePlaceOfItsNumberAndKeepsItsCandidates(t *testing.T) {
	s := Snapshot{}
	s.PutAttempt(Attempt{Number: 1, Outcome: OutcomeSending})
	s.PutAttempt(Attempt{Number: 2, Outcome: OutcomeSending})
	s.PutAttempt(Attempt{Number: 1, Outcome: OutcomeUnknown, Candidates: []Candidate{{ID: "a"}}})
	s.PutAttempt(Attempt{Number: 1, Outcome: OutcomeNotCreated})
	if len(s.Attempts) != 2 || s.Attempts[0].Outcome != OutcomeNotCreated || len(s.Attempts[0].Candidates) != 1 {
		t.Errorf("got %+v", s.Attempts)
	}
}

func TestWhatASnapshotLacks(t *testing.T) {
	known := Snapshot{Attempts: []Attempt{{Number: 1, RunID: "one", Outcome: OutcomeRejected}, {Number: 3, RunID: "two", Outcome: OutcomeUnknown}}}
	for name, c := range map[string]struct {
		attempt Attempt
		lacks   bool
	}{
		"the same":                              {Attempt{Number: 1, RunID: "one", Outcome: OutcomeUnknown}, false},
		"a number that it does not have":        {Attempt{Number: 4, RunID: "two", Outcome: OutcomeUnknown}, true},
		"another run's that may have created":   {Attempt{Number: 1, RunID: "other", Outcome: OutcomeUnknown}, true},
		"another run's that created nothing":    {Attempt{Number: 1, RunID: "other", Outcome: OutcomeNotSent}, false},
		"beside one that blocks as well":        {Attempt{Number: 3, RunID: "other", Outcome: OutcomeUnknown}, false},
		"one that was given a later number":     {Attempt{Number: 2, RunID: "two", Outcome: OutcomeUnknown}, false},
		"one of nobody knows which run, by now": {Attempt{Number: 1, Outcome: OutcomeUnknown}, false},
	} {
		if got := known.Lacks(c.attempt); got != c.lacks {
			t.Errorf("%s: lacks %v", name, got)
		}
	}
}

func TestADraftIsInDoubtUntilAProbeOrItsReferenceShowsIt(t *testing.T) {
	doubt := func(candidates ...Candidate) Snapshot {
		return Snapshot{Operation: "publish/ana/ola", State: StateUnknown, Draft: true, Reference: "ana/ola",
			Attempts: []Attempt{{Number: 1, Outcome: OutcomeUnknown, Candidates: candidates}}}
	}
	if s := doubt(Candidate{Reference: "ana/outro", FoundBy: "listing"}); !s.DraftInDoubt() || !slices.Equal(s.Adoptable(), []string{"ana/outro"}) {
		t.Errorf("another content settles it: %v", s.Adoptable())
	}
	for _, c := range []Candidate{{Reference: "ana/outro", FoundBy: FoundByProbe}, {Reference: "ana/ola", FoundBy: "reference"}} {
		if doubt(c).DraftInDoubt() {
			t.Errorf("%+v does not show it", c)
		}
	}
	if public := doubt(); (Snapshot{Draft: true}).DraftInDoubt() || !public.DraftInDoubt() {
		t.Error("only what was attempted is in doubt")
	}
	removal := Snapshot{Operation: "remove/ana/ola", Reference: "ana/ola", Attempts: []Attempt{{Number: 1, Outcome: OutcomeUnknown}}}
	if got := removal.Adoptable(); !slices.Equal(got, []string{"ana/ola"}) {
		t.Errorf("a removal is adopted by %v", got)
	}
}

func TestWhatHasNoRunSaysThatNothingHappensByItself(t *testing.T) {
	at := &Schedule{SendAt: time.Date(2099, 12, 24, 12, 0, 0, 0, time.UTC), SendZone: "UTC", Late: Lateness(DefaultLate)}
	for _, s := range []Snapshot{{State: StatePlanned}, {State: StatePlanned, Schedule: at}, {State: StateProposed, WaitingFor: "x"}} {
		got := s.WithoutRun()
		if !got.Closed || got.WaitingFor != "" || !strings.Contains(got.Known, "nothing runs") {
			t.Errorf("%s: %+v", s.State, got)
		}
	}
	if got := (Snapshot{State: StateAccepted}).WithoutRun(); got.Closed {
		t.Error("what is accepted needs no run")
	}
}

func TestAScheduleSaysWhetherItIsStillSentByItself(t *testing.T) {
	at := Schedule{SendAt: time.Date(2099, 12, 24, 12, 0, 0, 0, time.UTC), SendZone: "UTC", Late: Lateness(DefaultLate)}
	ahead := Snapshot{State: StatePlanned, Schedule: &at}
	missed := at
	missed.Missed = true
	late := Snapshot{State: StatePlanned, Schedule: &missed}
	if !strings.Contains(ahead.KnownWords(), "by itself no later than") || !strings.Contains(late.KnownWords(), "not sent by itself any more") {
		t.Errorf("%q, %q", ahead.KnownWords(), late.KnownWords())
	}
	for op, s := range map[OperationID]*Schedule{"remove/ana/ola": &at, "track/ana/ola": &at, "publish/ana/ola": {}, "publish/ana/nunca": {SendAt: at.SendAt, SendZone: "UTC"}} {
		if CheckSchedule(op, s) == nil {
			t.Errorf("%s may have the time %+v", op, s)
		}
	}
	if err := CheckSchedule("publish/ana/ola", &at); err != nil {
		t.Error(err)
	}
	if CheckSchedule("remove/ana/ola", nil) != nil || !SameTime(nil, nil) || SameTime(&at, nil) {
		t.Error("no time is right for every operation, and like itself alone")
	}
}

func TestARemovalTellsWhatOthersChangedJustBefore(t *testing.T) {
	s := Snapshot{Operation: "remove/ana/ola", State: StateAccepted, Identity: &Identity{ID: "x", OwnerUsername: "ana", Slug: "ola", Status: StatusDeleted},
		Attempts: []Attempt{{Number: 1, Outcome: OutcomeAccepted, Evidence: &Evidence{Foreign: "-a\n+b"}}}}
	if s.Foreign() == "" || !strings.Contains(s.KnownWords(), "went with it") {
		t.Errorf("it says %q", s.KnownWords())
	}
	s.Operation = "publish/ana/ola"
	if s.Foreign() != "" {
		t.Error("a publication removes nothing")
	}
}

func TestWhatMetTheFirewallSaysThatNothingIsSentAgain(t *testing.T) {
	s := Snapshot{Operation: "publish/ana/ola", State: StateRejected, Attempts: []Attempt{{Number: 2, Outcome: OutcomeRejected,
		Evidence: &Evidence{APIError: &APIError{StatusCode: 429, Name: "TooManyRequestsError"}}}}}
	for _, words := range []string{"attempt 2", "Nothing is sent again", "starter lane"} {
		if !strings.Contains(s.KnownWords(), words) {
			t.Errorf("%q lacks %q", s.KnownWords(), words)
		}
	}
	if !strings.Contains(s.NextWords(), "lane") {
		t.Errorf("next: %q", s.NextWords())
	}
}
