package activities

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
)

var (
	payload  = publication.Payload{Title: "Olá", Slug: "ola", Body: "Um texto.", Status: publication.StatusPublished}
	identity = publication.Identity{ID: "0b6f0d3c-8b0a-4a7e-9d55-3f1f6b1f0001", OwnerUsername: "autora", Slug: "ola", Status: publication.StatusPublished}
	accepted = tabnews.Verdict{Outcome: publication.OutcomeAccepted, Identity: &identity, Evidence: publication.Evidence{Summary: "201"}}
)

// stub is a ledger and a TabNews whose answers a test scripts, and which notes the order of what is asked of them.
type stub struct {
	Ledger
	TabNews
	claims  []func() (ledger.ClaimResult, error) // one after another; the last one stays
	verdict tabnews.Verdict
	finish  error
	order   []string
	token   string
}

func (s *stub) Claim(_ context.Context, req ledger.ClaimRequest) (ledger.ClaimResult, error) {
	s.order, s.token = append(s.order, "claim"), req.Token
	next := s.claims[0]
	if len(s.claims) > 1 {
		s.claims = s.claims[1:]
	}
	return next()
}

func (s *stub) Create(context.Context, publication.Payload, time.Time) tabnews.Verdict {
	s.order = append(s.order, "create")
	return s.verdict
}

func (s *stub) Finish(_ context.Context, req ledger.FinishRequest) error {
	s.order = append(s.order, "finish "+string(req.Outcome))
	if req.Token != s.token {
		return errors.New("another token")
	}
	return s.finish
}

func claimed() (ledger.ClaimResult, error) {
	return ledger.ClaimResult{Claimed: true, SendBy: time.Now().Add(time.Minute)}, nil
}

func input() api.SendInput {
	return api.SendInput{Operation: "publish/autora/ola", Attempt: 1, Payload: payload, Digest: payload.Digest(), SendTimeout: time.Minute, Delivery: time.Minute, RunID: "run"}
}

// send runs the activity in Temporal's test environment and gives what it heartbeated.
func (s *stub) send(t *testing.T, in api.SendInput, change func(*Activities)) (api.SendOutput, *publication.Identity) {
	t.Helper()
	a := &Activities{TabNews: s, Ledger: s, Account: "autora", Lane: "default", Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(a)
	}
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivityWithOptions(a.Send, activity.RegisterOptions{Name: api.Send})
	var beat *publication.Identity
	env.SetOnActivityHeartbeatListener(func(_ *activity.Info, details converter.EncodedValues) {
		s.order = append(s.order, "heartbeat")
		_ = details.Get(&beat)
	})
	value, err := env.ExecuteActivity(api.Send, in)
	if err != nil {
		t.Fatalf("Send failed: %v", err)
	}
	var out api.SendOutput
	if err := value.Get(&out); err != nil {
		t.Fatal(err)
	}
	return out, beat
}

func (s *stub) wantOrder(t *testing.T, want ...string) {
	t.Helper()
	if len(s.order) != len(want) {
		t.Fatalf("order %q, want %q", s.order, want)
	}
	for i := range want {
		if s.order[i] != want[i] {
			t.Fatalf("order %q, want %q", s.order, want)
		}
	}
}

func TestSendClaimsSendsOnceAndKeepsTheIdentity(t *testing.T) {
	s := &stub{claims: []func() (ledger.ClaimResult, error){claimed}, verdict: accepted}
	out, beat := s.send(t, input(), nil)
	if out.Attempt.Outcome != publication.OutcomeAccepted || *out.Attempt.Identity != identity || !out.Recorded {
		t.Errorf("got %+v", out)
	}
	if beat == nil || *beat != identity {
		t.Errorf("heartbeat %+v", beat)
	}
	for i, step := range []string{"claim", "create"} {
		if s.order[i] != step {
			t.Errorf("order %q", s.order)
		}
	}
}

