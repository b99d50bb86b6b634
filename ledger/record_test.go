package ledger

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"postonce/publication"
)

func recordRequest(s publication.Snapshot) RecordRequest {
	return RecordRequest{Account: "autora", Lane: "home", Payload: payload("texto"), Snapshot: s}
}

func (f fixture) record(s publication.Snapshot) error {
	return f.Record(context.Background(), recordRequest(s))
}

// stories leads an operation into each state.
var stories = map[string]func(f fixture){
	"proposed":  func(f fixture) { f.open(request(op, payload("texto"), "run-1", "")) },
	"planned":   func(f fixture) { f.planned() },
	"unsent":    func(f fixture) { f.planned(); f.claim(1); f.finish(1, publication.OutcomeNotSent) },
	"tombstone": func(f fixture) { f.planned(); f.settle(settleRequest(1)) },
	"sending":   func(f fixture) { f.planned(); f.claim(1) },
	"unknown":   func(f fixture) { f.unknown() },
	"rejected":  func(f fixture) { f.planned(); f.claim(1); f.finish(1, publication.OutcomeRejected) },
	"taken":     func(f fixture) { f.planned(); f.must(f.refuse()) },
	"accepted":  func(f fixture) { f.planned(); f.claim(1); f.finish(1, publication.OutcomeAccepted) },
	"reopened":  func(f fixture) { f.unknown(); f.notCreated(1) },
	"doubted":   func(f fixture) { f.unknown(); f.notCreated(1); f.must(f.refuse()) },
	"adopted": func(f fixture) {
		f.unknown()
		f.decide(publication.Decision{Kind: publication.DecisionAdopt, Attempt: 1})
	},
	"abandoned": func(f fixture) {
		f.unknown()
		f.decide(publication.Decision{Kind: publication.DecisionAbandon, Attempt: 1})
	},
	"second accepted": func(f fixture) {
		f.unknown()
		f.notCreated(1)
		f.claim(2)
		f.finish(2, publication.OutcomeAccepted)
	},
	"second unknown": func(f fixture) {
		f.unknown()
		f.notCreated(1)
		f.claim(2)
		f.finish(2, publication.OutcomeUnknown)
	},
}

// A ledger that lost everything is rebuilt from a snapshot. What was in flight comes back as unknown; what was used up
// stays used up.
func TestAnEmptyLedgerIsRebuilt(t *testing.T) {
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			story(f)
			original := f.load()
			empty := newFixture(t)
			empty.must(empty.record(original.Snapshot()))
			want := original.State
			if want == publication.StateSending {
				want = publication.StateUnknown
			}
			got := empty.wantState(want)
			if original.State != publication.StateSending {
				ignored := cmpopts.IgnoreFields(publication.Snapshot{}, "LocalRecord")
				if diff := cmp.Diff(original.Snapshot(), got.Snapshot(), ignored); diff != "" {
					t.Errorf("the rebuilt one differs:\n%s", diff)
				}
			}
			empty.changesNothing(func() error { return empty.record(original.Snapshot()) })
			sameClaim(t, f, empty, len(original.Attempts)+1)
		})
	}
}

// sameClaim claims the next attempt in both ledgers: what may be sent in one may be sent in the other, once.
func sameClaim(t *testing.T, a, b fixture, attempt int) {
	t.Helper()
	for range 2 {
		first, err := a.Claim(context.Background(), claimRequest(attempt))
		a.must(err)
		second, err := b.Claim(context.Background(), claimRequest(attempt))
		b.must(err)
		if first.Claimed != second.Claimed {
			t.Errorf("claimed: %v in the original, %v in the rebuilt ledger (%s)", first.Claimed, second.Claimed, second.Refusal)
		}
	}
}

// No snapshot, however old, changes what the ledger knows of an operation into something that could be sent again.
func TestAnOlderSnapshotUndoesNothing(t *testing.T) {
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			old := newFixture(t)
			story(old)
			snapshot := old.load().Snapshot()
			for _, known := range []string{"accepted", "unknown", "abandoned", "sending", "second unknown", "second accepted", "doubted"} {
				f := newFixture(t)
				stories[known](f)
				before := f.load()
				err := f.record(snapshot)
				if err != nil && !errors.Is(err, ErrConflict) {
					t.Errorf("%s over %s: %v", name, known, err)
				}
				after := f.load()
				opens := name == "reopened" && (known == "unknown" || known == "sending") // it brings the decision for it
				if after.State != before.State && !learns[[2]publication.State{before.State, after.State}] && !opens {
					t.Errorf("%s over %s made it %s", name, known, after.State)
				}
				checkJournal(t, f.journal(), after.State)
			}
		})
	}
}

