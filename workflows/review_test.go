package workflows

import (
	"context"
	"testing"
	"time"

	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// T06: the options themselves, whatever was recorded.
func TestASendIsStartedAtMostOnce(t *testing.T) {
	o := DefaultSettings().sendOptions("attempt 1")
	if o.RetryPolicy == nil || o.RetryPolicy.MaximumAttempts != 1 || len(o.RetryPolicy.NonRetryableErrorTypes) != 3 {
		t.Errorf("retry policy %+v", o.RetryPolicy)
	}
	if o.HeartbeatTimeout != 0 || o.ScheduleToCloseTimeout != 0 || !o.DisableEagerExecution || o.ScheduleToStartTimeout == 0 {
		t.Errorf("options %+v", o)
	}
	if s := DefaultSettings(); o.StartToCloseTimeout <= s.SendTimeout+s.RPCTimeout {
		t.Errorf("start to close %s", o.StartToCloseTimeout)
	}
}

// Before the ledger has answered, nothing is decided and nothing is said that might be wrong.
func TestADecisionWaitsUntilTheLedgerHasAnswered(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.unknown()
	away := true
	w.openFails = func() bool { return away }
	w.at(time.Second, func() {
		if s := w.status(); len(s.Decisions) != 0 || s.Known != "The ledger is being asked what is known of this operation; nothing is sent before it has answered." {
			t.Errorf("decisions %+v, known %q", s.Decisions, s.Known)
		}
		w.signal(SignalResolve, w.resolve(publication.DecisionAdopt, 1))
		w.opened = &api.Opened{Payload: payload, Snapshot: publication.Snapshot{State: publication.StateUnknown, Digest: payload.Digest(), Attempts: []publication.Attempt{{Number: 1, Outcome: publication.OutcomeUnknown}}}}
		away = false
	})
	w.start("ana")
	w.wantSends(0)
	w.wantState(w.result(), publication.StateAccepted)
}

// Two signals in one task of the workflow: none is lost when the run ends.
func TestASignalAtTheVeryEndIsAnswered(t *testing.T) {
	w := newWorld(t)
	w.public = true
	w.onRecord = func() { w.signal(SignalRecheck, RecheckInput{By: "ana", ID: "late"}) }
	w.start("ana")
	s := w.result()
	if last := s.Decisions[len(s.Decisions)-1]; last.ID != "late" {
		t.Errorf("decisions %+v", s.Decisions)
	}
}

func TestACancelledRunAnswersWhatStillWaits(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.at(time.Second, func() { w.signal(SignalResolve, w.resolve(publication.DecisionNotCreated, 1)) })
	w.at(3*time.Second, w.env.CancelWorkflow) // in the quiet time
	w.start("ana")
	w.wantSends(1)
	s := w.status()
	if d := s.Decisions[len(s.Decisions)-1]; d.Kind != publication.DecisionNotCreated || d.Taken || d.Refusal == "" {
		t.Errorf("decisions %+v", s.Decisions)
	}
}

// The ledger may know of an outcome that this run never got: a recheck asks it.
func TestARecheckTakesUpWhatTheLedgerKnows(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.public = true
	w.settle = func(in api.SettleInput) api.Settled {
		in.Identity = &identity
		return w.settled(in, publication.OutcomeAccepted)
	}
	w.at(time.Hour, func() { w.signal(SignalRecheck, RecheckInput{By: "ana"}) })
	w.start("ana")
	w.wantSends(1)
	w.wantState(w.result(), publication.StateAccepted)
}

// What a person closed stays closed, whatever an attempt's row says.
func TestTheOperationsStateInTheLedgerCounts(t *testing.T) {
	w := newWorld(t)
	w.send = func(context.Context, int) (api.SendOutput, error) {
		return api.SendOutput{Existing: &publication.Attempt{Number: 1, Outcome: publication.OutcomeUnknown}}, nil
	}
	w.settle = func(in api.SettleInput) api.Settled {
		out := w.settled(in, publication.OutcomeUnknown)
		out.State = publication.StateAbandoned
		return out
	}
	w.start("ana")
	w.wantState(w.result(), publication.StateAbandoned)
}

func TestCancellingADivergedOneReportsItsIdentity(t *testing.T) {
	w := newWorld(t)
	w.public, w.equal = true, false
	w.at(time.Hour, w.env.CancelWorkflow)
	w.start("ana")
	if s := w.result(); s.Identity == nil || s.Verification != publication.VerificationDiverged {
		t.Errorf("got %+v", s)
	}
}

// T32: a run whose history has grown long goes on in a new one, without its used approval.
func TestALongHistoryIsContinuedAsNew(t *testing.T) {
	w := newWorld(t)
	w.unknown()
	w.at(time.Minute, func() {
		w.env.SetContinueAsNewSuggested(true)
		w.signal(SignalRecheck, RecheckInput{By: "ana"})
	})
	w.start("ana")
	if !workflow.IsContinueAsNewError(w.env.GetWorkflowError()) {
		t.Errorf("got %v", w.env.GetWorkflowError())
	}
	if s := w.status(); !s.Decisions[len(s.Decisions)-1].Taken {
		t.Errorf("the recheck was lost: %+v", s.Decisions)
	}
}

// A signal that came in the same task as the run's last event is still in its channel, received by nobody: the run must
// neither end nor continue as new over it.
func TestASignalInItsChannelIsNotIdle(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.ExecuteWorkflow(func(ctx workflow.Context) error {
		channel := workflow.NewBufferedChannel(ctx, 1)
		p := &publish{inbox: inbox{channels: []workflow.ReceiveChannel{channel}}}
		if !p.idle() {
			t.Error("nothing waits, and it is not idle")
		}
		channel.SendAsync("a decision")
		if p.idle() {
			t.Error("a signal that nobody received yet counts for nothing")
		}
		return nil
	})
	if err := env.GetWorkflowError(); err != nil {
		t.Error(err)
	}
}
