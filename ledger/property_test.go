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

// machine drives two operations of one reference with random calls, also senseless ones, and holds the promises after
// each.
type machine struct {
	fixture
	ops     [2]publication.OperationID // a publish, and a change of the same content
	op      publication.OperationID    // the one that the present call is about
	tokens  map[claimKey]string        // of claims that succeeded
	ids     int
	claimed int
}

type claimKey struct {
	op      publication.OperationID
	attempt int
}

// TestAnySequenceOfCallsKeepsThePromises: never two attempts that may have created content, never more claims that may
// have left than authorizations, never two operations of one reference in flight nor a claim while the other is unknown,
// and a journal that is a legal path to the state.
func TestAnySequenceOfCallsKeepsThePromises(t *testing.T) {
	f := newFixture(t)
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		slug := fmt.Sprint("texto-", runs)
		m := &machine{fixture: f, tokens: map[claimKey]string{}, ops: [2]publication.OperationID{publication.PublishID("autora", slug),
			rapid.SampledFrom([]publication.OperationID{publication.ReviseID("autora", slug, base.Version()), publication.RemoveID("autora", slug, 1)}).Draw(r, "change")}}
		for _, m.op = range m.ops {
			m.call(r, "open", func(ctx context.Context) error {
				_, err := f.OpenOperation(ctx, m.request("a", "run-0", ""))
				return err
			})
		}
		r.Repeat(map[string]func(*rapid.T){
			"":            m.check,
			"open":        m.of(m.open),
			"decide":      m.of(m.decide),
			"claim":       m.of(m.claim),
			"claim next":  m.of(m.claimNext),
			"finish":      m.of(m.finish),
			"settle":      m.of(m.settle),
			"refuse":      m.of(m.refuse),
			"record":      m.of(m.record),
			"investigate": m.of(m.investigate),
		})
	})
}

// of draws the operation that a call is about.
func (m *machine) of(action func(*rapid.T)) func(*rapid.T) {
	return func(r *rapid.T) {
		m.op = rapid.SampledFrom(m.ops[:]).Draw(r, "operation")
		action(r)
	}
}

func (m *machine) request(body, run, approver string) OpenRequest {
	if m.op.Kind() == publication.KindPublish {
		return request(m.op, payload(body), run, approver)
	}
	from := base
	from.Payload.Body = "base of " + body // what is removed differs by its base, what is revised by both
	return changeRequest(m.op, payload(body), from, run, approver)
}

// digest is that of the operation's content with this body.
func (m *machine) digest(body string) publication.Digest { return m.request(body, "", "").Digest }

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
	req := m.request(bodies.Draw(r, "body"), run, approver)
	m.call(r, "open", func(ctx context.Context) error {
		_, err := m.OpenOperation(ctx, req)
		return err
	})
}

func (m *machine) decide(r *rapid.T) {
	m.ids++
	kinds := append(publication.DecisionKinds(), "nonsense")
	d := publication.Decision{ID: fmt.Sprint(m.ids), By: "ana", Kind: rapid.SampledFrom(kinds).Draw(r, "kind"), Attempt: number.Draw(r, "attempt"),
		Digest: m.digest(bodies.Draw(r, "body")), Taken: rapid.Bool().Draw(r, "taken"), Refusal: "because"}
	m.call(r, "decide", func(ctx context.Context) error {
		_, err := m.Decide(ctx, m.op, d, &identity, publication.VerificationMatched)
		return err
	})
}

var number = rapid.IntRange(1, 4)

func (m *machine) claim(r *rapid.T) {
	m.claimNumber(r, number.Draw(r, "attempt"), m.digest(bodies.Draw(r, "body")))
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
			m.tokens[claimKey{m.op, attempt}] = req.Token
			m.checkOther(r)
		}
		return err
	})
}

// checkOther holds, after a claim, that nothing of the other operation may still have an effect.
func (m *machine) checkOther(r *rapid.T) {
	for _, other := range m.ops {
		if state := m.get(other).State; other != m.op && (state == publication.StateSending || state == publication.StateUnknown) {
			r.Fatalf("%s was claimed while %s is %s", m.op, other, state)
		}
	}
}

func (m *machine) finish(r *rapid.T) {
	attempt := number.Draw(r, "attempt")
	req := FinishRequest{Operation: m.op, Attempt: attempt, Token: m.tokens[claimKey{m.op, attempt}], Evidence: &publication.Evidence{Summary: "seen"},
		Outcome: rapid.SampledFrom([]publication.Outcome{publication.OutcomeAccepted, publication.OutcomeUnknown, publication.OutcomeRejected, publication.OutcomeNotSent}).Draw(r, "outcome")}
	if req.Outcome == publication.OutcomeAccepted {
		req.Identity = &identity
	}
	if req.Token != "" {
		m.call(r, "finish", func(ctx context.Context) error { return m.Finish(ctx, req) })
	}
}

func (m *machine) settle(r *rapid.T) {
	req := SettleRequest{Operation: m.op, Attempt: number.Draw(r, "attempt"), Digest: m.digest("a")}
	switch rapid.SampledFrom([]string{"silence", "silence", "late", "testimony", "heartbeat"}).Draw(r, "knowledge") {
	case "late":
		_, err := m.pool.Exec(context.Background(), `update attempts set send_by = clock_timestamp() - interval '1 hour' where operation = $1`, m.op)
		m.must(err)
	case "testimony":
		req.NotSentToken = m.tokens[claimKey{m.op, req.Attempt}]
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
		_, err := m.RefuseBeforeSend(ctx, m.op, "run-0", found, "")
		return err
	})
}

// record writes the present snapshot, which must change nothing that matters.
func (m *machine) record(r *rapid.T) {
	rec, err := m.Load(context.Background(), m.op)
	m.must(err)
	m.call(r, "record", func(ctx context.Context) error {
		return m.Record(ctx, RecordRequest{Account: "autora", Lane: "home", Payload: rec.Payload, Base: rec.Base, Snapshot: rec.Snapshot()})
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
	sending := 0
	for _, m.op = range m.ops {
		m.checkOne(r)
		if m.get(m.op).State == publication.StateSending {
			sending++
		}
	}
	if sending > 1 {
		r.Fatalf("%s and %s are sending", m.ops[0], m.ops[1])
	}
}

func (m *machine) checkOne(r *rapid.T) {
	rec, err := m.Load(context.Background(), m.op)
	m.must(err)
	entries := m.journalOf(m.op)
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
