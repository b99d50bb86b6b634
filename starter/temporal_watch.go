package main

import (
	"context"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"postonce/activities/api"
	"postonce/workflows"
)

// lookAnswer is what the drift watch says of one request.
type lookAnswer = api.LookAnswer

// Look starts the watch as a worker does, where none runs.
func (t *temporalEngine) Look(ctx context.Context, account string, request workflows.LookRequest) error {
	_, err := t.client.SignalWithStartWorkflow(ctx, workflows.WatchID(account), workflows.SignalLook, request, startWatch(account), workflows.WatchWorkflow, workflows.WatchInput{Account: account})
	return temporalError(err)
}

func (t *temporalEngine) Watched(ctx context.Context, account string) (workflows.WatchStatus, error) {
	var s workflows.WatchStatus
	asking, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	value, err := t.client.QueryWorkflow(asking, workflows.WatchID(account), "", workflows.QueryStatus)
	if err != nil {
		return s, queryError(ctx, err)
	}
	if err := value.Get(&s); err != nil {
		return s, &unansweredError{fmt.Errorf("the answer cannot be read: %w", err)}
	}
	return s, nil
}

// startWatch are the options under which the watch is started; it has no timeout and no retry policy, for no error ends it.
func startWatch(account string) client.StartWorkflowOptions {
	return client.StartWorkflowOptions{
		TaskQueue:             workflows.TaskQueue(account),
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		StaticSummary:         workflows.WatchSummary(account),
		TypedSearchAttributes: workflows.WatchAttributes(account),
	}
}
