package publication

import "testing"

func TestStatesAreAllInEveryTable(t *testing.T) {
	for _, s := range States() {
		if _, ok := transitions[s]; !ok {
			t.Errorf("state %q has no row of transitions", s)
		}
		if s.NextSafeAction() == "" {
			t.Errorf("state %q has no next safe action", s)
		}
	}
	if len(transitions) != len(States()) || len(nextSafeActions) != len(States()) {
		t.Errorf("%d states, %d rows of transitions, %d next safe actions: they must agree", len(States()), len(transitions), len(nextSafeActions))
	}
}

func TestNothingLeavesAcceptedOrAbandoned(t *testing.T) {
	for _, next := range States() {
		if StateAccepted.CanBecome(next) || StateAbandoned.CanBecome(next) {
			t.Errorf("accepted or abandoned may become %q", next)
		}
	}
}

// A send may follow only from planned, and planned only from an approval or a decision.
func TestSendingIsReachedOnlyFromPlanned(t *testing.T) {
	for _, s := range States() {
		if got, want := s.CanBecome(StateSending), s == StatePlanned; got != want {
			t.Errorf("%s → sending allowed: %v, want %v", s, got, want)
		}
	}
}

func TestUnknownNeverBecomesRejected(t *testing.T) {
	if StateUnknown.CanBecome(StateRejected) || StateUnknown.CanBecome(StateSending) {
		t.Error("unknown must wait for a person, and must never turn into failed")
	}
}

func TestOutcomesThatMayHaveCreated(t *testing.T) {
	want := map[Outcome]bool{OutcomeSending: true, OutcomeAccepted: true, OutcomeUnknown: true}
	for _, o := range Outcomes() {
		if o.MayHaveCreated() != want[o] {
			t.Errorf("%s may have created: %v", o, o.MayHaveCreated())
		}
	}
}

func TestOperationIDHoldsAccountAndReference(t *testing.T) {
	id := PublishID("autora", "ola-mundo")
	if id != "publish/autora/ola-mundo" || id.Account() != "autora" || id.Kind() != KindPublish || id.Reference().String() != "autora/ola-mundo" {
		t.Errorf("got %q, %q, %q, %q", id, id.Account(), id.Kind(), id.Reference())
	}
	for _, bad := range []string{"", "autora/ola", "publish//ola", "publish/autora/", "remove/autora", "publish/a/b/c"} {
		if _, err := ParseOperationID(bad); err == nil {
			t.Errorf("%q was taken for an operation ID", bad)
		}
	}
}