// learns holds the changes that only add knowledge and never allow a send.
var learns = map[[2]publication.State]bool{
	{publication.StateSending, publication.StateUnknown}:   true,
	{publication.StateSending, publication.StateRejected}:  true,
	{publication.StateSending, publication.StateAbandoned}: true,
	{publication.StateSending, publication.StateAccepted}:  true,
	{publication.StateUnknown, publication.StateAbandoned}: true,
	{publication.StateUnknown, publication.StateAccepted}:  true,
}

func TestRecordAfterAnAcceptance(t *testing.T) {
	f := newFixture(t)
	stories["accepted"](f)
	s := f.load().Snapshot()
	s.Verification = publication.VerificationMatched
	f.must(f.record(s))
	rec := f.wantState(publication.StateAccepted)
	if rec.LocalRecord != publication.LocalRecorded || rec.Verification != publication.VerificationMatched {
		t.Errorf("got %s, %s", rec.LocalRecord, rec.Verification)
	}
	f.changesNothing(func() error { return f.record(s) })

	s.RemoteStatus, s.Verification = publication.StatusFirewall, publication.VerificationUnreadable
	f.must(f.record(s))
	if rec := f.load(); rec.RemoteStatus != publication.StatusFirewall || *rec.Identity != identity {
		t.Errorf("got %+v", rec)
	}
	if last := f.journal()[len(f.journal())-1]; last.Event != EventReadBack {
		t.Errorf("the journal ends with %+v", last)
	}
	f.changesNothing(func() error { return f.record(s) })
}

// An older copy of the database was restored; the workflow knows more.
func TestARestoredLedgerLearns(t *testing.T) {
	for _, known := range []string{"proposed", "planned", "unsent", "sending", "unknown", "taken"} {
		t.Run(known, func(t *testing.T) {
			truth := newFixture(t)
			stories["second accepted"](truth)
			f := newFixture(t)
			stories[known](f)
			f.must(f.record(truth.load().Snapshot()))
			if rec := f.wantState(publication.StateAccepted); *rec.Identity != identity {
				t.Errorf("got %+v", rec.Identity)
			}
			f.changesNothing(func() error { return f.record(truth.load().Snapshot()) })
		})
	}
}

func TestTwoAcceptancesAreAConflict(t *testing.T) {
	f := newFixture(t)
	stories["accepted"](f)
	s := f.load().Snapshot()
	other := identity
	other.ID = "00000000-0000-4000-8000-000000000000"
	s.Identity, s.Attempts[0].Identity = &other, &other
	if err := f.record(s); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v", err)
	}
	if rec := f.wantState(publication.StateAccepted); *rec.Identity != identity {
		t.Errorf("the identity became %+v", rec.Identity)
	}
}

func TestAnUnknownWithoutAttemptsCanBeDecided(t *testing.T) {
	f := newFixture(t)
	s := publication.Snapshot{Operation: op, State: publication.StateUnknown, Digest: payload("texto").Digest()}
	f.must(f.record(s))
	f.wantState(publication.StateUnknown)
	f.changesNothing(func() error { return f.record(s) })
	f.notCreated(1)
	f.must(f.record(s))
	f.wantState(publication.StatePlanned)
}

func TestAnotherPayloadIsNeverTakenForTheOneThatWasSent(t *testing.T) {
	f := newFixture(t)
	stories["accepted"](f)
	req := recordRequest(f.load().Snapshot())
	req.Payload = payload("outro")
	empty := newFixture(t)
	if err := empty.Record(context.Background(), req); !errors.Is(err, ErrConflict) {
		t.Errorf("an empty ledger gave %v", err)
	}
	f.must(f.Record(context.Background(), req))
	if rec := f.wantState(publication.StateAccepted); rec.Payload != payload("texto") {
		t.Errorf("the payload became %+v", rec.Payload)
	}
}

func TestAcceptedWithoutIdentityIsNotRecorded(t *testing.T) {
	f := newFixture(t)
	if err := f.record(publication.Snapshot{Operation: op, State: publication.StateAccepted, Digest: payload("texto").Digest()}); err == nil {
		t.Error("it was recorded")
	}
}

func TestListGivesTheNewestFirst(t *testing.T) {
	f := newFixture(t)
	f.planned()
	other := publication.PublishID("autora", "outro")
	f.open(request(other, payload("texto"), "run-1", ""))
	f.claim(1)
	for _, c := range []struct {
		filter Filter
		want   []publication.OperationID
	}{
		{Filter{}, []publication.OperationID{op, other}},
		{Filter{Limit: 1}, []publication.OperationID{op}},
		{Filter{State: publication.StateProposed}, []publication.OperationID{other}},
		{Filter{Account: "leitor"}, nil},
	} {
		records, err := f.List(context.Background(), c.filter)
		f.must(err)
		var got []publication.OperationID
		for _, r := range records {
			got = append(got, r.Operation)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v: %s", c.filter, diff)
		}
	}
	if _, err := f.Load(context.Background(), "publish/autora/nada"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
}
