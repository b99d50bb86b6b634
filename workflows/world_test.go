package workflows

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// world stands in for the activities: a small ledger and a TabNews whose answers a test scripts. Each field is what
// the next call gives; sends counts the requests that would have left.
type world struct {
	t   *testing.T
	env *testsuite.TestWorkflowEnvironment

	opened    *api.Opened // what the ledger knows already
	found     *publication.Candidate
	public    bool // the pinned reference can be read
	equal     bool // and reads as the payload
	foreign   bool // it reads neither so nor as the base
	readFails bool

	send       func(ctx context.Context, n int) (api.SendOutput, error)
	settle     func(in api.SettleInput) api.Settled
	ledgerAway int // so many Record and Decide calls fail
	probed     *publication.Candidate
	openFails  func() bool
	openError  func() error
	unprepared func() bool // the checks before sending fail
	onRecord   func()
	memory     string // of the ledger
	forgotten  bool   // the ledger lost its memory, until something is recorded

	sends    []api.SendInput
	settles  []api.SettleInput
	decided  []publication.Decision
	recorded []api.RecordInput
	repairs  int
	probes   int
	opens    int
	missed   []api.MarkMissedInput
}

var payload = publication.Payload{Title: "Olá, mundo", Slug: "ola", Body: "Um texto.", Status: publication.StatusPublished}

var identity = publication.Identity{ID: "0b6f0d3c-8b0a-4a7e-9d55-3f1f6b1f0001", OwnerUsername: "autora", Slug: "ola", Status: publication.StatusPublished}

var forgot = temporal.NewNonRetryableApplicationError("not known", api.ErrorForgotten, nil)

func newWorld(t *testing.T) *world {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	w := &world{t: t, env: suite.NewTestWorkflowEnvironment(), equal: true}
	w.send = func(context.Context, int) (api.SendOutput, error) { return w.outcome(publication.OutcomeAccepted), nil }
	w.settle = func(in api.SettleInput) api.Settled { return w.settled(in, publication.OutcomeUnknown) }
	flows := &Workflows{Settings: DefaultSettings()}
	w.env.RegisterWorkflowWithOptions(flows.Publish, workflow.RegisterOptions{Name: PublishWorkflow})
	w.env.RegisterWorkflowWithOptions(flows.Publish, workflow.RegisterOptions{Name: ReviseWorkflow})
	w.env.RegisterWorkflowWithOptions(flows.Publish, workflow.RegisterOptions{Name: RemoveWorkflow})
	w.env.RegisterWorkflowWithOptions(flows.Track, workflow.RegisterOptions{Name: TrackWorkflow})
	w.env.RegisterWorkflowWithOptions(func(ctx workflow.Context, in api.RecordInput) error {
		w.repairs++
		return nil
	}, workflow.RegisterOptions{Name: RepairRecordWorkflow})
	for name, f := range map[string]any{
		api.OpenOperation: w.open, api.Prepare: w.prepare, api.Send: w.sendOnce, api.Settle: w.settleOnce,
		api.Investigate: w.investigate, api.ReadReference: w.read, api.ReadBack: w.readBack, api.Decide: w.decide, api.Record: w.record, api.Probe: w.probe, api.MarkMissed: w.markMissed,
	} {
		w.env.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: name})
	}
	return w
}

func (w *world) outcome(o publication.Outcome) api.SendOutput {
	n := w.sends[len(w.sends)-1].Attempt
	now := w.env.Now()
	a := publication.Attempt{Number: n, Outcome: o, Digest: payload.Digest(), ClaimedAt: &now, SendBy: &now, FinishedAt: &now, Evidence: &publication.Evidence{Summary: "scripted " + string(o)}}
	if o == publication.OutcomeAccepted {
		a.Identity = &identity
	}
	return api.SendOutput{Attempt: a, Recorded: true, Token: "t"}
}

func (w *world) settled(in api.SettleInput, o publication.Outcome) api.Settled {
	now := w.env.Now()
	a := publication.Attempt{Number: in.Attempt, Outcome: o, Digest: in.Digest, FinishedAt: &now, Identity: in.Identity}
	if in.Identity != nil {
		a.Outcome = publication.OutcomeAccepted
	}
	return api.Settled{Attempt: a}
}

func (w *world) open(_ context.Context, in api.OpenInput) (api.Opened, error) {
	if w.openFails != nil && w.openFails() {
		return api.Opened{}, errors.New("PostgreSQL is away")
	}
	if w.openError != nil {
		if err := w.openError(); err != nil {
			return api.Opened{}, err
		}
	}
	w.opens++
	if w.opened != nil {
		return *w.opened, nil
	}
	s := publication.Snapshot{Operation: in.Operation, State: publication.StateProposed, Verification: publication.VerificationPending, Digest: in.Digest, Schedule: in.Schedule}
	if in.Approval != nil {
		s.State = publication.StatePlanned
		s.Decisions = []publication.Decision{*in.Approval}
	}
	return api.Opened{Snapshot: s, Payload: in.Payload, Base: in.Base, Memory: w.memory}, nil
}

func (w *world) prepare(_ context.Context, in api.PrepareInput) (api.Prepared, error) {
	if w.unprepared != nil && w.unprepared() {
		return api.Prepared{}, temporal.NewNonRetryableApplicationError("the session expired", api.ErrorSession, nil)
	}
	if w.found != nil {
		w.opened = &api.Opened{Payload: in.Payload, Base: in.Base, Snapshot: publication.Snapshot{State: publication.StateRejected, Digest: publication.DigestOf(in.Payload, in.Base)}}
		return api.Prepared{At: w.env.Now(), Found: w.found, State: publication.StateRejected}, nil
	}
	return api.Prepared{At: w.env.Now()}, nil
}

