// Package watchclient starts and wakes the drift watch of an account, for the worker and the command line alike. It may
// import workflows and the Temporal SDK.
package watchclient

import (
	"context"
	"errors"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"postonce/workflows"
)

// Client is what is asked of Temporal; a client.Client has it.
type Client interface {
	SignalWithStartWorkflow(ctx context.Context, workflowID, signal string, signalArg any, options client.StartWorkflowOptions, workflow any, args ...any) (client.WorkflowRun, error)
}

// Describer is what Revive asks beside.
type Describer interface {
	Client
	DescribeWorkflowExecution(ctx context.Context, workflowID, runID string) (*workflowservice.DescribeWorkflowExecutionResponse, error)
}

// Look signals the watch of an account, and starts it where it does not run (Temporal, "Signal-With-Start"). It has no
// timeout and no retry policy, for no error ends it. The error is Temporal's own.
func Look(ctx context.Context, c Client, account string, request workflows.LookRequest) error {
	_, err := c.SignalWithStartWorkflow(ctx, workflows.WatchID(account), workflows.SignalLook, request, client.StartWorkflowOptions{
		TaskQueue:             workflows.TaskQueue(account),
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		StaticSummary:         workflows.WatchSummary(account),
		TypedSearchAttributes: workflows.WatchAttributes(account),
	}, workflows.WatchWorkflow, workflows.WatchInput{Account: account})
	return err
}

// Revive starts the watch of an account where it does not run, because somebody terminated it or Temporal forgot it, and
// tells whether it did. One that runs is not disturbed. The error is Temporal's own.
func Revive(ctx context.Context, c Describer, account string) (bool, error) {
	found, err := c.DescribeWorkflowExecution(ctx, workflows.WatchID(account), "")
	var unknown *serviceerror.NotFound
	switch {
	case err != nil && !errors.As(err, &unknown):
		return false, err
	case err == nil && found.GetWorkflowExecutionInfo().GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING:
		return false, nil
	}
	return true, Look(ctx, c, account, workflows.LookRequest{})
}
