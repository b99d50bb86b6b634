package workflows

import (
	"context"
	"strings"
	"testing"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"

	"postonce/activities/api"
	"postonce/publication"
)

func raw(text string) converter.RawValue {
	return converter.NewRawValue(&commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(text)})
}

// T28: whatever arrives is recorded with its reason, the publication stays parked, and a right decision works.
func TestMalformedDecisionsAreAnsweredAndPoisonNothing(t *testing.T) {
	good := `{"by":"ana","attempt":1,"decision":"adopt","reference":"autora/ola","reason":"seen"}`
	bad := map[string]string{
		`"adopt"`:      "JSON object",
		`{"by":`:       "JSON object",
		``:             "empty",
		`[1,2]`:        "JSON object",
		"\x00\xff\xfe": "JSON object",
		`{"attempt":1,"decision":"adopt","reference":"autora/ola","reason":"x"}`:  "by:",
		`{"by":"ana","decision":"adopt","reference":"autora/ola","reason":"x"}`:   "attempt:",
		`{"by":"ana","attempt":1,"decision":"send_again","reason":"x"}`:           "decision:",
		`{"by":"ana","attempt":1,"decision":"adopt","reason":"x"}`:                "reference:",
		`{"by":"ana","attempt":1,"decision":"abandon"}`:                           "reason:",
		`{"by":"ana","attempt":"1","decision":"abandon","reason":"x"}`:            "JSON object",
		`{"by":"ana","attempt":2,"decision":"abandon","reason":"x"}`:              "names attempt 2",
		`{"by":"ana","attempt":1,"decision":"abandon","reason":"x","force":true}`: "force",
	}
	for text, want := range bad {
		t.Run(text, func(t *testing.T) {
			w := newWorld(t)
			w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
			w.public = true
			w.at(time.Minute, func() { w.signal(SignalResolve, raw(text)) })
			w.at(2*time.Minute, func() {
				s := w.status()
				w.wantState(s, publication.StateUnknown)
				if !s.Parked || len(s.Decisions) != 2 || s.Decisions[1].Taken || !strings.Contains(s.Decisions[1].Refusal, want) {
					t.Errorf("parked %v, decisions %+v, want a refusal with %q", s.Parked, s.Decisions, want)
				}
				w.signal(SignalResolve, raw(good))
			})
			w.start("ana")
			w.wantState(w.result(), publication.StateAccepted)
			w.wantSends(1)
		})
	}
}

func TestTheFirstOfTwoContradictingDecisionsCounts(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.public = true
	w.at(time.Minute, func() {
		w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1))
		w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
	})
	w.start("ana")
	s := w.result()
	w.wantState(s, publication.StateAccepted)
	last := s.Decisions[len(s.Decisions)-1]
	if last.Kind != publication.DecisionAbandon || last.Taken || last.Refusal == "" {
		t.Errorf("the second decision was not answered: %+v", s.Decisions)
	}
}

func TestADecisionThatComesTooEarlyIsRefused(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.send = func(context.Context, int) (api.SendOutput, error) {
		w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1))
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.start("ana")
	s := w.result()
	w.wantSends(1)
	if d := s.Decisions[len(s.Decisions)-1]; d.Kind != publication.DecisionNotCreated || d.Taken {
		t.Errorf("decisions %+v", s.Decisions)
	}
}

func TestApprovalNeedsTheDigest(t *testing.T) {
	w := newWorld(t)
	w.public = true
	other := publication.Payload{Title: "x", Slug: "ola", Body: "y", Status: "published"}.Digest()
	w.at(time.Minute, func() {
		s := w.status()
		w.wantState(s, publication.StateProposed)
		w.wantSends(0)
		w.signal(SignalApprove, ApproveInput{By: "bea", Digest: other})
	})
	w.at(2*time.Minute, func() {
		w.wantState(w.status(), publication.StateProposed)
		w.signal(SignalApprove, ApproveInput{By: "bea", Digest: payload.Digest()})
	})
	w.start("")
	s := w.result()
	w.wantSends(1)
	w.wantState(s, publication.StateAccepted)
	if len(s.Decisions) != 2 || s.Decisions[0].Taken || !s.Decisions[1].Taken {
		t.Errorf("decisions %+v", s.Decisions)
	}
}

// The sender's ID names one decision: sent again it is answered already, and another content under it is another one.
func TestAnIDNamesOneDecision(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.public = true
	in := w.resolve(publication.DecisionAdopt, 1)
	in.ID = "click"
	other := in
	other.Decision, other.Reason = publication.DecisionAbandon, "changed my mind"
	w.at(time.Minute, func() { w.signal(SignalResolve, in); w.signal(SignalResolve, in); w.signal(SignalResolve, other) })
	w.start("ana")
	s := w.result()
	if n := len(s.Decisions); n != 3 || !s.Decisions[1].Taken || s.Decisions[2].Taken || s.Decisions[1].ID == s.Decisions[2].ID {
		t.Errorf("decisions %+v", s.Decisions)
	}
}

func TestADecisionSurvivesTheLedgersAbsence(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeUnknown), nil }
	w.public = true
	w.at(time.Minute, func() {
		w.ledgerAway = 10
		w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1))
	})
	w.start("ana")
	w.wantState(w.result(), publication.StateAccepted)
	w.wantSends(1)
}

// A reset applies the signals after it again, all in one task, and those of several names not in the order in which they
// came: what was refused then was answered, and is not recorded once more.
func TestRefusedSignalsThatAResetAppliesAgainAreNotRecordedAgain(t *testing.T) {
	send := map[string]func(*world){
		"recheck": func(w *world) { w.signal(SignalRecheck, RecheckInput{By: "NAME"}) },
		"approve": func(w *world) { w.signal(SignalApprove, ApproveInput{By: "ana", Digest: "sha256:1"}) },
		"cancel":  func(w *world) { w.signal(SignalCancel, CancelInput{By: "NAME"}) },
	}
	run := func(known []publication.Decision, order ...string) *world {
		w := newWorld(t)
		if known != nil {
			w.opened = &api.Opened{Payload: payload, Snapshot: publication.Snapshot{State: publication.StateProposed, Digest: payload.Digest(), Decisions: known}}
		}
		for i, name := range order {
			w.at(time.Duration(i+1)*time.Minute, func() { send[name](w) })
		}
		w.at(time.Hour, func() { w.signal(SignalCancel, CancelInput{By: "ana", ID: "the end"}) })
		w.start("")
		return w
	}
	first := run(nil, "recheck", "approve", "cancel").decided[:3]
	for _, d := range first {
		if d.Taken || d.Refusal == "" {
			t.Fatalf("not refused: %+v", d)
		}
	}
	if again := run(first, "approve", "cancel", "recheck").decided; len(again) != 1 || again[0].ID != "the end" {
		t.Errorf("recorded again: %+v", again)
	}
}
