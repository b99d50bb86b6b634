package watchclient

import (
	"context"
	"testing"

	"go.temporal.io/sdk/client"

	"postonce/workflows"
)

type asked struct {
	id, signal string
	options    client.StartWorkflowOptions
	input      any
}

func (a *asked) SignalWithStartWorkflow(_ context.Context, id, signal string, _ any, options client.StartWorkflowOptions, _ any, args ...any) (client.WorkflowRun, error) {
	a.id, a.signal, a.options, a.input = id, signal, options, args[0]
	return nil, nil
}

func TestLookStartsTheAccountsWatchWhereNoneRuns(t *testing.T) {
	var a asked
	if err := Look(t.Context(), &a, "autora", workflows.LookRequest{By: "ana"}); err != nil {
		t.Fatal(err)
	}
	if a.id != workflows.WatchID("autora") || a.signal != workflows.SignalLook || a.options.TaskQueue != workflows.TaskQueue("autora") {
		t.Errorf("got %+v", a)
	}
	if in, ok := a.input.(workflows.WatchInput); !ok || in.Account != "autora" || a.options.WorkflowRunTimeout != 0 || a.options.RetryPolicy != nil {
		t.Errorf("got %+v", a)
	}
}