func (w *world) sendOnce(ctx context.Context, in api.SendInput) (api.SendOutput, error) {
	w.sends = append(w.sends, in)
	return w.send(ctx, in.Attempt)
}

func (w *world) settleOnce(_ context.Context, in api.SettleInput) (api.Settled, error) {
	w.settles = append(w.settles, in)
	if w.forgotten {
		return api.Settled{}, forgot
	}
	return w.settle(in), nil
}

func (w *world) investigate(context.Context, api.InvestigateInput) (publication.Investigation, error) {
	found := publication.Investigation{At: w.env.Now(), Reading: publication.ReadingAbsent}
	if w.public {
		found.Reading = publication.ReadingFound
		found.Candidates = []publication.Candidate{{Reference: "autora/ola", ID: identity.ID, Equal: w.equal, FoundBy: "reference"}}
	}
	return found, nil
}

func (w *world) probe(context.Context, api.ProbeInput) (api.Probed, error) {
	w.probes++
	return api.Probed{At: w.env.Now(), Words: "scripted", Found: w.probed}, nil
}

func (w *world) read(context.Context, api.ReadInput) (api.Read, error) {
	if w.readFails {
		return api.Read{}, errors.New("TabNews cannot be reached")
	}
	if !w.public {
		return api.Read{At: w.env.Now(), Reading: publication.ReadingAbsent}, nil
	}
	r := api.Read{At: w.env.Now(), Reading: publication.ReadingFound, Identity: &identity, Equal: w.equal, AsBase: !w.equal && !w.foreign}
	if !w.equal {
		r.Diff = "-Um texto.\n+Outro texto.\n"
	}
	return r, nil
}

func (w *world) readBack(context.Context, api.ReadBackInput) (api.ReadBackOutput, error) {
	if !w.public {
		return api.ReadBackOutput{}, temporal.NewApplicationError("not yet", api.ErrorNotReadable)
	}
	if !w.equal {
		return api.ReadBackOutput{Verification: publication.VerificationDiverged, Diff: "-a\n+b\n"}, nil
	}
	return api.ReadBackOutput{Verification: publication.VerificationMatched}, nil
}

func (w *world) decide(_ context.Context, in api.DecideInput) (publication.Decision, error) {
	if w.ledgerAway > 0 {
		w.ledgerAway--
		return publication.Decision{}, errors.New("PostgreSQL is away")
	}
	if w.forgotten {
		return publication.Decision{}, forgot
	}
	w.decided = append(w.decided, in.Decision)
	return in.Decision, nil
}

func (w *world) record(_ context.Context, in api.RecordInput) error {
	if w.ledgerAway > 0 {
		w.ledgerAway--
		return errors.New("PostgreSQL is away")
	}
	w.recorded, w.forgotten = append(w.recorded, in), false
	if w.onRecord != nil {
		w.onRecord()
	}
	return nil
}

// start runs the workflow to its end; approvedBy may be empty.
func (w *world) start(approvedBy string) { w.startAt(approvedBy, nil) }

// startAt starts it with a time to send.
func (w *world) startAt(approvedBy string, s *publication.Schedule) {
	w.env.ExecuteWorkflow(PublishWorkflow, PublishInput{
		Operation: "publish/autora/ola", Payload: payload, Digest: payload.Digest(), ProposedBy: "ana", ApprovedBy: approvedBy, Schedule: s,
	})
	if !w.env.IsWorkflowCompleted() {
		w.t.Fatal("the workflow did not end")
	}
}

func (w *world) result() publication.Snapshot {
	w.t.Helper()
	var s publication.Snapshot
	if err := w.env.GetWorkflowResult(&s); err != nil {
		w.t.Fatalf("the workflow failed: %v", err)
	}
	return s
}

// status asks the query, as people do.
func (w *world) status() publication.Snapshot {
	w.t.Helper()
	value, err := w.env.QueryWorkflow(QueryStatus)
	if err != nil {
		w.t.Fatalf("query: %v", err)
	}
	var s publication.Snapshot
	if err := value.Get(&s); err != nil {
		w.t.Fatalf("query: %v", err)
	}
	return s
}

// at does something once the workflow has waited for d (skipped time, no real waiting).
func (w *world) at(d time.Duration, do func()) { w.env.RegisterDelayedCallback(do, d) }

func (w *world) signal(name string, input any) { w.env.SignalWorkflow(name, input) }

func (w *world) resolve(decision publication.DecisionKind, attempt int) ResolveInput {
	in := ResolveInput{By: "ana", Attempt: attempt, Decision: decision, Reason: "looked at the site"}
	if decision == publication.DecisionAdopt {
		in.Reference = "autora/ola"
	}
	return in
}

func (w *world) wantSends(n int) {
	w.t.Helper()
	if len(w.sends) != n {
		w.t.Errorf("%d sends were ordered, want %d", len(w.sends), n)
	}
}

func (w *world) wantState(s publication.Snapshot, state publication.State) {
	w.t.Helper()
	if s.State != state {
		w.t.Errorf("state %s, want %s (%s)", s.State, state, s.Known)
	}
}
