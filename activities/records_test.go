package activities

import (
	"context"
	"errors"
	"testing"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
)

// remembering is a ledger that holds an operation with the attempts given, and counts what is decided.
type remembering struct {
	Ledger
	attempts []publication.Attempt
	decided  int
}

func (r *remembering) Load(context.Context, publication.OperationID) (ledger.Record, error) {
	return ledger.Record{Attempts: r.attempts, State: publication.StateAbandoned}, nil
}

func (r *remembering) Decide(_ context.Context, _ publication.OperationID, d publication.Decision, _ *publication.Identity, _ publication.Verification) (publication.Decision, error) {
	r.decided++
	return d, nil
}

// A person decides on what was sent: a ledger that lacks the attempt forgot it, and its record must not be taken up in the
// place of the decision.
func TestADecisionOnAnAttemptThatTheLedgerLacksIsToldToIt(t *testing.T) {
	abandon := publication.Decision{ID: "x", Kind: publication.DecisionAbandon, By: "ana", Attempt: 1, Taken: true}
	refused := abandon
	refused.Taken, refused.Refusal = false, "too late"
	for name, c := range map[string]struct {
		attempts  []publication.Attempt
		decision  publication.Decision
		forgotten bool
	}{
		"it has the attempt":  {[]publication.Attempt{{Number: 1, Outcome: publication.OutcomeUnknown}}, abandon, false},
		"it has none":         {nil, abandon, true},
		"it has another":      {[]publication.Attempt{{Number: 2}}, abandon, true},
		"a refusal is kept":   {nil, refused, false},
		"it names no attempt": {nil, publication.Decision{ID: "y", Kind: publication.DecisionApprove, By: "ana", Taken: true}, false},
	} {
		l := &remembering{attempts: c.attempts}
		_, err := (&Activities{Ledger: l}).Decide(t.Context(), api.DecideInput{Operation: "publish/ana/ola", Decision: c.decision})
		var cause *temporal.ApplicationError
		if forgotten := errors.As(err, &cause) && cause.Type() == api.ErrorForgotten; forgotten != c.forgotten || (l.decided == 1) == c.forgotten {
			t.Errorf("%s: %v, decided %d times", name, err, l.decided)
		}
	}
}
