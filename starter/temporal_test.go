package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
	"postonce/workflows"
)

// TestEngine runs the engine against a real Temporal, with a workflow that plays Publish: what a server answers to a
// query without a worker, or to a second start, no fake can know.
func TestEngine(t *testing.T) {
	server := startTemporal(t)
	e := &temporalEngine{client: server.Client(), patience: 300 * time.Millisecond}
	t.Run("nothing is known", func(t *testing.T) { engineKnowsNothing(t, e) })
	t.Run("without a worker", func(t *testing.T) { engineWithoutWorker(t, e) })
	t.Run("list without a worker", func(t *testing.T) { engineListsUnopened(t, e) })
	startWorker(t, server.Client())
	t.Run("with a worker", func(t *testing.T) { engineWithWorker(t, e) })
	t.Run("rejected", func(t *testing.T) { engineRejected(t, e) })
	t.Run("terminated", func(t *testing.T) { engineTerminated(t, e, server.Client()) })
	t.Run("the other kinds", func(t *testing.T) { engineStartsEachKind(t, e) })
	t.Run("list", func(t *testing.T) { engineLists(t, e) })
}

func engineKnowsNothing(t *testing.T, e *temporalEngine) {
	if _, err := e.Describe(t.Context(), opOla); !errors.Is(err, errNotKnown) {
		t.Errorf("Describe: %v", err)
	}
	if err := e.Signal(t.Context(), opOla, workflows.SignalRecheck, workflows.RecheckInput{By: "eva"}); !errors.Is(err, errNotKnown) {
		t.Errorf("Signal: %v", err)
	}
	if polled, err := e.Polled(t.Context(), "ana"); polled || err != nil {
		t.Errorf("Polled: %t, %v", polled, err)
	}
}

func engineWithoutWorker(t *testing.T, e *temporalEngine) {
	mustStart(t, e, "ola")
	if err := e.Start(t.Context(), playInput("ola")); !errors.Is(err, errStarted) {
		t.Errorf("second start: %v", err)
	}
	run, err := e.Describe(t.Context(), opOla)
	if err != nil || !run.Open || run.Failed || run.State != "" {
		t.Errorf("Describe: %+v, %v", run, err)
	}
	in, err := e.Input(t.Context(), opOla)
	if err != nil || in.Payload.Digest() != olaPayload().Digest() {
		t.Errorf("Input: %+v, %v", in, err)
	}
	var unanswered *unansweredError
	if _, err := e.Status(t.Context(), opOla); !errors.As(err, &unanswered) {
		t.Errorf("Status: %v", err)
	}
}

// engineListsUnopened asks for what no worker has opened: it has no search attributes to be found by.
func engineListsUnopened(t *testing.T, e *temporalEngine) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for !lists(t, e, filter{State: publication.StatePlanned, Account: "ana", Limit: 10}, opOla) {
		if ctx.Err() != nil {
			t.Fatal("a planned operation that no worker has opened is not listed")
		}
	}
	for _, f := range []filter{{State: publication.StatePlanned, Account: "rui", Limit: 10}, {State: publication.StateUnknown, Limit: 10}} {
		if lists(t, e, f, opOla) {
			t.Errorf("%+v lists it", f)
		}
	}
}

// lasting is an engine that outlives a command.
type lasting struct{ engine }

func (lasting) Close() {}

func engineWithWorker(t *testing.T, e *temporalEngine) {
	e = &temporalEngine{client: e.client, patience: queryTimeout}
	b := newBench(t, lasting{e})
	s, err := b.follow(t.Context(), e, opOla, parked)
	if err != nil || s.State != publication.StateUnknown {
		t.Fatalf("follow: %+v, %v\n%s", s, err, &b.err)
	}
	if polled, err := e.Polled(t.Context(), "ana"); !polled || err != nil {
		t.Errorf("Polled: %t, %v", polled, err)
	}
	if run, err := e.Describe(t.Context(), opOla); err != nil || run.State != publication.StateUnknown {
		t.Errorf("Describe: %+v, %v", run, err)
	}
	b.mustRun(t, 0, "resolve", "ana/ola", "--attempt", "1", "--adopt", "ana/ola", "--reason", "I read it", "--json")
	if got := b.document(t); got.State != publication.StateAccepted || !got.Decisions[0].Taken {
		t.Errorf("got %+v", got)
	}
	b.mustRun(t, 0, "status", "ana/ola")
	if s, err := e.Result(t.Context(), opOla); err != nil || s.State != publication.StateAccepted {
		t.Errorf("Result: %+v, %v", s, err)
	}
	if err := e.Start(t.Context(), playInput("ola")); !errors.Is(err, errStarted) {
		t.Errorf("start after it was accepted: %v", err)
	}
}

func engineRejected(t *testing.T, e *temporalEngine) {
	mustStart(t, e, "rejected")
	s, err := e.Result(t.Context(), "publish/ana/rejected")
	if err != nil || s.State != publication.StateRejected {
		t.Errorf("Result: %+v, %v", s, err)
	}
	if run, err := e.Describe(t.Context(), "publish/ana/rejected"); err != nil || run.Open || !run.Failed {
		t.Errorf("Describe: %+v, %v", run, err)
	}
	mustStart(t, e, "rejected")
}

