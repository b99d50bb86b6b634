package ledger

import (
	"context"
	"slices"
	"testing"
	"time"

	"postonce/publication"
)

// firewalled is the firewall's refusal of an attempt.
func firewalled(id publication.OperationID) FinishRequest {
	req := finishRequest(1, publication.OutcomeRejected)
	req.Operation, req.Pause = id, 10*time.Minute
	req.Evidence.APIError = &publication.APIError{StatusCode: 429, Name: "TooManyRequestsError"}
	return req
}

func TestAFirewallRefusalPausesTheLaneAndIsToldOnce(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	ids := f.queueUp(4)
	for _, id := range ids[:3] {
		req := paced(id)
		req.Limit = 0
		f.ask(req)
		f.startedBefore(2 * time.Second)
	}
	f.end(ids[0], 1, publication.OutcomeAccepted)
	f.end(ids[1], 1, publication.OutcomeUnknown)
	for range 2 {
		f.must(f.Finish(ctx, firewalled(ids[2])))
	}
	entries := f.legal(ids[2], publication.StateRejected)
	if n := len(slices.DeleteFunc(entries, func(e Entry) bool { return e.Event != EventIncident })); n != 1 {
		t.Errorf("the journal tells of %d incidents, want 1", n)
	}
	if result := f.ask(paced(ids[3])); result.Claimed || !result.Waiting.Paused || result.NotBefore > 30*time.Second {
		t.Errorf("the next one: %+v", result)
	}
	affected, err := f.AffectedByIncident(ctx, ids[2], 1)
	f.must(err)
	if len(affected) != 1 || affected[0].Operation != ids[0] || affected[0].Identity.ID != identity.ID {
		t.Errorf("affected: %+v, want the accepted one alone", affected)
	}
	lanes, err := f.Lanes(ctx)
	f.must(err)
	if len(lanes) != 1 || len(lanes[0].Incidents) != 1 || len(lanes[0].Incidents[0].Affected) != 1 || lanes[0].Paused == nil {
		t.Errorf("lanes: %+v", lanes)
	}
}

func TestAnIncidentShortensNoPause(t *testing.T) {
	f := newFixture(t)
	ids := f.queueUp(1)
	f.ask(paced(ids[0]))
	f.must(f.PauseLane(context.Background(), "home", 0, "eva", "viagem"))
	f.must(f.Finish(context.Background(), firewalled(ids[0])))
	lanes, err := f.Lanes(context.Background())
	f.must(err)
	if p := lanes[0].Paused; p == nil || p.Until != nil || p.By != "eva" {
		t.Errorf("paused: %+v", p)
	}
}

// What the ten minutes before an incident do not hold, what is of another kind or lane, and what we removed since is
// not affected.
func TestWhatAnIncidentCannotHaveHidden(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	accept := func(id publication.OperationID, lane string) {
		req := paced(id)
		req.Lane, req.Limit, req.Interval = lane, 0, 0
		f.ask(req)
		f.end(id, 1, publication.OutcomeAccepted)
	}
	ids := f.queueUp(4)
	accept(ids[0], "home")
	f.startedBefore(11 * time.Minute)
	accept(ids[1], "office")
	accept(ids[2], "home")
	_, err := f.pool.Exec(ctx, `update attempts set creates = 'comment' where operation = $1`, ids[2])
	f.must(err)
	req := paced(ids[3])
	req.Interval = 0
	f.ask(req)
	f.must(f.Finish(ctx, firewalled(ids[3])))
	affected, err := f.AffectedByIncident(ctx, ids[3], 1)
	f.must(err)
	if len(affected) != 0 {
		t.Errorf("affected: %+v, want none", affected)
	}
}

func TestHiddenContentIsMarkedOnceAndStaysMarked(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.planned()
	f.claim(1)
	f.finish(1, publication.OutcomeAccepted)
	before := f.load()
	f.must(f.MarkHidden(ctx, op, "publish/autora/outro"))
	f.changesNothing(func() error { return f.MarkHidden(ctx, op, "publish/autora/outro") })
	if rec := f.load(); rec.RemoteStatus != publication.StatusFirewall || rec.Verification != publication.VerificationUnreadable || rec.Identity == nil || rec.State != publication.StateAccepted {
		t.Errorf("got %+v", rec)
	}
	// A workflow that read it back before it was hidden records later.
	seen := before.Snapshot()
	seen.RemoteStatus, seen.Verification = publication.StatusPublished, publication.VerificationMatched
	f.must(f.Record(ctx, RecordRequest{Account: "autora", Lane: "home", Payload: before.Payload, Snapshot: seen}))
	if rec := f.load(); rec.RemoteStatus != publication.StatusFirewall || rec.LocalRecord != publication.LocalRecorded {
		t.Errorf("an older snapshot shows it again: %+v", rec)
	}
}
