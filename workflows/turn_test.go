package workflows

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// firewalled is what Send says of an attempt that met the firewall.
func (w *world) firewalled() api.SendOutput {
	out := w.outcome(publication.OutcomeRejected)
	out.Attempt.Evidence.APIError = &publication.APIError{StatusCode: 429, Name: "TooManyRequestsError"}
	return out
}

// finding lets what the firewall hid be read again.
func (w *world) finding(find func() (api.FoundHidden, error)) {
	w.env.RegisterActivityWithOptions(func(context.Context, api.FindHiddenInput) (api.FoundHidden, error) { return find() }, activity.RegisterOptions{Name: api.FindHidden})
}

func (w *world) rejection() publication.Snapshot {
	w.t.Helper()
	var failure *temporal.ApplicationError
	if err := w.env.GetWorkflowError(); !errors.As(err, &failure) || failure.Type() != api.ErrorRejected {
		w.t.Fatalf("the run ended with %v, want a rejection", err)
	}
	var s publication.Snapshot
	if err := failure.Details(&s); err != nil {
		w.t.Fatal(err)
	}
	return s
}

func TestWhoWaitsInTheLaneSaysForWhat(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.send = func(context.Context, int) (api.SendOutput, error) {
		if len(w.sends) == 1 {
			return api.SendOutput{NotBefore: time.Minute, Waiting: "its turn in the lane casa, as number 3"}, nil
		}
		return w.outcome(publication.OutcomeAccepted), nil
	}
	w.at(30*time.Second, func() {
		if s := w.status(); s.State != publication.StatePlanned || s.WaitingFor != "its turn in the lane casa, as number 3" {
			t.Errorf("got %s, waiting for %q", s.State, s.WaitingFor)
		}
	})
	w.start("ana")
	if s := w.result(); s.State != publication.StateAccepted || s.WaitingFor != "" {
		t.Errorf("got %s, waiting for %q", s.State, s.WaitingFor)
	}
	w.wantSends(2)
}

// A queue of hours must not fill the history. The approval is not used yet: the new run needs none, and none is given.
func TestALongWaitInTheLaneContinuesAsNew(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) {
		if len(w.sends) > 1 {
			return w.firewalled(), nil
		}
		w.env.SetContinueAsNewSuggested(true)
		return api.SendOutput{NotBefore: time.Minute}, nil
	}
	w.start("ana")
	var next *workflow.ContinueAsNewError
	if err := w.env.GetWorkflowError(); !errors.As(err, &next) {
		t.Fatalf("the run ended with %v", err)
	}
	w.wantSends(1)
}

func TestAFirewallRefusalTellsWhatItHid(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.firewalled(), nil }
	w.finding(func() (api.FoundHidden, error) {
		return api.FoundHidden{Hidden: []publication.OperationID{"publish/autora/antes"}, Drafts: []publication.OperationID{"publish/autora/rascunho"}}, nil
	})
	w.start("ana")
	s := w.rejection()
	notes := strings.Join(s.Notes, "\n")
	if !strings.Contains(notes, "hidden by the firewall: publish/autora/antes") || !strings.Contains(notes, "publish/autora/rascunho") || !strings.Contains(s.Known, "firewall") {
		t.Errorf("known: %s\nnotes: %s", s.Known, notes)
	}
	w.wantSends(1)
}

func TestAFirewallRefusalEndsAlsoWhenNothingCanBeReadAgain(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.firewalled(), nil }
	w.finding(func() (api.FoundHidden, error) { return api.FoundHidden{}, errors.New("PostgreSQL is away") })
	w.start("ana")
	if s := w.rejection(); !strings.Contains(strings.Join(s.Notes, "\n"), "could not be read again") {
		t.Errorf("notes: %q", s.Notes)
	}
	w.wantSends(1)
}
