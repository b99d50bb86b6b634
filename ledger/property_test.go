package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"postonce/publication"
)

// machine drives one operation with random calls, also senseless ones, and holds the promises after each.
type machine struct {
	fixture
	op      publication.OperationID
	tokens  map[int]string // of claims that succeeded
	ids     int
	claimed int
}

// TestAnySequenceOfCallsKeepsThePromises: never two attempts that may have created content, never more claims that may
// have left than authorizations, and a journal that is a legal path to the state.
func TestAnySequenceOfCallsKeepsThePromises(t *testing.T) {
	f := newFixture(t)
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		m := &machine{fixture: f, op: publication.PublishID("autora", fmt.Sprint("texto-", runs)), tokens: map[int]string{}}
		m.call(r, "open", func(ctx context.Context) error {
			_, err := f.OpenOperation(ctx, request(m.op, payload("a"), "run-0", ""))
			return err
		})
		r.Repeat(map[string]func(*rapid.T){
			"":            m.check,
			"open":        m.open,
			"decide":      m.decide,
			"claim":       m.claim,
			"claim next":  m.claimNext,
			"finish":      m.finish,
			"settle":      m.settle,
			"refuse":      m.refuse,
			"record":      m.record,
			"investigate": m.investigate,
		})
	})
}

// call allows the refusals that are part of the contract, and no other error.
func (m *machine) call(r *rapid.T, what string, f func(context.Context) error) {
	err := f(context.Background())
	if err != nil && !errors.Is(err, ErrConflict) && !errors.Is(err, ErrToken) && !errors.Is(err, ErrNotFound) {
		r.Fatalf("%s: %v", what, err)
	}
}

var bodies = rapid.SampledFrom([]string{"a", "a", "b"})

func (m *machine) open(r *rapid.T) {
	approver := rapid.SampledFrom([]string{"", "ana"}).Draw(r, "approver")
	run := fmt.Sprint("run-", rapid.IntRange(0, 4).Draw(r, "run"))
	req := request(m.op, payload(bodies.Draw(r, "body")), run, approver)
	m.call(r, "open", func(ctx context.Context) error {
		_, err := m.OpenOperation(ctx, req)
		return err
	})
}

func (m *machine) decide(r *rapid.T) {
	m.ids++
	kinds := append(publication.DecisionKinds(), "nonsense")
	d := publication.Decision{ID: fmt.Sprint(m.ids), By: "ana", Kind: rapid.SampledFrom(kinds).Draw(r, "kind"), Attempt: number.Draw(r, "attempt"),
		Digest: payload(bodies.Draw(r, "body")).Digest(), Taken: rapid.Bool().Draw(r, "taken"), Refusal: "because"}
	m.call(r, "decide", func(ctx context.Context) error {
		_, err := m.Decide(ctx, m.op, d, &identity, publication.VerificationMatched)
		return err
	})
}

var number = rapid.IntRange(1, 4)

func (m *machine) claim(r *rapid.T) {
	m.claimNumber(r, number.Draw(r, "attempt"), payload(bodies.Draw(r, "body")).Digest())
}

func (m *machine) claimNext(r *rapid.T) {
	rec, err := m.Load(context.Background(), m.op)
	m.must(err)
	m.claimNumber(r, len(rec.Attempts)+1, rec.Digest)
}

func (m *machine) claimNumber(r *rapid.T, attempt int, digest publication.Digest) {
	m.claimed++
	req := ClaimRequest{Operation: m.op, Attempt: attempt, Digest: digest, Lane: string(m.op), Token: fmt.Sprint("token ", m.claimed), RunID: "run-0", SendTimeout: time.Hour}
	m.call(r, "claim", func(ctx context.Context) error {
		result, err := m.Claim(ctx, req)
		if result.Claimed {
			m.tokens[attempt] = req.Token
		}
		return err
	})
}

func (m *machine) finish(r *rapid.T) {
	attempt := number.Draw(r, "attempt")
	req := FinishRequest{Operation: m.op, Attempt: attempt, Token: m.tokens[attempt], Evidence: &publication.Evidence{Summary: "seen"},
		Outcome: rapid.SampledFrom([]publication.Outcome{publication.OutcomeAccepted, publication.OutcomeUnknown, publication.OutcomeRejected, publication.OutcomeNotSent}).Draw(r, "outcome")}
	if req.Outcome == publication.OutcomeAccepted {
		req.Identity = &identity
	}
	if req.Token != "" {
		m.call(r, "finish", func(ctx context.Context) error { return m.Finish(ctx, req) })
	}
}

func (m *machine) settle(r *rapid.T) {
	req := SettleRequest{Operation: m.op, Attempt: number.Draw(r, "attempt"), Digest: payload("a").Digest()}
	switch rapid.SampledFrom([]string{"silence", "silence", "late", "testimony", "heartbeat"}).Draw(r, "knowledge") {
	case "late":
		_, err := m.pool.Exec(context.Background(), `update attempts set send_by = clock_timestamp() - interval '1 hour' where operation = $1`, m.op)
		m.must(err)
	case "testimony":
		req.NotSentToken = m.tokens[req.Attempt]
	case "heartbeat":
		req.Identity = &identity
	}
	m.call(r, "settle", func(ctx context.Context) error {
		_, err := m.Settle(ctx, req)
		return err
	})
}

func (m *machine) refuse(r *rapid.T) {
	m.call(r, "refuse", func(ctx context.Context) error {
		_, err := m.RefuseBeforeSend(ctx, m.op, "run-0", found)
		return err
	})
}

// record writes the present snapshot, which must change nothing that matters.
func (m *machine) record(r *rapid.T) {
	rec, err := m.Load(context.Background(), m.op)
	m.must(err)
	m.call(r, "record", func(ctx context.Context) error {
		return m.Record(ctx, RecordRequest{Account: "autora", Lane: "home", Payload: rec.Payload, Snapshot: rec.Snapshot()})
	})
	after, err := m.Load(context.Background(), m.op)
	m.must(err)
	if after.State != rec.State {
		r.Fatalf("recording its own snapshot made %s %s", rec.State, after.State)
	}
}

func (m *machine) investigate(r *rapid.T) {
	m.call(r, "investigate", func(ctx context.Context) error {
		return m.SaveInvestigation(ctx, m.op, number.Draw(r, "attempt"), publication.Investigation{Reading: publication.ReadingAbsent})
	})
}

func (m *machine) check(r *rapid.T) {
	rec, err := m.Load(context.Background(), m.op)
	m.must(err)
	entries, err := m.Journal(context.Background(), m.op)
	m.must(err)
	checkJournal(r, entries, rec.State)
	live, left, allowed := 0, 0, 0
	for _, a := range rec.Attempts {
		if a.Outcome.MayHaveCreated() {
			live++
		}
		if a.Outcome != publication.OutcomeNotSent && a.ClaimedAt != nil {
			left++
		}
	}
	for _, d := range rec.Decisions {
		if d.Taken && d.Kind.Authorizes() {
			allowed++
		}
	}
	if live > 1 || left > allowed {
		r.Fatalf("%d attempts may have created content, %d may have left with %d authorizations", live, left, allowed)
	}
	if live != liveIn[rec.State] {
		r.Fatalf("%s with %d attempts that may have created content", rec.State, live)
	}
}

// liveIn is the number of attempts that may have created content in each state.
var liveIn = map[publication.State]int{publication.StateProposed: 0, publication.StatePlanned: 0, publication.StateRejected: 0,
	publication.StateSending: 1, publication.StateUnknown: 1, publication.StateAccepted: 1, publication.StateAbandoned: 1}
