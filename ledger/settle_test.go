package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"postonce/publication"
)

func settleRequest(attempt int) SettleRequest {
	return SettleRequest{Operation: op, Attempt: attempt, Digest: payload("texto").Digest(), RunID: "run-1"}
}

func (f fixture) settle(req SettleRequest) SettleResult {
	f.t.Helper()
	result, err := f.Settle(context.Background(), req)
	f.must(err)
	return result
}

// deadlineOver moves an attempt's deadline into the past, in place of waiting.
func (f fixture) deadlineOver(attempt int) {
	f.t.Helper()
	_, err := f.pool.Exec(context.Background(), `update attempts set send_by = clock_timestamp() - interval '1 hour' where number = $1`, attempt)
	f.must(err)
}

func TestALateClaimFindsTheTombstone(t *testing.T) {
	f := newFixture(t)
	f.planned()
	if got := f.settle(settleRequest(1)).Attempt; got.Outcome != publication.OutcomeNotSent || got.FinishedAt == nil {
		t.Errorf("nobody claimed it, and it is %+v", got)
	}
	late, err := f.Claim(context.Background(), claimRequest(1))
	f.must(err)
	if late.Claimed || late.Existing == nil || late.Existing.Outcome != publication.OutcomeNotSent {
		t.Errorf("the late claim got %+v", late)
	}
	f.changesNothing(func() error {
		_, err := f.Settle(context.Background(), settleRequest(1))
		return err
	})
	if err := f.Finish(context.Background(), finishRequest(1, publication.OutcomeAccepted)); !errors.Is(err, ErrToken) {
		t.Errorf("finishing a tombstone gave %v", err)
	}
	f.claim(2)
}

// Whoever comes first wins, and the other sees it: never a claim beside a tombstone.
func TestClaimAndTombstoneRace(t *testing.T) {
	f := newFixture(t)
	wins := map[bool]int{}
	for i := range 40 {
		id := publication.PublishID("autora", fmt.Sprint("texto-", i))
		f.open(request(id, payload("texto"), "run-1", "ana"))
		var claim ClaimResult
		var settled SettleResult
		race(func() (err error) {
			req := claimRequest(1)
			req.Operation, req.Lane = id, string(id)
			claim, err = f.Claim(context.Background(), req)
			return err
		}, func() (err error) {
			req := settleRequest(1)
			req.Operation = id
			settled, err = f.Settle(context.Background(), req)
			return err
		}, t)
		wins[claim.Claimed]++
		if buried := settled.Attempt.Outcome == publication.OutcomeNotSent; buried == claim.Claimed {
			t.Errorf("claimed: %v, and settled as %s", claim.Claimed, settled.Attempt.Outcome)
		}
		if claim.Claimed && settled.InFlight <= 0 {
			t.Error("a fresh claim is not in flight")
		}
	}
	t.Logf("the claim came first %d times, the tombstone %d times", wins[true], wins[false])
}

func race(a, b func() error, t *testing.T) {
	var group sync.WaitGroup
	for _, f := range []func() error{a, b} {
		group.Go(func() {
			if err := f(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// Settle waits for a claim that is not committed yet, instead of taking its row for absent.
func TestSettleWaitsForAnUncommittedClaim(t *testing.T) {
	f := newFixture(t)
	f.planned()
	ctx := context.Background()
	tx, err := f.pool.Begin(ctx)
	f.must(err)
	c, err := lock(ctx, tx, op)
	f.must(err)
	if result, err := c.claim(ctx, claimRequest(1)); err != nil || !result.Claimed {
		t.Fatal(result, err)
	}
	settled := make(chan SettleResult, 1)
	go func() { settled <- f.settle(settleRequest(1)) }()
	f.awaitLockWait("operations")
	f.must(tx.Commit(ctx))
	if got := <-settled; got.InFlight <= 0 {
		t.Errorf("it was settled as %+v beside an uncommitted claim", got)
	}
}

// awaitLockWait returns once somebody waits for a row of the table.
func (f fixture) awaitLockWait(table string) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for f.count(`select count(*) from pg_locks l join pg_stat_activity a using (pid)
		where not l.granted and a.query like '%from ' || $1 || '%'`, table) == 0 {
		f.must(ctx.Err())
	}
}

func TestAnAttemptIsInFlightUntilItsDeadlineAndUnknownAfter(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	f.changesNothing(func() error {
		got, err := f.Settle(context.Background(), settleRequest(1))
		if got.InFlight <= 30*time.Second || got.InFlight > 30*time.Second+SettleGrace {
			t.Errorf("in flight for %s, want the deadline and its grace", got.InFlight)
		}
		return err
	})
	f.deadlineOver(1)
	if got := f.settle(settleRequest(1)); got.Attempt.Outcome != publication.OutcomeUnknown || got.Attempt.Evidence == nil || got.InFlight != 0 {
		t.Errorf("got %+v", got)
	}
	f.wantState(publication.StateUnknown)
	f.changesNothing(func() error {
		_, err := f.Settle(context.Background(), settleRequest(1))
		return err
	})
}

func TestTheHeartbeatsIdentityIsAccepted(t *testing.T) {
	for name, prepare := range map[string]func(fixture){
		"in flight":               func(f fixture) { f.claim(1) },
		"settled as unknown":      func(f fixture) { f.claim(1); f.deadlineOver(1); f.settle(settleRequest(1)) },
		"the ledger lost its row": func(fixture) {},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			prepare(f)
			req := settleRequest(1)
			req.Identity = &identity
			if got := f.settle(req).Attempt; got.Outcome != publication.OutcomeAccepted || *got.Identity != identity {
				t.Errorf("got %+v", got)
			}
			if rec := f.wantState(publication.StateAccepted); rec.Identity == nil || rec.RemoteStatus != publication.StatusPublished {
				t.Errorf("got %+v", rec)
			}
			f.changesNothing(func() error {
				_, err := f.Settle(context.Background(), req)
				return err
			})
		})
	}
}

func TestOnlyTheClaimantCanTestifyThatNothingLeft(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	req := settleRequest(1)
	req.NotSentToken = "somebody else's"
	if got := f.settle(req); got.InFlight <= 0 {
		t.Errorf("a stranger's word settled it: %+v", got)
	}
	req.NotSentToken = "token-1"
	if got := f.settle(req).Attempt.Outcome; got != publication.OutcomeNotSent {
		t.Errorf("it is %s", got)
	}
	f.wantState(publication.StatePlanned)
	f.claim(2)
}

// An operation that is not there was not sent by this ledger's leave, but may have been by a lost one's.
func TestALedgerWithoutMemoryProvesNothing(t *testing.T) {
	f := newFixture(t)
	if _, err := f.Settle(context.Background(), settleRequest(1)); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
}
