package ledger

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"postonce/publication"
)

func (f fixture) unknown() {
	f.t.Helper()
	f.planned()
	f.claim(1)
	f.finish(1, publication.OutcomeUnknown)
}

func TestApproveBindsTheDigest(t *testing.T) {
	f := newFixture(t)
	f.open(request(op, payload("texto"), "run-1", ""))
	wrong := f.decide(publication.Decision{ID: "1", Kind: publication.DecisionApprove, Digest: payload("outro").Digest()})
	if wrong.Taken || !strings.Contains(wrong.Refusal, string(payload("texto").Digest())) {
		t.Errorf("got %+v", wrong)
	}
	f.wantState(publication.StateProposed)
	right := f.decide(publication.Decision{ID: "2", Kind: publication.DecisionApprove, Digest: payload("texto").Digest()})
	if !right.Taken || right.Refusal != "" {
		t.Errorf("got %+v", right)
	}
	f.wantState(publication.StatePlanned)
	again := f.decide(publication.Decision{ID: "3", Kind: publication.DecisionApprove, By: "bia", Digest: payload("texto").Digest()})
	if again.Taken || !strings.Contains(again.Refusal, "ana approved it already") {
		t.Errorf("got %+v", again)
	}
}

func TestAdoptPutsTheIdentityOnAttemptAndOperation(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	f.decide(publication.Decision{Kind: publication.DecisionAdopt, Attempt: 1, Reference: "autora/ola"})
	rec := f.wantState(publication.StateAccepted)
	if *rec.Identity != identity || *rec.Attempts[0].Identity != identity || rec.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", rec)
	}
}

func TestNotCreatedOpensExactlyOneAttempt(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	f.notCreated(1)
	if a := f.wantState(publication.StatePlanned).Attempts[0]; a.Outcome != publication.OutcomeNotCreated {
		t.Errorf("got %+v", a)
	}
	f.claim(2)
	f.finish(2, publication.OutcomeRejected)
	f.open(request(op, payload("texto"), "run-2", ""))
	if result, err := f.Claim(context.Background(), claimRequest(3)); err != nil || result.Claimed {
		t.Errorf("the decision opened a second attempt: %+v, %v", result, err)
	}
}

func TestAbandonedStaysClosed(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	f.decide(publication.Decision{Kind: publication.DecisionAbandon, Attempt: 1})
	f.wantState(publication.StateAbandoned)
	for _, kind := range []publication.DecisionKind{publication.DecisionAdopt, publication.DecisionNotCreated, publication.DecisionApprove} {
		if d := f.decide(publication.Decision{Kind: kind, Attempt: 1, Digest: payload("texto").Digest()}); d.Taken {
			t.Errorf("%s was taken", kind)
		}
	}
	f.wantState(publication.StateAbandoned)
}

func TestTheFirstDecisionOnAnAttemptHolds(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	f.notCreated(1)
	late := f.decide(publication.Decision{ID: "late", By: "bia", Kind: publication.DecisionAdopt, Attempt: 1})
	if late.Taken || !strings.Contains(late.Refusal, "ana decided not_created on attempt 1") {
		t.Errorf("got %+v", late)
	}
	f.wantState(publication.StatePlanned)
}

func TestOfParallelDecisionsOneIsTaken(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	kinds := []publication.DecisionKind{publication.DecisionAdopt, publication.DecisionNotCreated, publication.DecisionAbandon}
	taken := make(chan bool, len(kinds))
	var group sync.WaitGroup
	for _, kind := range kinds {
		group.Go(func() { taken <- f.decide(publication.Decision{Kind: kind, Attempt: 1}).Taken })
	}
	group.Wait()
	close(taken)
	n := 0
	for yes := range taken {
		if yes {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d decisions were taken", n)
	}
}

func TestADecisionRepeatedChangesNothing(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	d := publication.Decision{ID: "same", Kind: publication.DecisionNotCreated, By: "ana", Attempt: 1, Taken: true, At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	first, err := f.Decide(context.Background(), op, d, nil, "")
	f.must(err)
	f.changesNothing(func() error {
		again, err := f.Decide(context.Background(), op, d, nil, "")
		if again != first {
			t.Errorf("got %+v, first %+v", again, first)
		}
		return err
	})
}

func TestARefusedDecisionIsKeptWithItsReason(t *testing.T) {
	f := newFixture(t)
	f.planned()
	got, err := f.Decide(context.Background(), op, publication.Decision{ID: "bad", Signal: "resolve", By: "a\x00\xff", Attempt: 1 << 40,
		Digest: "no digest", Refusal: "it is no JSON"}, nil, "")
	f.must(err)
	if got.Taken || got.Refusal != "it is no JSON" || got.Kind != "" || got.At.IsZero() {
		t.Errorf("got %+v", got)
	}
	if last := f.journal()[2]; last.Event != EventRefused || last.To != "" {
		t.Errorf("the journal says %+v", last)
	}
	f.wantState(publication.StatePlanned)
}

func TestDecisionsThatFitNothingAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		d    publication.Decision
		want string
	}{
		"no name":            {publication.Decision{Kind: publication.DecisionAbandon, Attempt: 1, By: " "}, "names nobody"},
		"no such attempt":    {publication.Decision{Kind: publication.DecisionAbandon, Attempt: 4}, "no attempt 4"},
		"attempt in flight":  {publication.Decision{Kind: publication.DecisionNotCreated, Attempt: 1}, "attempt 1 is sending"},
		"approve in flight":  {publication.Decision{Kind: publication.DecisionApprove, Digest: payload("texto").Digest()}, "is sending"},
		"a word without use": {publication.Decision{Kind: "retry", Attempt: 1}, `"retry" is no decision`},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			f.claim(1)
			if d := f.decide(c.d); d.Taken || !strings.Contains(d.Refusal, c.want) {
				t.Errorf("got %+v, want a refusal with %q", d, c.want)
			}
			f.wantState(publication.StateSending)
		})
	}
}

