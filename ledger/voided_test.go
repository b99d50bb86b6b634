package ledger

import (
	"errors"
	"testing"

	"postonce/publication"
)

// withoutVoids is a snapshot as it was written before it told which decisions are void.
func withoutVoids(s publication.Snapshot) publication.Snapshot {
	s.Decisions = append([]publication.Decision{}, s.Decisions...)
	for i := range s.Decisions {
		s.Decisions[i].Voided = ""
	}
	return s
}

// A person decided that nothing was created, and then it was found: the ledger is rebuilt, and people can decide again.
func TestARebuiltLedgerKeepsADecisionVoid(t *testing.T) {
	for name, form := range map[string]func(publication.Snapshot) publication.Snapshot{
		"told": func(s publication.Snapshot) publication.Snapshot { return s }, "not told": withoutVoids,
	} {
		t.Run(name, func(t *testing.T) {
			truth, f := newFixture(t), newFixture(t)
			stories["reopened"](truth)
			older := form(truth.load().Snapshot())
			truth.must(truth.refuse())
			f.must(f.record(form(truth.load().Snapshot())))
			f.must(f.record(older)) // what was planned before it was found opens nothing
			f.wantState(publication.StateUnknown)
			if got, err := f.Claim(t.Context(), claimRequest(2)); err != nil || got.Claimed {
				t.Errorf("claimed %+v, %v", got, err)
			}
			f.notCreated2(t)
		})
	}
}

// notCreated2 decides once more on the first attempt, which opens the second.
func (f fixture) notCreated2(t *testing.T) {
	t.Helper()
	if d := f.decide(publication.Decision{ID: "again", Kind: publication.DecisionNotCreated, Attempt: 1}); !d.Taken {
		t.Errorf("refused: %s", d.Refusal)
	}
	f.claim(2)
}

// The ledger is older than the finding: it learns of the doubt, and that the approval is void.
func TestAnOlderLedgerLearnsWhatIsVoid(t *testing.T) {
	for name, story := range map[string]string{"a decision": "doubted", "an approval": "taken"} {
		t.Run(name, func(t *testing.T) {
			truth, f := newFixture(t), newFixture(t)
			stories[story](truth)
			stories[map[string]string{"doubted": "reopened", "taken": "planned"}[story]](f)
			f.must(f.record(truth.load().Snapshot()))
			if rec := f.load(); rec.State == publication.StatePlanned {
				t.Errorf("it is %s", rec.State)
			}
			if got, err := f.Claim(t.Context(), claimRequest(len(f.load().Attempts)+1)); err != nil || got.Claimed {
				t.Errorf("claimed %+v, %v", got, err)
			}
			checkJournal(t, f.journal(), f.load().State)
			f.changesNothing(func() error { return f.record(truth.load().Snapshot()) })
		})
	}
}

// The export was made when a second attempt was planned, which was then sent: its end is recorded over the import's doubt.
func TestTheEndOfASecondAttemptIsRecordedAfterAnImport(t *testing.T) {
	for _, outcome := range []publication.Outcome{publication.OutcomeAccepted, publication.OutcomeUnknown, publication.OutcomeRejected} {
		t.Run(string(outcome), func(t *testing.T) {
			truth, f := newFixture(t), empty(t)
			stories["reopened"](truth)
			f.imports(truth.exported())
			f.wantState(publication.StateUnknown)
			truth.claim(2)
			truth.finish(2, outcome)
			told := truth.load().Snapshot()
			f.must(f.record(told))
			rec := f.wantState(truth.load().State)
			if len(rec.Attempts) != 2 || rec.Attempts[0].Outcome != publication.OutcomeNotCreated || rec.Attempts[1].Outcome != outcome {
				t.Errorf("got %+v", rec.Attempts)
			}
			f.changesNothing(func() error { return f.record(told) })
			if outcome == publication.OutcomeUnknown {
				if d := f.decide(publication.Decision{ID: "end", Kind: publication.DecisionAbandon, Attempt: 2}); !d.Taken {
					t.Errorf("refused: %s", d.Refusal)
				}
			}
		})
	}
}

// The ledger was lost after one run's attempt, and another run's was refused: the first is not hidden by it, and can be
// decided under the number that it gets.
func TestTwoRunsAttemptsOfOneNumberAreBothKept(t *testing.T) {
	truth, f := newFixture(t), newFixture(t)
	truth.unknown()
	lost := truth.load().Snapshot()
	for i := range lost.Attempts {
		lost.Attempts[i].RunID = "run-0"
	}
	stories["rejected"](f)
	f.must(f.record(lost))
	rec := f.wantState(publication.StateUnknown)
	if len(rec.Attempts) != 2 || rec.Attempts[0].Outcome != publication.OutcomeRejected || rec.Attempts[1].RunID != "run-0" {
		t.Errorf("got %+v", rec.Attempts)
	}
	f.changesNothing(func() error { return f.record(lost) })
	if got, err := f.Claim(t.Context(), claimRequest(3)); err != nil || got.Claimed {
		t.Errorf("claimed %+v, %v", got, err)
	}
	if d := f.decide(publication.Decision{Kind: publication.DecisionAdopt, Attempt: 2}); !d.Taken {
		t.Errorf("refused: %s", d.Refusal)
	}
	lost.State, lost.Identity, lost.Attempts[0].Outcome, lost.Attempts[0].Identity = publication.StateAccepted, &identity, publication.OutcomeAccepted, &identity
	if err := f.record(lost); err != nil && !errors.Is(err, ErrConflict) {
		t.Error(err)
	}
	f.wantState(publication.StateAccepted)
}

// The backup is from before somebody withdrew it: its approval no longer counts once that is told.
func TestAWithdrawalThatAnOlderLedgerLacksIsTaken(t *testing.T) {
	truth, f := newFixture(t), newFixture(t)
	truth.planned()
	f.planned()
	if d := truth.decide(publication.Decision{Kind: publication.DecisionCancel}); !d.Taken {
		t.Fatal(d.Refusal)
	}
	told := withoutVoids(truth.load().Snapshot())
	f.must(f.record(told))
	f.wantState(publication.StateProposed)
	if got, err := f.Claim(t.Context(), claimRequest(1)); err != nil || got.Claimed {
		t.Errorf("claimed %+v, %v", got, err)
	}
	f.changesNothing(func() error { return f.record(told) })
}
