package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/sdk/converter"

	"postonce/publication"
	"postonce/starter/runs"
	"postonce/workflows"
)

func (t *temporalEngine) Describe(ctx context.Context, op publication.OperationID) (execution, error) {
	answer, err := t.client.DescribeWorkflow(ctx, string(op), "")
	if err != nil {
		return execution{}, temporalError(err)
	}
	return executionOf(answer.RawResponse.GetWorkflowExecutionInfo()), nil
}

func executionOf(info *workflowpb.WorkflowExecutionInfo) execution {
	attributes := info.GetSearchAttributes().GetIndexedFields()
	status := info.GetStatus()
	return execution{
		Operation: publication.OperationID(info.GetExecution().GetWorkflowId()),
		Open:      status == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING || status == enumspb.WORKFLOW_EXECUTION_STATUS_PAUSED,
		Failed:    mayStartAgain(status),
		Status:    strings.ToLower(status.String()),
		State:     publication.State(keyword(attributes, workflows.AttributeState)),
	}
}

// mayStartAgain is what ALLOW_DUPLICATE_FAILED_ONLY lets start again.
func mayStartAgain(status enumspb.WorkflowExecutionStatus) bool {
	switch status {
	case enumspb.WORKFLOW_EXECUTION_STATUS_FAILED, enumspb.WORKFLOW_EXECUTION_STATUS_CANCELED,
		enumspb.WORKFLOW_EXECUTION_STATUS_TERMINATED, enumspb.WORKFLOW_EXECUTION_STATUS_TIMED_OUT:
		return true
	}
	return false
}

// keyword reads a search attribute, or nothing when it is not set.
func keyword(attributes map[string]*commonpb.Payload, name string) string {
	var value string
	if payload, ok := attributes[name]; ok {
		_ = converter.GetDefaultDataConverter().FromPayload(payload, &value) // another type: as if it were not set
	}
	return value
}

// Input reads the first event of the newest run.
func (t *temporalEngine) Input(ctx context.Context, op publication.OperationID) (workflows.PublishInput, error) {
	var in workflows.PublishInput
	events := t.client.GetWorkflowHistory(ctx, string(op), "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	if !events.HasNext() {
		return in, errors.New("Temporal: the history is empty")
	}
	event, err := events.Next()
	if err != nil {
		return in, temporalError(err)
	}
	input := event.GetWorkflowExecutionStartedEventAttributes().GetInput()
	return in, converter.GetDefaultDataConverter().FromPayloads(input, &in)
}

func (t *temporalEngine) List(ctx context.Context, f filter) ([]execution, error) {
	var found []execution
	seen := map[publication.OperationID]bool{}
	for info, err := range runs.Executions(ctx, t.client, f.query()) {
		if err != nil {
			return nil, temporalError(err)
		}
		run := executionOf(info)
		if seen[run.Operation] || f.Account != "" && run.Operation.Account() != f.Account {
			continue // an earlier run of it, or another account's that has no attributes yet
		}
		seen[run.Operation] = true
		if found = append(found, run); len(found) == f.Limit {
			break
		}
	}
	return found, nil
}

// query is in Temporal's list filter language; state and account were checked and hold no quotes. What no worker has
// opened yet has no search attributes, and may be of any account, and in a state before the first send.
func (f filter) query() string {
	var types []string
	for _, kind := range publication.Kinds() {
		types = append(types, "'"+workflows.WorkflowOf(kind)+"'")
	}
	parts := []string{"WorkflowType IN (" + strings.Join(types, ", ") + ")"}
	switch f.State {
	case "":
	case publication.StateProposed, publication.StatePlanned:
		parts = append(parts, fmt.Sprintf("(%[1]s = '%[2]s' OR %[1]s IS NULL)", workflows.AttributeState, f.State))
	default:
		parts = append(parts, fmt.Sprintf("%s = '%s'", workflows.AttributeState, f.State))
	}
	if f.Account != "" {
		parts = append(parts, fmt.Sprintf("(%[1]s = '%[2]s' OR %[1]s IS NULL)", workflows.AttributeAccount, f.Account))
	}
	return strings.Join(parts, " AND ")
}
