package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// paced is a claim that keeps a pace short enough for tests, whose window yet decides.
func paced(id publication.OperationID) ClaimRequest {
	req := claimRequest(1)
	req.Operation, req.SendTimeout = id, 10*time.Second
	req.Pace = Pace{Interval: time.Second, Window: time.Minute, Limit: 2, QuietTime: 5 * time.Second}
	req.Patience, req.Lead = 5*time.Second, 3500*time.Millisecond
	return req
}

// queueUp opens n publications in the lane home, approved.
func (f fixture) queueUp(n int) []publication.OperationID {
	f.t.Helper()
	ids := []publication.OperationID{}
	for i := range n {
		ids = append(ids, publication.PublishID("autora", fmt.Sprint("texto-", i)))
		f.open(request(ids[i], payload("texto"), "run-1", "ana"))
	}
	return ids
}

func (f fixture) ask(req ClaimRequest) ClaimResult {
	f.t.Helper()
	result, err := f.Claim(context.Background(), req)
	f.must(err)
	return result
}

// startedBefore moves all that started in the lane back in time, as if a while had passed.
func (f fixture) startedBefore(d time.Duration) {
	f.t.Helper()
	ctx := context.Background()
	_, err := f.pool.Exec(ctx, `update lanes set last_start = last_start - $1::interval`, d)
	f.must(err)
	_, err = f.pool.Exec(ctx, `update attempts set claimed_at = claimed_at - $1::interval, send_by = send_by - $1::interval, may_create_until = may_create_until - $1::interval`, d)
	f.must(err)
}

// pass lets time pass for the queue too.
func (f fixture) pass(d time.Duration) {
	f.t.Helper()
	f.startedBefore(d)
	_, err := f.pool.Exec(context.Background(), `update lane_reservations set due_at = due_at - $1::interval`, d)
	f.must(err)
}

func TestTheThirdCreationWaitsForAWindowAfterTheFirstAnswer(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(3)
	for _, id := range ids[:2] {
		if !f.ask(paced(id)).Claimed {
			t.Fatalf("%s was not claimed", id)
		}
		f.startedBefore(2 * time.Second)
	}
	inFlight := f.ask(paced(ids[2]))
	if inFlight.Claimed || inFlight.Turn < 50*time.Second || inFlight.Turn > time.Minute {
		t.Errorf("while both are in flight: %+v, want to ask again after a window", inFlight)
	}
	f.end(ids[0], 1, publication.OutcomeAccepted)
	f.pass(30 * time.Second) // the deadline of the second, and TabNews' margin, lie behind it
	waits := f.ask(paced(ids[2]))
	if waits.Claimed || waits.Turn < 25*time.Second || waits.Turn > 30*time.Second || !waits.Waiting.Counted {
		t.Errorf("half a minute after the answer: %+v, want half a minute more", waits)
	}
	f.pass(30 * time.Second)
	if result := f.ask(paced(ids[2])); !result.Claimed {
		t.Errorf("a window after the answer: %+v", result)
	}
}

func TestWhatCountsAsACreation(t *testing.T) {
	for name, c := range map[string]struct {
		outcome publication.Outcome
		unsent  bool
		counts  bool
	}{
		"accepted":            {publication.OutcomeAccepted, false, true},
		"unknown":             {publication.OutcomeUnknown, false, true},
		"unknown, not a byte": {publication.OutcomeUnknown, true, false},
		"rejected":            {publication.OutcomeRejected, false, false},
		"not sent":            {publication.OutcomeNotSent, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			ids := f.queueUp(2)
			req := paced(ids[0])
			req.Limit = 1
			f.ask(req)
			done := finishRequest(1, c.outcome)
			done.Operation, done.Evidence.ProvenUnsent = ids[0], c.unsent
			f.must(f.Finish(context.Background(), done))
			f.startedBefore(2 * time.Second)
			next := paced(ids[1])
			next.Limit = 1
			if result := f.ask(next); result.Claimed == c.counts {
				t.Errorf("the next one: %+v", result)
			}
		})
	}
}

// A person who believes that nothing was created may be wrong.
func TestNotCreatedStillCountsAsACreation(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	f.finish(1, publication.OutcomeUnknown)
	f.notCreated(1)
	if n := f.count(`select count(*) from attempts where creates = 'root' and may_create_until >= send_by`); n != 1 {
		t.Error("it no longer counts")
	}
}

// What a snapshot tells of and the ledger forgot may have been created a moment ago.
func TestARebuiltAttemptCountsAsACreation(t *testing.T) {
	for _, outcome := range []publication.Outcome{publication.OutcomeAccepted, publication.OutcomeUnknown} {
		f := newFixture(t)
		ids := f.queueUp(1)
		s := publication.Snapshot{Operation: op, State: publication.StateUnknown, Digest: payload("texto").Digest(),
			Attempts: []publication.Attempt{{Number: 1, Outcome: outcome, Digest: payload("texto").Digest()}}}
		if outcome == publication.OutcomeAccepted {
			s.State, s.Identity, s.Attempts[0].Identity = publication.StateAccepted, &identity, &identity
		}
		f.must(f.Record(context.Background(), RecordRequest{Account: "autora", Lane: "home", Payload: payload("texto"), Snapshot: s}))
		req := paced(ids[0])
		req.Limit = 1
		if result := f.ask(req); result.Claimed || result.Turn < 50*time.Second {
			t.Errorf("after a rebuilt %s one: %+v", outcome, result)
		}
	}
}

