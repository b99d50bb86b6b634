package ledger

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"postonce/publication"
)

func TestOfTwentyParallelClaimsOneWins(t *testing.T) {
	f := newFixture(t)
	f.planned()
	pools := []*Ledger{f.Ledger, openPool(t, f.url), openPool(t, f.url), openPool(t, f.url)}
	var mu sync.Mutex
	var group sync.WaitGroup
	claimed, existing := 0, 0
	for i := range 20 {
		group.Go(func() {
			req := claimRequest(1)
			req.Token = fmt.Sprint("worker ", i)
			result, err := pools[i%len(pools)].Claim(context.Background(), req)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				t.Error(err)
			case result.Claimed:
				claimed++
			case result.Existing != nil && result.Existing.Outcome == publication.OutcomeSending:
				existing++
			default:
				t.Errorf("got %+v", result)
			}
		})
	}
	group.Wait()
	if claimed != 1 || existing != 19 {
		t.Errorf("%d claimed, %d saw the claim; want 1 and 19", claimed, existing)
	}
	f.wantState(publication.StateSending)
}

func TestClaimTellsItsDeadlineAndWhoAllowedIt(t *testing.T) {
	f := newFixture(t)
	f.planned()
	result := f.claim(1)
	a := f.load().Attempts[0]
	if !a.SendBy.Equal(result.SendBy) || a.SendBy.Sub(*a.ClaimedAt) != 30*time.Second {
		t.Errorf("claimed at %s, send by %s, told %s", a.ClaimedAt, a.SendBy, result.SendBy)
	}
	if a.ApprovedBy != "ana" || result.ApprovedBy != "ana" || a.FinishedAt != nil {
		t.Errorf("got %+v, %+v", a, result)
	}
}

// Workers that share a lane start at least the interval apart, by the rows' own times.
func TestClaimsOfALaneKeepTheirDistance(t *testing.T) {
	f := newFixture(t)
	const interval = 100 * time.Millisecond
	var group sync.WaitGroup
	for i := range 8 {
		id := publication.PublishID("autora", fmt.Sprint("texto-", i))
		f.open(request(id, payload("texto"), "run-1", "ana"))
		worker := openPool(t, f.url)
		group.Go(func() { claimPatiently(t, worker, id, interval) })
	}
	group.Wait()
	if n := f.count(`select count(*) from attempts`); n != 8 {
		t.Errorf("%d attempts, want 8", n)
	}
	closer := f.count(`select count(*) from (select claimed_at - lag(claimed_at) over (order by claimed_at) as distance from attempts) d
		where distance < $1`, interval)
	if closer != 0 {
		t.Errorf("%d starts followed the one before in less than %s", closer, interval)
	}
}

func claimPatiently(t *testing.T, l *Ledger, id publication.OperationID, interval time.Duration) {
	for {
		req := claimRequest(1)
		req.Operation, req.Interval = id, interval
		result, err := l.Claim(context.Background(), req)
		if err != nil {
			t.Error(err)
			return
		}
		if result.Claimed {
			return
		}
		if result.NotBefore <= 0 || result.Turn > 8*interval {
			t.Errorf("got %+v, want a wait of at most eight intervals of %s", result, interval)
			return
		}
		<-time.After(result.NotBefore) // the lane's own word for when to ask again
	}
}

// A claim that waited for its lane starts when it got it, not when it began to wait; else the next could follow it too
// soon.
func TestAStartIsNotedAfterTheWaitForTheLane(t *testing.T) {
	f := newFixture(t)
	f.planned()
	ctx := context.Background()
	_, err := f.pool.Exec(ctx, `insert into lanes (lane) values ('home')`)
	f.must(err)
	tx, err := f.pool.Begin(ctx)
	f.must(err)
	_, err = tx.Exec(ctx, `select from lanes where lane = 'home' for update`)
	f.must(err)
	claimed := make(chan error, 1)
	go func() {
		_, err := f.Claim(ctx, claimRequest(1))
		claimed <- err
	}()
	f.awaitLockWait("lanes")
	var released time.Time
	f.must(tx.QueryRow(ctx, `select clock_timestamp()`).Scan(&released))
	f.must(tx.Rollback(ctx))
	f.must(<-claimed)
	if start := *f.load().Attempts[0].ClaimedAt; start.Before(released) {
		t.Errorf("it starts %s before it got the lane", released.Sub(start))
	}
}

