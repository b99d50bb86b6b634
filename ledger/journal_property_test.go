package ledger

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"postonce/publication"
)

// historian drives one operation with random faults and decisions, and hands in records that it wrote down at any time
// before, as a repair does that comes late.
type historian struct {
	*machine
	kept []RecordRequest
}

// TestTheJournalOfEveryRunIsALegalPath: a thousand runs of the state machine under random faults and decisions. Each
// journal is a path of allowed transitions that ends at the state, tells of every claim and every decision once, and of
// every request that may have left once, after its claim. It asks at the end of each run alone, which makes so many
// possible; TestAnySequenceOfCallsKeepsThePromises asks after every step.
func TestTheJournalOfEveryRunIsALegalPath(t *testing.T) {
	f := newFixture(t)
	var runs atomic.Int64
	t.Run("runs", func(t *testing.T) {
		for part := range 10 { // rapid makes 100 of each by default
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(r *rapid.T) { f.oneRun(r, fmt.Sprint("texto-", runs.Add(1))) })
			})
		}
	})
	if !t.Failed() && runs.Load() < 1000 {
		t.Errorf("only %d runs", runs.Load())
	}
}

func (f fixture) oneRun(r *rapid.T, slug string) {
	op := rapid.SampledFrom([]publication.OperationID{publication.PublishID("autora", slug),
		publication.ReviseID("autora", slug, base.Version()), publication.RemoveID("autora", slug, 1)}).Draw(r, "operation")
	h := &historian{machine: &machine{fixture: f, op: op, ops: [2]publication.OperationID{op, op}, tokens: map[claimKey]string{}}}
	h.open(r)
	r.Repeat(map[string]func(*rapid.T){
		"open": h.open, "decide": h.decide, "claim next": h.claimNext, "finish any": h.answerAny, "settle": h.settle, "refuse": h.refuse,
		"record": h.record, "investigate": h.investigate, "keep": h.keep, "repair": h.repair,
		// Twice and with sense, so that the runs go far: random calls alone seldom meet the attempt and the state that they fit.
		"claim": h.claimNext, "finish": h.answerLast, "finish too": h.answerLast, "resolve": h.decideNext, "resolve too": h.decideNext,
	})
	h.checkHistory(r)
}

func (h *historian) answerAny(r *rapid.T) { h.answer(r, number.Draw(r, "attempt")) }

func (h *historian) answerLast(r *rapid.T) { h.answer(r, len(h.get(h.op).Attempts)) }

// decideNext is a person who looked at the state before.
func (h *historian) decideNext(r *rapid.T) {
	rec := h.get(h.op)
	h.ids++
	d := publication.Decision{ID: fmt.Sprint(h.ids), By: "ana", Kind: publication.DecisionApprove, Digest: rec.Digest, Attempt: len(rec.Attempts), Taken: true}
	if rec.State == publication.StateUnknown {
		d.Kind = rapid.SampledFrom([]publication.DecisionKind{publication.DecisionNotCreated, publication.DecisionNotCreated, publication.DecisionAdopt, publication.DecisionAbandon}).Draw(r, "kind")
	}
	h.call(r, "decide", func(ctx context.Context) error {
		_, err := h.Decide(ctx, h.op, d, &identity, publication.VerificationMatched)
		return err
	})
}

// answer ends an attempt with any outcome and any evidence.
func (h *historian) answer(r *rapid.T, attempt int) {
	req := FinishRequest{Operation: h.op, Attempt: attempt, Token: h.tokens[claimKey{h.op, attempt}],
		Outcome: rapid.SampledFrom([]publication.Outcome{publication.OutcomeAccepted, publication.OutcomeUnknown, publication.OutcomeRejected, publication.OutcomeNotSent}).Draw(r, "outcome")}
	switch req.Outcome {
	case publication.OutcomeAccepted:
		req.Identity = &identity
	case publication.OutcomeUnknown:
		req.Evidence = rapid.SampledFrom([]*publication.Evidence{{Summary: "silence"}, {Summary: "refused", ProvenUnsent: true}, {Summary: "cut", RequestBytes: 300}}).Draw(r, "evidence")
	}
	if req.Token != "" {
		h.call(r, "finish", func(ctx context.Context) error { return h.Finish(ctx, req) })
	}
}

// keep writes down what a workflow would know now.
func (h *historian) keep(*rapid.T) {
	rec := h.get(h.op)
	h.kept = append(h.kept, RecordRequest{Account: "autora", Lane: "home", Payload: rec.Payload, Base: rec.Base, Snapshot: rec.Snapshot(), Repair: true})
}

// repair hands in what was written down, however old it is.
func (h *historian) repair(r *rapid.T) {
	if len(h.kept) == 0 {
		return
	}
	req := rapid.SampledFrom(h.kept).Draw(r, "kept")
	h.call(r, "repair", func(ctx context.Context) error { return h.Record(ctx, req) })
}

func (h *historian) checkHistory(r *rapid.T) {
	rec := h.get(h.op)
	entries := h.journalOf(h.op)
	checkJournal(r, entries, rec.State)
	told := tellings(r, entries)
	for _, a := range rec.Attempts {
		if claims := told.claims[a.Number]; claims > 1 || (claims == 1) != (a.ClaimedAt != nil) {
			r.Errorf("attempt %d (claimed at %v) is told as claimed %d times", a.Number, a.ClaimedAt, claims)
		}
		// An identity that contradicts what else is known leaves the attempt as it was, and tells of a send all the same.
		left := mayHaveLeft(lastKnown(a), a.Evidence) || told.identities[a.Number]
		if sends := told.sends[a.Number]; sends > 1 || (sends == 1) != left {
			r.Errorf("attempt %d (%s, %+v) is told as sent %d times", a.Number, a.Outcome, a.Evidence, sends)
		}
	}
	for _, d := range rec.Decisions {
		if told.decisions[d.ID] != 1 {
			r.Errorf("decision %+v is told %d times", d, told.decisions[d.ID])
		}
	}
}

// lastKnown is the outcome as it was seen, before a person decided about it: a decision sends nothing.
func lastKnown(a publication.Attempt) publication.Outcome {
	proven := a.Evidence != nil && a.Evidence.ProvenUnsent
	if a.Outcome == publication.OutcomeNotCreated || a.Outcome == publication.OutcomeAccepted && proven {
		return publication.OutcomeUnknown
	}
	return a.Outcome
}

type tally struct {
	claims, sends map[int]int
	identities    map[int]bool
	decisions     map[string]int
}

// tellings counts what a journal tells. No claim comes after its send; a send without any claim was told by a heartbeat
// to a ledger that had given the number up.
func tellings(r *rapid.T, entries []Entry) tally {
	t := tally{map[int]int{}, map[int]int{}, map[int]bool{}, map[string]int{}}
	for _, e := range entries {
		if e.Detail["identity"] != nil {
			t.identities[e.Attempt] = true
		}
		switch e.Event {
		case EventClaimed:
			if t.claims[e.Attempt]++; t.sends[e.Attempt] > 0 {
				r.Errorf("attempt %d is told as claimed after it was sent", e.Attempt)
			}
		case EventSent:
			t.sends[e.Attempt]++
		case EventApproved, EventDecided, EventRefused:
			if d, ok := e.Detail["decision"].(map[string]any); ok {
				t.decisions[fmt.Sprint(d["id"])]++
			}
		}
	}
	return t
}
