package ledger

import (
	"context"
	"strings"
	"sync"
	"testing"

	"postonce/publication"
)

func TestOpenWithApprovalIsPlannedAndWithoutIsProposed(t *testing.T) {
	f := newFixture(t)
	rec := f.open(request(op, payload("texto"), "run-1", ""))
	if rec.State != publication.StateProposed || rec.Payload != payload("texto") || rec.LocalRecord != publication.LocalPending {
		t.Errorf("got %+v", rec)
	}
	rec = f.open(request(op, payload("texto"), "run-2", "ana"))
	if rec.State != publication.StatePlanned || len(rec.Decisions) != 1 || !rec.Decisions[0].Taken || rec.Decisions[0].At.IsZero() {
		t.Errorf("got %+v", rec)
	}
	f.wantState(publication.StatePlanned)
}

func TestTheSameRunOpensOnce(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.changesNothing(func() error {
		_, err := f.OpenOperation(context.Background(), request(op, payload("texto"), "run-1", "ana"))
		return err
	})
}

func TestTwentyParallelOpensMakeOneOperation(t *testing.T) {
	f := newFixture(t)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if _, err := f.OpenOperation(context.Background(), request(op, payload("texto"), "run-1", "ana")); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := len(f.journal()); n != 2 {
		t.Errorf("%d entries in the journal, want proposed and approved", n)
	}
}

func TestAnotherPayloadReplacesOneThatWaitsAndVoidsItsApproval(t *testing.T) {
	f := newFixture(t)
	f.planned()
	rec := f.open(request(op, payload("outro"), "run-2", ""))
	if rec.State != publication.StateProposed || rec.Digest != payload("outro").Digest() || rec.Payload.Body != "outro" {
		t.Errorf("got %s %s", rec.State, rec.Digest)
	}
	// Back to the first payload: the old approval must not count again.
	if rec = f.open(request(op, payload("texto"), "run-3", "")); rec.State != publication.StateProposed {
		t.Errorf("the first payload is %s without a new approval", rec.State)
	}
	// A late retry of the first run must not bring its payload or its approval back.
	if rec = f.open(request(op, payload("texto"), "run-1", "ana")); rec.State != publication.StateProposed {
		t.Errorf("an old run made it %s", rec.State)
	}
}

func TestAnUnusedApprovalOfTheSamePayloadStays(t *testing.T) {
	f := newFixture(t)
	f.planned()
	rec := f.open(request(op, payload("texto"), "run-2", "bia"))
	if rec.State != publication.StatePlanned {
		t.Errorf("it is %s", rec.State)
	}
	if n := f.count(`select count(*) from decisions where taken`); n != 1 {
		t.Errorf("%d approvals count, want one: each allows an attempt", n)
	}
}

func TestARejectedOperationIsReopenedByAnotherRunOnly(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	f.finish(1, publication.OutcomeRejected)
	if rec := f.open(request(op, payload("texto"), "run-1", "ana")); rec.State != publication.StateRejected {
		t.Errorf("the same run made it %s", rec.State)
	}
	rec := f.open(request(op, payload("texto"), "run-2", ""))
	if rec.State != publication.StateProposed || rec.Attempts[0].Outcome != publication.OutcomeRejected {
		t.Errorf("got %s with %+v: the used approval must not count, the refusal must stay", rec.State, rec.Attempts)
	}
	if rec = f.open(request(op, payload("texto"), "run-3", "ana")); rec.State != publication.StatePlanned {
		t.Errorf("a new approval made it %s", rec.State)
	}
	f.claim(2)
}

func TestWhatMayHaveBeenCreatedIsGivenBackUntouched(t *testing.T) {
	for state, reach := range map[publication.State]func(fixture){
		publication.StateSending:  func(f fixture) {},
		publication.StateAccepted: func(f fixture) { f.finish(1, publication.OutcomeAccepted) },
		publication.StateUnknown:  func(f fixture) { f.finish(1, publication.OutcomeUnknown) },
		publication.StateAbandoned: func(f fixture) {
			f.finish(1, publication.OutcomeUnknown)
			f.decide(publication.Decision{Kind: publication.DecisionAbandon, Attempt: 1})
		},
	} {
		t.Run(string(state), func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			f.claim(1)
			reach(f)
			f.wantState(state)
			f.changesNothing(func() error {
				_, err := f.OpenOperation(context.Background(), request(op, payload("outro"), "run-2", "bia"))
				return err
			})
		})
	}
}

func TestOpenRefusesADigestThatIsNotThePayloads(t *testing.T) {
	f := newFixture(t)
	req := request(op, payload("texto"), "run-1", "ana")
	req.Digest = payload("outro").Digest()
	if _, err := f.OpenOperation(context.Background(), req); err == nil || !strings.Contains(err.Error(), "digest") {
		t.Errorf("got %v", err)
	}
}

func TestAnApprovalOfAnotherDigestIsKeptAsRefused(t *testing.T) {
	f := newFixture(t)
	req := request(op, payload("texto"), "run-1", "ana")
	req.Approval.Digest = payload("outro").Digest()
	rec := f.open(req)
	if rec.State != publication.StateProposed || rec.Decisions[0].Taken || rec.Decisions[0].Refusal == "" {
		t.Errorf("got %s, %+v", rec.State, rec.Decisions)
	}
}

// An approval that a cancelled run never used is not taken for that of a person who only proposes.
func TestWhoeverProposesAnewNeedsANewApproval(t *testing.T) {
	f := newFixture(t)
	f.planned()
	if rec := f.open(request(op, payload("texto"), "run-2", "")); rec.State != publication.StateProposed {
		t.Errorf("proposed anew, it is %s", rec.State)
	}
	if result, err := f.Claim(context.Background(), claimRequest(1)); err != nil || result.Claimed {
		t.Errorf("an old approval allowed a send: %+v, %v", result, err)
	}
	if rec := f.open(request(op, payload("texto"), "run-3", "bia")); rec.State != publication.StatePlanned {
		t.Errorf("approved anew, it is %s", rec.State)
	}
}
