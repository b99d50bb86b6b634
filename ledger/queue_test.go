package ledger

import (
	"context"
	"testing"
	"time"

	"postonce/publication"
)

// What is withdrawn holds nobody up, and who approves it again comes behind those who wait.
func TestWhoIsPlannedNoMoreLeavesTheQueue(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(3)
	f.ask(paced(ids[0]))
	f.end(ids[0], 1, publication.OutcomeRejected)
	f.ask(paced(ids[1]))
	f.ask(paced(ids[2]))
	got, err := f.Decide(t.Context(), ids[1], publication.Decision{ID: "c", Kind: publication.DecisionCancel, By: "ana", Taken: true}, nil, "")
	if f.must(err); !got.Taken {
		t.Fatal(got.Refusal)
	}
	if n := f.count(`select count(*) from lane_reservations where operation = $1`, ids[1]); n != 0 {
		t.Error("it keeps its place")
	}
	f.startedBefore(2 * time.Second)
	again, err := f.Decide(t.Context(), ids[1], publication.Decision{ID: "a", Kind: publication.DecisionApprove, By: "ana", Digest: f.get(ids[1]).Digest, Taken: true}, nil, "")
	if f.must(err); !again.Taken {
		t.Fatal(again.Refusal)
	}
	if result := f.ask(paced(ids[1])); result.Claimed || result.Waiting.Ahead != 1 {
		t.Errorf("approved again, it went before who waited: %+v", result)
	}
	if result := f.ask(paced(ids[2])); !result.Claimed {
		t.Errorf("the one behind: %+v", result)
	}
}

// A place that an older worker, or a lost transaction, left behind is no place.
func TestAPlaceOfWhatIsNotPlannedIsNotCounted(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(3)
	f.ask(paced(ids[0]))
	f.end(ids[0], 1, publication.OutcomeRejected)
	f.ask(paced(ids[1]))
	f.ask(paced(ids[2]))
	f.startedBefore(2 * time.Second)
	_, err := f.pool.Exec(t.Context(), `update operations set state = 'proposed' where operation = $1`, ids[1])
	f.must(err)
	if result := f.ask(paced(ids[2])); !result.Claimed {
		t.Errorf("got %+v", result)
	}
}

// stepBack makes what the lane noted lie a day ahead.
func (f fixture) stepBack(table, set string) {
	f.t.Helper()
	_, err := f.pool.Exec(f.t.Context(), `update `+table+` set `+set)
	f.must(err)
}

func TestAClockSteppedBackLetsADeadPlaceOrAProbeBlockBriefly(t *testing.T) {
	const most = 3 * time.Minute
	for name, c := range map[string]struct{ table, step, pass string }{
		"a dead place": {"lane_reservations", ``,
			`update lane_reservations set due_at = due_at - interval '3 minutes'`},
		"a probe": {"lanes", `probed_until = clock_timestamp() + interval '1 day'`,
			`update lanes set probed_until = probed_until - interval '3 minutes'`},
		"a pause": {"lanes", `paused_at = clock_timestamp() + interval '1 day', paused_until = clock_timestamp() + interval '1 day 2 minutes', paused_by = 'worker'`,
			`update lanes set paused_until = paused_until - interval '3 minutes'`},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			ids := f.queueUp(3)
			f.ask(paced(ids[0]))
			f.end(ids[0], 1, publication.OutcomeRejected)
			f.ask(paced(ids[1]))
			f.ask(paced(ids[2]))
			f.startedBefore(time.Hour)
			asks, step := ids[1], c.step
			if c.table == "lane_reservations" {
				asks, step = ids[2], `due_at = due_at + interval '1 day' where operation = '`+string(ids[1])+`'`
			}
			f.stepBack(c.table, step)
			for range 2 { // asked again and again, it does not go on creeping
				if result := f.ask(paced(asks)); result.Claimed || result.NotBefore > most {
					t.Errorf("got %+v", result)
				}
			}
			_, err := f.pool.Exec(t.Context(), c.pass)
			f.must(err)
			if result := f.ask(paced(asks)); !result.Claimed {
				t.Errorf("three minutes later: %+v", result)
			}
		})
	}
}

func TestAProbeWaitsNoLongerThanItMayAfterTheClockWasSteppedBack(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	f.onlyDue()
	f.takeProbeSlot()
	f.stepBack("lanes", `probed_until = clock_timestamp() + interval '1 day', last_start = clock_timestamp() + interval '1 day'`)
	if slot := f.takeProbeSlot(); slot.Taken || slot.Wait > time.Minute {
		t.Errorf("got %+v", slot)
	}
	_, err := f.pool.Exec(t.Context(), `update lanes set probed_until = probed_until - interval '1 minute', last_start = last_start - interval '1 minute'`)
	f.must(err)
	if slot := f.takeProbeSlot(); slot.Wait > 0 {
		t.Errorf("a minute later: %+v", slot)
	}
}

// An outcome locks its operation's rows and then the lane: who holds the lane must not wait for them.
func TestAClaimWaitsForNoOtherAttemptsRow(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(2)
	f.ask(paced(ids[0]))
	f.end(ids[0], 1, publication.OutcomeAccepted)
	f.startedBefore(-24 * time.Hour)
	tx, err := f.pool.Begin(t.Context())
	f.must(err)
	defer tx.Rollback(context.Background())
	_, err = tx.Exec(t.Context(), `update attempts set evidence = null where operation = $1`, ids[0])
	f.must(err)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := f.Claim(ctx, paced(ids[1])); err != nil {
		t.Errorf("it waited: %v", err)
	}
}

// After a pause all come back at once. The first in the queue has its checks to make anew, and is waited for.
func TestAfterAPauseTheQueueKeepsItsOrder(t *testing.T) {
	const lead = 3 * time.Second
	for late, first := range map[time.Duration]bool{lead - time.Second: true, lead + 2*time.Second: false} {
		f := newFixture(t)
		ids := f.queueUp(2)
		f.must(f.PauseLane(t.Context(), "home", 0, "eva", "viagem"))
		var told time.Duration
		for _, id := range ids {
			req := paced(id)
			req.Lead = lead
			told = f.ask(req).NotBefore
		}
		if resumed, err := f.ResumeLane(t.Context(), "home"); err != nil || !resumed {
			t.Fatalf("resumed %v, %v", resumed, err)
		}
		_, err := f.pool.Exec(t.Context(), `update lane_reservations set due_at = due_at - $1::interval`, told+late)
		f.must(err)
		if result := f.ask(paced(ids[1])); result.Claimed == first {
			t.Errorf("the first is %s late, and the second claimed: %v", late, result.Claimed)
		}
	}
}
