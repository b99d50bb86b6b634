package workflows

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/publication"
)

// The wait is as long as the ledger says, and people see what it is for.
func TestATryWaitsForAsLongAsTheOneBeforeMayBeInFlight(t *testing.T) {
	w := newWorld(t)
	w.public = true
	free := w.env.Now().Add(45 * time.Second)
	asked := 0
	w.openError = func() error {
		asked++
		if left := free.Sub(w.env.Now()); left > 0 {
			return temporal.NewNonRetryableApplicationError("it may have an effect until then", api.ErrorInFlight, nil, left)
		}
		return nil
	}
	w.at(30*time.Second, func() {
		if s := w.status(); !strings.Contains(s.WaitingFor, "may have an effect until") {
			t.Errorf("waits for %q", s.WaitingFor)
		}
		w.wantSends(0)
	})
	w.change(publication.KindRevise)
	w.wantSends(1)
	w.wantState(w.result(), publication.StateAccepted)
	if asked != 2 {
		t.Errorf("the ledger was asked %d times, want once before and once after the wait", asked)
	}
}

// A command line must be able to tell whom it waits for: the words are for people, the field is for programs.
func TestAChangeTellsWhichOneAPersonMustDecideBefore(t *testing.T) {
	w := newWorld(t)
	w.public = true
	const other = publication.OperationID("remove/autora/ola")
	w.send = func(context.Context, int) (api.SendOutput, error) {
		if len(w.sends) < 3 {
			return api.SendOutput{Refusal: "another one is unknown", BlockedBy: other}, nil
		}
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.at(time.Second, func() {
		if s := w.status(); s.BlockedBy != other || !strings.Contains(s.WaitingFor, "another one is unknown") || s.State != publication.StatePlanned {
			t.Errorf("blocked by %q, waits for %q, %s", s.BlockedBy, s.WaitingFor, s.State)
		}
	})
	w.change(publication.KindRevise)
	w.wantSends(3)
	if s := w.result(); s.BlockedBy != "" {
		t.Errorf("still blocked by %q", s.BlockedBy)
	}
}

// The content was changed by others: a new attempt could not be sent, so the decision is refused, with the way out.
func TestNotCreatedOfAChangeNeedsItsBase(t *testing.T) {
	for kind, words := range map[publication.Kind]string{
		publication.KindRevise: "neither as before the change nor as approved",
		publication.KindRemove: "changed by somebody else",
	} {
		t.Run(string(kind), func(t *testing.T) {
			w := newWorld(t)
			w.unknown()
			w.public, w.equal = true, false
			w.at(time.Hour, func() {
				w.foreign = true
				w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1))
			})
			w.at(2*time.Hour, func() {
				s := w.status()
				w.wantState(s, publication.StateUnknown)
				if d := s.Decisions[len(s.Decisions)-1]; d.Taken || !strings.Contains(d.Refusal, words) || !strings.Contains(d.Refusal, "abandon it") {
					t.Errorf("decision %+v", d)
				}
				w.signal(SignalResolve, w.resolve(publication.DecisionAbandon, 1))
			})
			w.change(kind)
			w.wantSends(1)
			w.wantState(w.result(), publication.StateAbandoned)
		})
	}
}

// What went with a removal can be told from its answer alone: afterwards nothing can be read.
func TestARemovalTellsTheForeignChangeThatWentWithIt(t *testing.T) {
	w := newWorld(t)
	w.public, w.equal = true, true // the world's reading back: it is gone as approved
	w.send = func(context.Context, int) (api.SendOutput, error) {
		out := w.outcome(publication.OutcomeAccepted)
		out.Attempt.Evidence.Foreign = "-Antes.\n+Deles.\n"
		return out, nil
	}
	w.change(publication.KindRemove)
	s := w.result()
	w.wantState(s, publication.StateAccepted)
	if !strings.Contains(s.Known, "that change went with it") || !strings.Contains(s.Divergence, "+Deles.") {
		t.Errorf("known %q, divergence %q", s.Known, s.Divergence)
	}
}