func engineTerminated(t *testing.T, e *temporalEngine, c client.Client) {
	mustStart(t, e, "terminated")
	if err := c.TerminateWorkflow(t.Context(), "publish/ana/terminated", "", "for the test"); err != nil {
		t.Fatal(err)
	}
	var ended *endedError
	if _, err := e.Result(t.Context(), "publish/ana/terminated"); !errors.As(err, &ended) || ended.how != "terminated" {
		t.Errorf("Result: %v", err)
	}
}

// engineLists asks until Temporal's list, which lags behind, has what was started; the test's end bounds it.
func engineLists(t *testing.T, e *temporalEngine) {
	for _, f := range []filter{{Limit: 10}, {State: publication.StateAccepted, Account: "ana", Limit: 10}} {
		for !lists(t, e, f, opOla) {
			if t.Context().Err() != nil {
				t.Fatal(t.Context().Err())
			}
		}
	}
	if runs, err := e.List(t.Context(), filter{Account: "rui", Limit: 10}); err != nil || len(runs) != 0 {
		t.Errorf("another account: %+v, %v", runs, err)
	}
}

func lists(t *testing.T, e *temporalEngine, f filter, op publication.OperationID) bool {
	t.Helper()
	runs, err := e.List(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[publication.OperationID]int{}
	for _, run := range runs {
		if seen[run.Operation]++; seen[run.Operation] > 1 {
			t.Errorf("%s is listed twice", run.Operation)
		}
	}
	return seen[op] == 1
}

// playInput is what `starter publish` would start ana/SLUG with.
func playInput(slug string) workflows.PublishInput {
	p := olaPayload()
	p.Slug = slug
	return inputOf(p, "ana", "eva")
}

func mustStart(t *testing.T, e *temporalEngine, slug string) {
	t.Helper()
	if err := e.Start(t.Context(), playInput(slug)); err != nil {
		t.Fatal(err)
	}
}

// play stands for Publish: it is unknown until a person resolves it; the slug rejected is.
func play(ctx workflow.Context, in workflows.PublishInput) (publication.Snapshot, error) {
	s := unknownOla()
	s.Operation = in.Operation
	show := func(state publication.State) error {
		s.State = state
		key := temporal.NewSearchAttributeKeyKeyword(workflows.AttributeState)
		account := temporal.NewSearchAttributeKeyKeyword(workflows.AttributeAccount)
		return workflow.UpsertTypedSearchAttributes(ctx, key.ValueSet(string(state)), account.ValueSet(in.Operation.Account()))
	}
	if in.Payload.Slug == "rejected" {
		_ = show(publication.StateRejected)
		return s, temporal.NewApplicationErrorWithOptions("rejected", api.ErrorRejected, temporal.ApplicationErrorOptions{NonRetryable: true, Details: []any{s}})
	}
	if err := show(publication.StateUnknown); err != nil {
		return s, err
	}
	if err := workflow.SetQueryHandler(ctx, workflows.QueryStatus, func() (publication.Snapshot, error) { return s, nil }); err != nil {
		return s, err
	}
	var decided workflows.ResolveInput
	workflow.GetSignalChannel(ctx, workflows.SignalResolve).Receive(ctx, &decided)
	s = acceptedOla()
	s.Decisions = []publication.Decision{{ID: decided.ID, Kind: decided.Decision, By: decided.By, Taken: true}}
	return s, show(publication.StateAccepted)
}

func startWorker(t *testing.T, c client.Client) {
	t.Helper()
	for _, account := range []string{"ana", "bia"} {
		w := worker.New(c, workflows.TaskQueue(account), worker.Options{})
		w.RegisterWorkflowWithOptions(play, workflow.RegisterOptions{Name: workflows.PublishWorkflow})
		for _, name := range []string{workflows.ReviseWorkflow, workflows.RemoveWorkflow, workflows.TrackWorkflow} {
			w.RegisterWorkflowWithOptions(playKind, workflow.RegisterOptions{Name: name})
		}
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Stop)
	}
}

// startTemporal starts the official binary: from PATH, else the project's own. A machine without it fails the test.
func startTemporal(t *testing.T) *testsuite.DevServer {
	t.Helper()
	binary, err := exec.LookPath("temporal")
	if err != nil {
		if binary, err = filepath.Abs("../bin/temporal"); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(binary); err != nil {
			t.Fatalf("the temporal binary is neither in PATH nor in bin/ (%v); `make bin/temporal` builds it", err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	server, err := testsuite.StartDevServer(ctx, testsuite.DevServerOptions{
		ExistingPath: binary, ClientOptions: &client.Options{Logger: discard{}}, Stdout: io.Discard, Stderr: io.Discard, LogLevel: "error",
		SearchAttributes: temporal.NewSearchAttributes(keywordZero(workflows.AttributeState), keywordZero(workflows.AttributeRef), keywordZero(workflows.AttributeAccount)),
		ExtraArgs:        []string{"--dynamic-config-value", "system.forceSearchAttributesCacheRefreshOnRead=true"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil && !strings.Contains(err.Error(), "signal") {
			t.Error(err)
		}
	})
	return server
}

func keywordZero(name string) temporal.SearchAttributeUpdate {
	return temporal.NewSearchAttributeKeyKeyword(name).ValueSet("")
}

// discard keeps the SDK silent.
type discard struct{}

func (discard) Debug(string, ...any) {}
func (discard) Info(string, ...any)  {}
func (discard) Warn(string, ...any)  {}
func (discard) Error(string, ...any) {}
