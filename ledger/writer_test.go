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

// Operations of one reference ask at the same moment, each in a lane of its own and from a worker of its own: all
// stand at the reference when it becomes free.
func TestOfOperationsOnOneReferenceOneIsClaimed(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	tx, err := f.pool.Begin(ctx)
	f.must(err)
	defer tx.Rollback(ctx) // a test that fails must not wait for it
	_, err = tx.Exec(ctx, `select pg_advisory_xact_lock(hashtext(current_schema()), hashtext('autora/ola'))`)
	f.must(err)
	ids := []publication.OperationID{op, reviseOp, removeOp, publication.RemoveID("autora", "ola", 2)}
	results := make([]ClaimResult, len(ids))
	var group sync.WaitGroup
	for i, id := range ids {
		f.open(anyRequest(id, "run-1"))
		worker, req := openPool(t, f.url), f.claimOf(id, 1)
		group.Go(func() {
			var err error
			if results[i], err = worker.Claim(ctx, req); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		})
	}
	f.awaitReference(len(ids))
	f.must(tx.Rollback(ctx))
	group.Wait()
	winner := f.onlyClaimed(ids, results)
	for i, r := range results {
		if ids[i] != winner && (r.Claimed || !strings.Contains(r.Refusal, string(winner)+" is sending")) {
			t.Errorf("%s got %+v, want a refusal that names %s", ids[i], r, winner)
		}
	}
	if n := f.count(`select count(*) from attempts`); n != 1 {
		t.Errorf("%d attempts", n)
	}
}

func (f fixture) onlyClaimed(ids []publication.OperationID, results []ClaimResult) (winner publication.OperationID) {
	f.t.Helper()
	for i, r := range results {
		if r.Claimed && winner != "" {
			f.t.Errorf("%s and %s were claimed", winner, ids[i])
		}
		if r.Claimed {
			winner = ids[i]
		}
	}
	if winner == "" {
		f.t.Error("none was claimed")
	}
	return winner
}

// awaitReference returns once so many wait for their reference.
func (f fixture) awaitReference(waiting int) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for f.count(`select count(*) from pg_locks where locktype = 'advisory' and not granted
		and database = (select oid from pg_database where datname = current_database())
		and classid = hashtext(current_schema())::oid and objid = hashtext('autora/ola')::oid`) < waiting {
		f.must(ctx.Err())
	}
}

// Claims that share references and lanes crosswise wait for each other in one order.
func TestClaimsAcrossReferencesAndLanesDoNotDeadlock(t *testing.T) {
	f := newFixture(t)
	const references, lanes = 3, 3
	var group sync.WaitGroup
	for r := range references {
		for lane := range lanes {
			b := base
			b.UpdatedAt = base.UpdatedAt.Add(time.Duration(lane) * time.Hour)
			id := publication.ReviseID("autora", fmt.Sprint("texto-", r), b.Version())
			f.open(changeRequest(id, payload("texto"), b, "run-1", "ana"))
			worker, req := openPool(t, f.url), f.claimOf(id, 1)
			req.Lane = fmt.Sprint("lane ", lane)
			group.Go(func() {
				if _, err := worker.Claim(context.Background(), req); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	if n := f.count(`select count(*) from attempts`); n != references {
		t.Errorf("%d were claimed, want one for each of %d references", n, references)
	}
}

func TestWhoBlocksAReference(t *testing.T) {
	abandon := func(f fixture) {
		d, err := f.Decide(context.Background(), reviseOp, publication.Decision{ID: "1", Kind: publication.DecisionAbandon, By: "ana", Attempt: 1, Taken: true}, nil, "")
		f.must(err)
		if !d.Taken {
			f.t.Fatal(d.Refusal)
		}
	}
	nothing := func(fixture) {}
	for name, c := range map[string]struct {
		outcome publication.Outcome
		then    func(fixture)
		want    string // empty: nobody is blocked
	}{
		"sending":   {publication.OutcomeSending, nothing, string(reviseOp) + " is sending"},
		"unknown":   {publication.OutcomeUnknown, nothing, "starter status " + string(reviseOp)},
		"abandoned": {publication.OutcomeUnknown, abandon, string(reviseOp) + " was abandoned, and its request may have an effect"},
		"given up":  {publication.OutcomeUnknown, func(f fixture) { abandon(f); f.longOver(reviseOp) }, ""},
		"rejected":  {publication.OutcomeRejected, nothing, ""},
		"unsent":    {publication.OutcomeNotSent, nothing, ""},
		"accepted":  {publication.OutcomeAccepted, nothing, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.reach(reviseOp, c.outcome)
			c.then(f)
			f.open(anyRequest(removeOp, "run-1"))
			f.open(request(publication.PublishID("autora", "outro"), payload("texto"), "run-1", "ana"))
			if r := f.try(publication.PublishID("autora", "outro"), 1); !r.Claimed {
				t.Errorf("another reference got %+v", r)
			}
			r := f.try(removeOp, 1)
			if r.Claimed != (c.want == "") || !strings.Contains(r.Refusal, c.want) {
				t.Errorf("got %+v, want %q", r, c.want)
			}
			if (r.BlockedBy == reviseOp) != (name == "unknown") {
				t.Errorf("blocked by %q: only what waits for a person blocks", r.BlockedBy)
			}
			if rec := f.get(removeOp); !r.Claimed && (rec.State != publication.StatePlanned || len(rec.Attempts) != 0) {
				t.Errorf("the refusal left %+v", rec)
			}
		})
	}
}

// Once the other one has ended, the refused claim is possible, with the approval that it had.
func TestARefusedWriterGoesAfterTheOther(t *testing.T) {
	f := newFixture(t)
	f.reach(reviseOp, publication.OutcomeSending)
	f.open(anyRequest(removeOp, "run-1"))
	if f.try(removeOp, 1).Claimed {
		t.Error("two write at once")
	}
	f.end(reviseOp, 1, publication.OutcomeAccepted)
	if r := f.try(removeOp, 1); !r.Claimed {
		t.Errorf("got %+v", r)
	}
}

// That an earlier send may have had an effect is knowledge: it is kept while another operation sends.
func TestKnowledgeIsKeptBesideAWriter(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	f.notCreated(1)
	f.reach(reviseOp, publication.OutcomeSending)
	f.must(f.refuse()) // the publish is unknown again
	f.wantState(publication.StateUnknown)
	f.end(reviseOp, 1, publication.OutcomeUnknown)
	if got := f.reach(publication.PublishID("autora", "outro"), publication.OutcomeAccepted); got.State != publication.StateAccepted {
		t.Errorf("got %s", got.State)
	}
	f.legal(reviseOp, publication.StateUnknown)
}
