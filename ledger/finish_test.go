package ledger

import (
	"context"
	"errors"
	"testing"

	"postonce/publication"
)

func TestTheStateFollowsTheOutcome(t *testing.T) {
	for outcome, want := range map[publication.Outcome]publication.State{
		publication.OutcomeAccepted: publication.StateAccepted,
		publication.OutcomeRejected: publication.StateRejected,
		publication.OutcomeUnknown:  publication.StateUnknown,
		publication.OutcomeNotSent:  publication.StatePlanned,
	} {
		t.Run(string(outcome), func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			f.claim(1)
			f.finish(1, outcome)
			a := f.wantState(want).Attempts[0]
			if a.Outcome != outcome || a.FinishedAt == nil || a.Evidence == nil || (a.Identity != nil) != (outcome == publication.OutcomeAccepted) {
				t.Errorf("got %+v", a)
			}
			f.changesNothing(func() error { return f.Finish(context.Background(), finishRequest(1, outcome)) })
		})
	}
}

func TestADraftNeedsNoReadingBack(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	req := finishRequest(1, publication.OutcomeAccepted)
	draft := identity
	draft.Status = publication.StatusDraft
	req.Identity = &draft
	f.must(f.Finish(context.Background(), req))
	if rec := f.load(); rec.Verification != publication.VerificationNotApplicable || rec.RemoteStatus != publication.StatusDraft {
		t.Errorf("got %s, %s", rec.Verification, rec.RemoteStatus)
	}
}

func TestFinishNeedsTheClaimsToken(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	req := finishRequest(1, publication.OutcomeAccepted)
	req.Token = "another worker's"
	if err := f.Finish(context.Background(), req); !errors.Is(err, ErrToken) {
		t.Errorf("got %v", err)
	}
	req.Attempt = 2
	if err := f.Finish(context.Background(), req); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	f.wantState(publication.StateSending)
}

func TestContradictionsAreRefused(t *testing.T) {
	outcomes := []publication.Outcome{publication.OutcomeAccepted, publication.OutcomeRejected, publication.OutcomeUnknown, publication.OutcomeNotSent}
	for _, first := range outcomes {
		for _, second := range outcomes {
			addsKnowledge := second == publication.OutcomeAccepted && first != publication.OutcomeRejected
			if first == second || addsKnowledge {
				continue
			}
			t.Run(string(first)+" then "+string(second), func(t *testing.T) {
				f := newFixture(t)
				f.planned()
				f.claim(1)
				f.finish(1, first)
				f.changesNothing(func() error {
					if err := f.Finish(context.Background(), finishRequest(1, second)); !errors.Is(err, ErrConflict) {
						t.Errorf("got %v", err)
					}
					return nil
				})
			})
		}
	}
}

// An acceptance that comes late is kept whatever was thought of the attempt in between.
func TestALateAcceptanceIsNotLost(t *testing.T) {
	late := finishRequest(1, publication.OutcomeAccepted)
	for name, c := range map[string]struct {
		between func(fixture)
		want    publication.State
		err     error
	}{
		"settled as unknown":     {func(f fixture) {}, publication.StateAccepted, nil},
		"decided as not created": {func(f fixture) { f.notCreated(1) }, publication.StateAccepted, nil},
		"abandoned": {func(f fixture) {
			f.decide(publication.Decision{Kind: publication.DecisionAbandon, Attempt: 1})
		}, publication.StateAbandoned, nil},
		"a second attempt is out": {func(f fixture) { f.notCreated(1); f.claim(2) }, publication.StateSending, ErrConflict},
		"a second one accepted": {func(f fixture) {
			f.notCreated(1)
			f.claim(2)
			f.finish(2, publication.OutcomeAccepted)
		}, publication.StateAccepted, ErrConflict},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			f.claim(1)
			f.finish(1, publication.OutcomeUnknown)
			c.between(f)
			finish := func() error {
				if err := f.Finish(context.Background(), late); !errors.Is(err, c.err) {
					t.Errorf("got %v, want %v", err, c.err)
				}
				return nil
			}
			f.must(finish())
			f.wantState(c.want)
			if n := f.count(`select count(*) from journal where detail->'identity'->>'id' = $1 and attempt = 1`, identity.ID); n == 0 {
				t.Error("the identity is nowhere in the journal")
			}
			f.changesNothing(finish)
		})
	}
}

// After a late acceptance the decision that nothing was created opens no attempt any more.
func TestALateAcceptanceTakesTheNewAttemptBack(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	f.finish(1, publication.OutcomeUnknown)
	f.notCreated(1)
	f.finish(1, publication.OutcomeAccepted)
	if result, err := f.Claim(context.Background(), claimRequest(2)); err != nil || result.Claimed || result.Refusal == "" {
		t.Errorf("got %+v, %v", result, err)
	}
	if n := f.count(`select count(*) from decisions where kind = 'not_created' and voided <> ''`); n != 1 {
		t.Error("the wrong decision still counts")
	}
}

func TestLateEvidenceIsKept(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	silent := finishRequest(1, publication.OutcomeUnknown)
	silent.Evidence = nil
	f.must(f.Finish(context.Background(), silent))
	if err := f.Finish(context.Background(), finishRequest(1, publication.OutcomeRejected)); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v", err)
	}
	if a := f.wantState(publication.StateUnknown).Attempts[0]; a.Evidence == nil || a.Evidence.Summary != "seen: rejected" {
		t.Errorf("got %+v", a.Evidence)
	}
}

// What a broken server answers is kept as it came, NUL included.
func TestEvidenceMayHoldNUL(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.claim(1)
	req := finishRequest(1, publication.OutcomeUnknown)
	req.Evidence.Body = "a\x00b<c>"
	f.must(f.Finish(context.Background(), req))
	if got := f.load().Attempts[0].Evidence.Body; got != "a\x00b<c>" {
		t.Errorf("got %q", got)
	}
}
