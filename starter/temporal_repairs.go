package main

import (
	"context"
	"fmt"

	"postonce/publication"
	"postonce/starter/runs"
	"postonce/workflows"
)

// Repairs gives the operations whose repair runs, newest first, at most f.Limit. The account is read from the workflow
// ID, for repairs that an earlier version started have no search attributes.
func (t *temporalEngine) Repairs(ctx context.Context, f filter) ([]publication.OperationID, error) {
	var found []publication.OperationID
	query := fmt.Sprintf("WorkflowType = '%s' AND ExecutionStatus = 'Running'", workflows.RepairRecordWorkflow)
	for info, err := range runs.Executions(ctx, t.client, query) {
		if err != nil {
			return nil, temporalError(err)
		}
		op, _ := workflows.OperationOf(info.GetExecution().GetWorkflowId())
		if f.Account != "" && op.Account() != f.Account {
			continue
		}
		if found = append(found, op); len(found) == f.Limit {
			break
		}
	}
	return found, nil
}