func TestCommentsAndRootsAreCountedApart(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(2)
	for _, id := range ids {
		f.ask(paced(id))
		f.startedBefore(2 * time.Second)
	}
	answer := payload("resposta")
	answer.ParentID, answer.Title, answer.Slug = identity.ID, "", "resposta"
	comment := publication.PublishID("autora", "resposta")
	f.open(request(comment, answer, "run-1", "ana"))
	req := paced(comment)
	req.Digest = answer.Digest()
	if result := f.ask(req); !result.Claimed {
		t.Errorf("two roots are in flight, and a comment waits: %+v", result)
	}
	if n := f.count(`select count(*) from attempts where creates = 'comment' and lane = 'home'`); n != 1 {
		t.Error("the comment is not counted as one")
	}
}

func TestTheLaneServesWhoCameFirst(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(4)
	f.ask(paced(ids[0]))
	f.end(ids[0], 1, publication.OutcomeRejected) // it takes time, but is no creation
	second, third := f.ask(paced(ids[1])), f.ask(paced(ids[2]))
	if third.Turn-second.Turn < 900*time.Millisecond {
		t.Errorf("two that wait are told the same turn: %+v, %+v", second, third)
	}
	if third.Waiting.Ahead != 1 || third.Waiting.Behind != ids[1] || !strings.Contains(third.Waiting.String(), string(ids[1])) {
		t.Errorf("the third waits for %q", third.Waiting)
	}
	f.startedBefore(time.Second) // the lane is free now
	if result := f.ask(paced(ids[2])); result.Claimed {
		t.Error("the third went before the second")
	}
	if result := f.ask(paced(ids[3])); result.Claimed {
		t.Error("the last went before all others")
	}
	if result := f.ask(paced(ids[1])); !result.Claimed {
		t.Errorf("the second was not served: %+v", result)
	}
	if n := f.count(`select count(*) from lane_reservations where operation = $1`, ids[1]); n != 0 {
		t.Error("its place was not given back")
	}
}

// Whoever does not come holds nobody up, and has its place again when it comes.
func TestADeadReservationBlocksNobodyAndKeepsItsPlace(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(4)
	f.ask(paced(ids[0]))
	f.end(ids[0], 1, publication.OutcomeRejected)
	f.ask(paced(ids[1]))
	f.ask(paced(ids[2]))
	f.ask(paced(ids[3]))
	f.startedBefore(time.Second)
	_, err := f.pool.Exec(context.Background(), `update lane_reservations set due_at = clock_timestamp() - interval '1 second' where operation = $1`, ids[1])
	f.must(err)
	if result := f.ask(paced(ids[2])); !result.Claimed {
		t.Fatalf("the dead one blocks: %+v", result)
	}
	f.end(ids[2], 1, publication.OutcomeRejected)
	back := f.ask(paced(ids[1]))
	last := f.ask(paced(ids[3]))
	if back.Waiting.Ahead != 0 || last.Waiting.Ahead != 1 {
		t.Errorf("it came back behind others: %+v, %+v", back, last)
	}
}

func TestAPausedLaneStartsNothingAndGoesOnByItself(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(2)
	ctx := context.Background()
	f.must(f.PauseLane(ctx, "home", 0, "eva", "viagem"))
	result := f.ask(paced(ids[0]))
	if result.Claimed || result.NotBefore <= 0 || result.NotBefore > 30*time.Second {
		t.Errorf("paused for good: %+v", result)
	}
	if words := result.Waiting.String(); !strings.Contains(words, "eva") || !strings.Contains(words, "viagem") || !strings.Contains(words, "starter lane resume home") {
		t.Errorf("it waits for %q", words)
	}
	lanes, err := f.Lanes(ctx)
	f.must(err)
	if len(lanes) != 1 || lanes[0].Paused == nil || lanes[0].Paused.Reason != "viagem" || len(lanes[0].Queue) != 1 || lanes[0].Queue[0].Operation != ids[0] || lanes[0].Queue[0].SlotAt != nil {
		t.Errorf("got %+v", lanes)
	}
	if paused, err := f.ResumeLane(ctx, "home"); err != nil || !paused {
		t.Errorf("resumed: %v, %v", paused, err)
	}
	if paused, err := f.ResumeLane(ctx, "home"); err != nil || paused {
		t.Errorf("resumed again: %v, %v", paused, err)
	}
	if result := f.ask(paced(ids[0])); !result.Claimed {
		t.Errorf("after the pause: %+v", result)
	}
	f.must(f.PauseLane(ctx, "home", 3*time.Second, "eva", "já volto"))
	if result := f.ask(paced(ids[1])); result.Claimed || result.NotBefore > 3*time.Second {
		t.Errorf("paused for a moment: %+v", result)
	}
	_, err = f.pool.Exec(ctx, `update lanes set paused_until = clock_timestamp(), last_start = last_start - interval '1 hour'`)
	f.must(err)
	if result := f.ask(paced(ids[1])); !result.Claimed {
		t.Errorf("after its end: %+v", result)
	}
}

// What the clock noted before it was stepped back blocks the lane for an interval or a window, not for the step.
func TestAClockSteppedBackBlocksTheLaneBriefly(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(3)
	for _, id := range ids[:2] {
		f.ask(paced(id))
		f.startedBefore(2 * time.Second)
	}
	f.end(ids[0], 1, publication.OutcomeAccepted)
	f.startedBefore(-24 * time.Hour)
	result := f.ask(paced(ids[2]))
	if result.Claimed || result.Turn > time.Minute || result.Turn < 59*time.Second {
		t.Errorf("got %+v, want a window (1m) from now", result)
	}
	f.pass(time.Minute)
	if result := f.ask(paced(ids[2])); !result.Claimed {
		t.Errorf("a window later: %+v", result)
	}
}
