package watchclient

import (
	"context"
	"errors"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"postonce/workflows"
)

type asked struct {
	id, signal string
	options    client.StartWorkflowOptions
	input      any
	status     enumspb.WorkflowExecutionStatus
	err        error
}

func (a *asked) DescribeWorkflowExecution(context.Context, string, string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	return &workflowservice.DescribeWorkflowExecutionResponse{WorkflowExecutionInfo: &workflow.WorkflowExecutionInfo{Status: a.status}}, a.err
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

func TestReviveStartsTheWatchOnlyWhereItDoesNotRun(t *testing.T) {
	for name, c := range map[string]struct {
		asked asked
		want  bool
		fails bool
	}{
		"it runs":           {asked{status: enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING}, false, false},
		"it was terminated": {asked{status: enumspb.WORKFLOW_EXECUTION_STATUS_TERMINATED}, true, false},
		"it is forgotten":   {asked{err: serviceerror.NewNotFound("no such workflow")}, true, false},
		"Temporal is away":  {asked{err: errors.New("no answer")}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			started, err := Revive(t.Context(), &c.asked, "autora")
			if started != c.want || (c.asked.signal != "") != c.want || (err != nil) != c.fails {
				t.Errorf("started %v (%q), %v", started, c.asked.signal, err)
			}
		})
	}
}
