package main

import (
	"context"
	"fmt"
	"strings"

	"go.temporal.io/api/workflowservice/v1"

	"postonce/publication"
	"postonce/workflows"
)

// Repairs gives the operations whose repair runs, newest first, at most f.Limit. The account is read from the workflow
// ID, for repairs that an earlier version started have no search attributes.
func (t *temporalEngine) Repairs(ctx context.Context, f filter) ([]publication.OperationID, error) {
	var found []publication.OperationID
	request := &workflowservice.ListWorkflowExecutionsRequest{PageSize: pageSize,
		Query: fmt.Sprintf("WorkflowType = '%s' AND ExecutionStatus = 'Running'", workflows.RepairRecordWorkflow)}
	for {
		answer, err := t.client.ListWorkflow(ctx, request)
		if err != nil {
			return nil, temporalError(err)
		}
		for _, info := range answer.GetExecutions() {
			op := publication.OperationID(strings.TrimPrefix(info.GetExecution().GetWorkflowId(), workflows.RepairID("")))
			if f.Account != "" && op.Account() != f.Account {
				continue
			}
			if found = append(found, op); len(found) == f.Limit {
				return found, nil
			}
		}
		request.NextPageToken = answer.GetNextPageToken()
		if len(request.NextPageToken) == 0 {
			return found, nil
		}
	}
}