func TestNothingIsSentWithoutAClaim(t *testing.T) {
	for name, claim := range map[string]func() (ledger.ClaimResult, error){
		"existing": func() (ledger.ClaimResult, error) {
			return ledger.ClaimResult{Existing: &publication.Attempt{Number: 1, Outcome: publication.OutcomeUnknown}}, nil
		},
		"refused": func() (ledger.ClaimResult, error) {
			return ledger.ClaimResult{Refusal: "the operation is unknown"}, nil
		},
		"far": func() (ledger.ClaimResult, error) {
			return ledger.ClaimResult{NotBefore: time.Minute, Turn: time.Hour}, nil
		},
		"away":      func() (ledger.ClaimResult, error) { return ledger.ClaimResult{}, errors.New("connection refused") },
		"uncertain": func() (ledger.ClaimResult, error) { return ledger.ClaimResult{}, &ledger.ClaimUncertainError{} },
	} {
		t.Run(name, func(t *testing.T) {
			s := &stub{claims: []func() (ledger.ClaimResult, error){claim}, verdict: accepted}
			out, _ := s.send(t, input(), nil)
			s.wantOrder(t, "claim")
			if out.Attempt.Outcome.MayHaveCreated() {
				t.Errorf("got %+v", out)
			}
			if name == "uncertain" && (out.Token != s.token || out.Token == "") {
				t.Error("without its token the testimony is worth nothing")
			}
		})
	}
}

func TestATurnThatIsNearIsWaitedFor(t *testing.T) {
	soon := func() (ledger.ClaimResult, error) {
		return ledger.ClaimResult{NotBefore: 10 * time.Millisecond, Turn: 10 * time.Millisecond}, nil
	}
	s := &stub{claims: []func() (ledger.ClaimResult, error){soon, claimed}, verdict: accepted}
	out, _ := s.send(t, input(), nil)
	if out.Attempt.Outcome != publication.OutcomeAccepted {
		t.Errorf("got %+v", out)
	}
}

func TestNothingIsSentThatWasNotApprovedOrIsTooLate(t *testing.T) {
	altered, late := input(), input()
	altered.Payload.Body = "Outro texto."
	late.SendTimeout = time.Nanosecond
	hurried := input()
	hurried.Delivery = 24 * time.Hour // more than the activity has left
	for name, in := range map[string]api.SendInput{"altered": altered, "late": late, "hurried": hurried} {
		t.Run(name, func(t *testing.T) {
			s := &stub{claims: []func() (ledger.ClaimResult, error){claimed}, verdict: accepted}
			out, _ := s.send(t, in, nil)
			if out.Attempt.Outcome != publication.OutcomeNotSent || out.Problem == "" {
				t.Errorf("got %+v", out)
			}
			for _, step := range s.order {
				if step == "create" {
					t.Errorf("order %q", s.order)
				}
			}
		})
	}
}

func TestALostLedgerHidesNoIdentity(t *testing.T) {
	s := &stub{claims: []func() (ledger.ClaimResult, error){claimed}, verdict: accepted, finish: errors.New("PostgreSQL is away")}
	out, _ := s.send(t, input(), nil)
	if out.Attempt.Identity == nil || out.Recorded {
		t.Errorf("got %+v", out)
	}
}

func TestATransportErrorParksUnlessTheWorkerMaySendAgain(t *testing.T) {
	unsent := tabnews.Verdict{Outcome: publication.OutcomeNotSent, Evidence: publication.Evidence{Summary: "connection refused"}}
	for resend, want := range map[bool]publication.Outcome{false: publication.OutcomeUnknown, true: publication.OutcomeNotSent} {
		s := &stub{claims: []func() (ledger.ClaimResult, error){claimed}, verdict: unsent}
		out, _ := s.send(t, input(), func(a *Activities) { a.ResendUnsent = resend })
		if out.Attempt.Outcome != want || (!resend && !out.Attempt.Evidence.ProvenUnsent) {
			t.Errorf("resend %v: got %+v, %+v", resend, out.Attempt, out.Attempt.Evidence)
		}
	}
}

func TestSlugTakenAfterADoubtIsUnknown(t *testing.T) {
	taken := tabnews.Verdict{Outcome: publication.OutcomeRejected, Evidence: publication.Evidence{
		APIError: &publication.APIError{StatusCode: 400, ErrorLocationCode: "MODEL:CONTENT:CHECK_FOR_CONTENT_UNIQUENESS:ALREADY_EXISTS"},
	}}
	for doubt, want := range map[bool]publication.Outcome{false: publication.OutcomeRejected, true: publication.OutcomeUnknown} {
		s := &stub{claims: []func() (ledger.ClaimResult, error){claimed}, verdict: taken}
		in := input()
		in.Doubt = doubt
		if out, _ := s.send(t, in, nil); out.Attempt.Outcome != want {
			t.Errorf("doubt %v: got %s", doubt, out.Attempt.Outcome)
		}
	}
}
