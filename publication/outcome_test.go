package publication

import (
	"testing"
	"time"
)

func TestTheClosedListsKnowTheirOwnAlone(t *testing.T) {
	for _, o := range Outcomes() {
		if !o.Valid() {
			t.Errorf("outcome %s is not valid", o)
		}
	}
	for _, s := range States() {
		if !s.Valid() {
			t.Errorf("state %s is not valid", s)
		}
	}
	if Outcome("failed").Valid() || Outcome("").Valid() || State("failed").Valid() || State("").Valid() {
		t.Error("failed is neither an outcome nor a state: what is not known is unknown")
	}
}

// Every other state waits, for a send or for a person.
func TestOnlyEndsAreSettled(t *testing.T) {
	for _, s := range States() {
		want := s == StateAccepted || s == StateRejected || s == StateAbandoned
		if s.Settled() != want {
			t.Errorf("%s is settled: %v", s, s.Settled())
		}
	}
}

func TestOnlyApprovalsAndNotCreatedOpenAnAttempt(t *testing.T) {
	for _, k := range DecisionKinds() {
		if want := k == DecisionApprove || k == DecisionNotCreated; k.Authorizes() != want {
			t.Errorf("%s opens an attempt: %v", k, k.Authorizes())
		}
	}
	if DecisionKind("").Authorizes() {
		t.Error("a signal that could not be read opens an attempt")
	}
}

func TestVerificationsAreListedOnce(t *testing.T) {
	seen := map[Verification]bool{}
	for _, v := range Verifications() {
		if v == "" || seen[v] {
			t.Errorf("%q is listed twice or empty", v)
		}
		seen[v] = true
	}
	if !seen[VerificationNotApplicable] || !seen[VerificationDiverged] {
		t.Errorf("%v", seen)
	}
}

// A request whose end was not seen may be on the wire until its deadline.
func TestAnAttemptIsOnTheWireUntilItsEndOrItsDeadline(t *testing.T) {
	end, deadline := time.Unix(100, 0), time.Unix(200, 0)
	for name, c := range map[string]struct {
		attempt Attempt
		want    time.Time
	}{
		"ended":               {Attempt{Outcome: OutcomeUnknown, FinishedAt: &end, SendBy: &deadline}, end},
		"sending":             {Attempt{Outcome: OutcomeSending, SendBy: &deadline}, deadline},
		"sending with an end": {Attempt{Outcome: OutcomeSending, FinishedAt: &end, SendBy: &deadline}, deadline},
		"never claimed":       {Attempt{Outcome: OutcomeNotSent}, time.Time{}},
	} {
		if got := c.attempt.LatestPossible(); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestAnIdentityIsAddressedByOwnerAndSlug(t *testing.T) {
	i := Identity{ID: "e7fdd873-c3af-4962-b843-42737ca37a52", OwnerUsername: "AutorA", Slug: "ola", Status: StatusDraft}
	if got := i.Reference().String(); got != "AutorA/ola" {
		t.Error(got)
	}
}

func TestAnOperationIDThatIsNoneHasNoParts(t *testing.T) {
	id := OperationID("publish")
	if id.Kind() != KindPublish || id.Account() != "" || id.Reference() != (Reference{}) {
		t.Errorf("%q, %q, %v", id.Kind(), id.Account(), id.Reference())
	}
	if got, err := ParseOperationID("publish/autora/ola"); err != nil || got != PublishID("autora", "ola") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestStateAfterFollowsFromTheOutcome(t *testing.T) {
	want := map[Outcome]State{OutcomeSending: StateSending, OutcomeAccepted: StateAccepted, OutcomeRejected: StateRejected,
		OutcomeNotSent: StatePlanned, OutcomeUnknown: StateUnknown, OutcomeNotCreated: StatePlanned, "from a later version": StateUnknown}
	for _, o := range append(Outcomes(), "from a later version") {
		if got := o.StateAfter(); got != want[o] {
			t.Errorf("after %s it is %s, want %s", o, got, want[o])
		}
	}
}
