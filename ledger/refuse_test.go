package ledger

import (
	"context"
	"errors"
	"testing"
	"time"

	"postonce/publication"
)

var found = publication.Candidate{Reference: "autora/ola", FoundBy: "reference", Equal: true, SeenAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}

func (f fixture) refuse() error {
	_, err := f.RefuseBeforeSend(context.Background(), op, "run-1", found)
	return err
}

func TestASlugTakenBeforeTheFirstSendRejects(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.must(f.refuse())
	rec := f.wantState(publication.StateRejected)
	if len(rec.Attempts) != 0 || rec.Investigation == nil || rec.Investigation.Candidates[0].Reference != "autora/ola" {
		t.Errorf("got %+v", rec)
	}
	f.changesNothing(f.refuse)
	// Nothing was sent: once the slug is free, the approval still allows its one attempt.
	if rec := f.open(request(op, payload("texto"), "run-2", "")); rec.State != publication.StatePlanned {
		t.Errorf("it is %s", rec.State)
	}
}

// A person decided that attempt 1 created nothing, and then its content shows up: the decision was wrong.
func TestASlugTakenAfterAnAttemptOfOursIsUnknownAgain(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	f.notCreated(1)
	f.must(f.refuse())
	a := f.wantState(publication.StateUnknown).Attempts[0]
	if a.Outcome != publication.OutcomeUnknown || len(a.Candidates) != 1 {
		t.Errorf("got %+v", a)
	}
	f.changesNothing(f.refuse)
	// The attempt can be decided once more.
	if d := f.decide(publication.Decision{Kind: publication.DecisionAdopt, Attempt: 1}); !d.Taken {
		t.Errorf("got %+v", d)
	}
	f.wantState(publication.StateAccepted)
}

func TestWhatIsOutIsNotRefused(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	var transition *TransitionError
	if err := f.refuse(); !errors.As(err, &transition) || !errors.Is(err, ErrConflict) {
		t.Errorf("got %v", err)
	}
	f.wantState(publication.StateSending)
}

func TestAnInvestigationKeepsEarlierCandidates(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	save := func(at time.Time, candidates ...publication.Candidate) func() error {
		return func() error {
			return f.SaveInvestigation(context.Background(), op, 1, publication.Investigation{At: at, Reading: publication.ReadingAbsent, Candidates: candidates})
		}
	}
	listed := publication.Candidate{Reference: "autora/ola-2", FoundBy: "listing"}
	f.must(save(found.SeenAt, found, listed)())
	second := save(found.SeenAt.Add(time.Minute), listed)
	f.must(second())
	rec := f.wantState(publication.StateUnknown)
	if len(rec.Attempts[0].Candidates) != 2 || len(rec.Investigation.Candidates) != 1 {
		t.Errorf("got %+v and %+v", rec.Attempts[0].Candidates, rec.Investigation)
	}
	f.changesNothing(second)
	if err := f.SaveInvestigation(context.Background(), op, 9, publication.Investigation{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
}
