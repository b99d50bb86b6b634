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
	_, err := f.RefuseBeforeSend(context.Background(), op, "run-1", found, "")
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
	// The approval is used up by the refusal: whoever proposes it again leaves the decision to a person.
	if rec := f.open(request(op, payload("texto"), "run-2", "")); rec.State != publication.StateProposed {
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
	f.changesNothing(f.refuse) // the record comes back as it is: it knows better
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

// Somebody edited the content since the person looked: the change stops before the send, with what was found and why.
func TestAChangedBaseRejectsAsAConflict(t *testing.T) {
	for _, id := range []publication.OperationID{reviseOp, removeOp} {
		f := newFixture(t)
		f.open(anyRequest(id, "run-1"))
		theirs := found
		theirs.ID, theirs.Equal, theirs.Diff = identity.ID, false, "-antes\n+deles"
		refuse := func() Record {
			rec, err := f.RefuseBeforeSend(context.Background(), id, "run-1", theirs, "updated_at is 10:00, not 09:30")
			f.must(err)
			return rec
		}
		rec := refuse()
		seen := rec.Investigation
		if len(rec.Attempts) != 0 || seen.Reading != publication.ReadingFound || seen.Candidates[0] != theirs || len(seen.Notes) != 1 {
			t.Errorf("got %+v", rec)
		}
		entries := f.legal(id, publication.StateRejected)
		last := entries[len(entries)-1]
		if last.Event != EventBaseChanged || last.Detail["note"] != seen.Notes[0] {
			t.Errorf("the journal ends with %+v", last)
		}
		if again := refuse(); again.UpdatedAt != rec.UpdatedAt || len(f.legal(id, publication.StateRejected)) != len(entries) {
			t.Error("the repetition changed something")
		}
		// The foreign edit was taken back: the same change from the same base may go.
		if rec := f.open(anyRequest(id, "run-2")); rec.State != publication.StatePlanned || rec.Investigation != nil {
			t.Errorf("approved again, it is %s", rec.State)
		}
		if r := f.try(id, 1); !r.Claimed {
			t.Errorf("got %+v", r)
		}
	}
}

func TestContentThatIsGoneIsAConflictWithoutCandidate(t *testing.T) {
	f := newFixture(t)
	f.open(anyRequest(reviseOp, "run-1"))
	gone := publication.Candidate{Reference: "autora/ola", FoundBy: "reference", SeenAt: found.SeenAt}
	rec, err := f.RefuseBeforeSend(context.Background(), reviseOp, "run-1", gone, "")
	f.must(err)
	if seen := rec.Investigation; rec.State != publication.StateRejected || seen.Reading != publication.ReadingAbsent || len(seen.Candidates) != 0 || !seen.At.Equal(found.SeenAt) || len(seen.Notes) != 1 {
		t.Errorf("got %s, %+v", rec.State, seen)
	}
}

// A person decided that our change was not applied, and now it reads so: the decision was wrong.
func TestAChangeThatLandedAfterAllIsUnknownAgain(t *testing.T) {
	f := newFixture(t)
	f.reach(reviseOp, publication.OutcomeUnknown)
	d, err := f.Decide(context.Background(), reviseOp, publication.Decision{ID: "1", Kind: publication.DecisionNotCreated, By: "ana", Attempt: 1, Taken: true}, nil, "")
	f.must(err)
	if !d.Taken {
		t.Fatal(d.Refusal)
	}
	ours := found
	ours.ID = identity.ID
	rec, err := f.RefuseBeforeSend(context.Background(), reviseOp, "run-1", ours, "")
	f.must(err)
	if a := rec.Attempts[0]; a.Outcome != publication.OutcomeUnknown || len(a.Candidates) != 1 {
		t.Errorf("got %+v", a)
	}
	f.legal(reviseOp, publication.StateUnknown)
}