func TestARecheckIsKept(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	if d := f.decide(publication.Decision{Kind: publication.DecisionRecheck}); !d.Taken {
		t.Errorf("got %+v", d)
	}
	f.wantState(publication.StateUnknown)
}

func TestDecideOnNothingIsNotFound(t *testing.T) {
	f := newFixture(t)
	_, err := f.Decide(context.Background(), op, publication.Decision{ID: "1"}, nil, "")
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestWhatDivergedMayBeKeptAsItStands(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	f.finish(1, publication.OutcomeAccepted)
	keep := publication.Decision{ID: "keep", Kind: publication.DecisionAdopt, Attempt: 1, Reference: "autora/ola"}
	if d := f.decide(keep); d.Taken {
		t.Error("an accepted operation was decided on without the divergence being accepted")
	}
	keep.ID, keep.AcceptDivergence = "keep-2", true
	if d := f.decide(keep); !d.Taken {
		t.Errorf("refused: %s", d.Refusal)
	}
	f.wantState(publication.StateAccepted)
}

// A probe asks; it decides nothing, and may be ordered again until somebody decides.
func TestAProbeIsKeptAndChangesNoState(t *testing.T) {
	f := newFixture(t)
	f.planned()
	probe := publication.Decision{Kind: publication.DecisionProbe, Attempt: 1}
	refused := func(id, want string) {
		t.Helper()
		probe.ID = id
		if d := f.decide(probe); d.Taken || !strings.Contains(d.Refusal, want) {
			t.Errorf("got %+v, want a refusal with %q", d, want)
		}
	}
	refused("too early", "no attempt 1")
	f.claim(1)
	refused("in flight", "is sending")
	f.finish(1, publication.OutcomeUnknown)
	for _, id := range []string{"first", "second"} {
		probe.ID = id
		if d := f.decide(probe); !d.Taken {
			t.Error(d.Refusal)
		}
		rec := f.wantState(publication.StateUnknown)
		last := f.journal()[len(f.journal())-1]
		if rec.Attempts[0].Outcome != publication.OutcomeUnknown || last.Event != EventDecided || last.To != "" || last.Attempt != 1 {
			t.Errorf("got %+v, %+v", rec.Attempts, last)
		}
	}
	probe.Attempt = 0
	refused("of nothing", "no attempt 0")
	probe.Attempt = 1
	if d := f.decide(publication.Decision{Kind: publication.DecisionAdopt, Attempt: 1}); !d.Taken {
		t.Error(d.Refusal)
	}
	refused("too late", "is accepted")
	f.wantState(publication.StateAccepted)
}

func TestOneContentBelongsToOnePublication(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	f.finish(1, publication.OutcomeAccepted)
	other := payload("outro")
	other.Slug = "outro"
	f.open(request("publish/autora/outro", other, "run-9", "ana"))
	req := claimRequest(1)
	req.Operation, req.Digest, req.Token = "publish/autora/outro", other.Digest(), "token-9"
	if result, err := f.Claim(context.Background(), req); err != nil || !result.Claimed {
		t.Fatalf("%+v, %v", result, err)
	}
	f.must(f.Finish(context.Background(), FinishRequest{Operation: req.Operation, Attempt: 1, Token: req.Token, Outcome: publication.OutcomeUnknown}))
	d, err := f.Decide(context.Background(), req.Operation, publication.Decision{ID: "a", Kind: publication.DecisionAdopt, By: "ana", Attempt: 1, Taken: true}, &identity, publication.VerificationDiverged)
	if err != nil || d.Taken || !strings.Contains(d.Refusal, "publish/autora/ola") {
		t.Errorf("%+v, %v", d, err)
	}
}