func TestAnApprovalOfOtherBytesAllowsNothing(t *testing.T) {
	c := &change{decisions: []decisionRow{{Decision: publication.Decision{ID: "1", Kind: publication.DecisionApprove, Taken: true, Digest: payload("a").Digest()}}}}
	if c.usable(payload("a").Digest()) == nil || c.usable(payload("b").Digest()) != nil {
		t.Error("an approval must allow the payload that it names, and no other")
	}
}

func TestTooEarlyTakesAPlaceInTheQueueAndNothingElse(t *testing.T) {
	f := newFixture(t)
	f.planned()
	other := publication.PublishID("autora", "outro")
	f.open(request(other, payload("texto"), "run-1", "ana"))
	req := claimRequest(1)
	req.Operation = other
	_, err := f.Claim(context.Background(), req)
	f.must(err)
	f.changesNothing(func() error {
		req := claimRequest(1)
		req.Interval = time.Hour
		result, err := f.Claim(context.Background(), req)
		if result.Claimed || result.Turn < 59*time.Minute || result.Turn > time.Hour || result.NotBefore > askSeldom || result.NotBefore <= 0 {
			t.Errorf("got %+v", result)
		}
		return err
	})
	otherLane := claimRequest(1)
	otherLane.Interval, otherLane.Lane = time.Hour, "office"
	if result, err := f.Claim(context.Background(), otherLane); err != nil || !result.Claimed {
		t.Errorf("another lane had to wait: %+v, %v", result, err)
	}
}

func TestClaimIsRefusedWithWords(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(f fixture, req *ClaimRequest)
		want    string
	}{
		"proposed":       {func(f fixture, _ *ClaimRequest) { f.open(request(op, payload("outro"), "run-2", "")) }, "is proposed"},
		"another digest": {func(_ fixture, req *ClaimRequest) { req.Digest = payload("outro").Digest() }, "payload that waits"},
		"another number": {func(_ fixture, req *ClaimRequest) { req.Attempt = 7 }, "number 1, not 7"},
		"used up": {func(f fixture, _ *ClaimRequest) {
			_, err := f.pool.Exec(context.Background(), `update decisions set voided = 'test'`)
			f.must(err)
		}, "no unused approval"},
		"unknown": {func(f fixture, req *ClaimRequest) {
			f.claim(1)
			f.finish(1, publication.OutcomeUnknown)
			req.Attempt = 2
		}, "is unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			req := claimRequest(1)
			c.prepare(f, &req)
			f.changesNothing(func() error {
				result, err := f.Claim(context.Background(), req)
				if result.Claimed || !strings.Contains(result.Refusal, c.want) {
					t.Errorf("got %+v, want a refusal with %q", result, c.want)
				}
				return err
			})
		})
	}
}

func TestAnUnsentAttemptGivesItsApprovalBackAndASentOneDoesNot(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	f.finish(1, publication.OutcomeNotSent)
	f.wantState(publication.StatePlanned)
	f.claim(2)
	f.finish(2, publication.OutcomeUnknown)
	f.notCreated(2)
	f.claim(3) // by the decision
	f.finish(3, publication.OutcomeNotSent)
	f.claim(4) // the decision was given back
	f.finish(4, publication.OutcomeUnknown)
	f.wantState(publication.StateUnknown)
	if n := f.count(`select count(distinct authorization_id) from attempts where outcome <> 'not_sent'`); n != 2 {
		t.Errorf("%d authorizations for 2 attempts that may have left", n)
	}
}
