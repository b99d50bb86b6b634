package main

import (
	"context"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"postonce/activities/api"
	"postonce/publication"
	"postonce/starter/audit"
	"postonce/workflows"
)

// repair is what --fix did about one operation.
type repair struct {
	Operation publication.OperationID `json:"operation"`
	State     publication.State       `json:"state"`             // what was recorded
	Problem   string                  `json:"problem,omitempty"` // why it is not recorded yet
}

// repairPatience is how long --fix waits for a worker to write one record.
const repairPatience = 30 * time.Second

// fix records what is proven. The worker writes, as it does after an acceptance: the same workflow, the same rules.
func (a *app) fix(ctx context.Context, w *worlds, r audit.Report) ([]repair, error) {
	var done []repair
	for _, d := range r.Differences {
		if d.Repair == nil {
			continue
		}
		if len(done) == 0 {
			if err := w.ledger.Migrate(ctx); err != nil { // a ledger that was lost has no tables
				return nil, failed(err)
			}
		}
		one := repair{Operation: d.Operation, State: d.Repair.Snapshot.State}
		if err := w.engine.repair(ctx, *d.Repair); err != nil {
			one.Problem = err.Error()
			a.say("%s: not recorded yet: %s", d.Operation, err)
		} else {
			a.say("%s: recorded as %s", d.Operation, one.State)
		}
		if ctx.Err() != nil {
			return done, failed(ctx.Err())
		}
		done = append(done, one)
	}
	return done, nil
}

// repair runs RepairRecord and waits for it. It goes on without this program, for as long as it takes.
func (t *temporalEngine) repair(ctx context.Context, in api.RecordInput) error {
	op := in.Snapshot.Operation
	waiting, cancel := context.WithTimeout(ctx, repairPatience)
	defer cancel()
	run, err := t.client.ExecuteWorkflow(waiting, client.StartWorkflowOptions{
		ID: workflows.RepairID(op), TaskQueue: workflows.TaskQueue(op.Account()),
		WorkflowIDReusePolicy:    enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		StaticSummary:            workflows.RepairSummary(op),
		TypedSearchAttributes:    workflows.RepairAttributes(op),
	}, workflows.RepairRecordWorkflow, in)
	if err != nil {
		return temporalError(err)
	}
	err = run.Get(waiting, nil)
	if waiting.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("no worker wrote it within %s; the workflow %s goes on by itself", repairPatience, workflows.RepairID(op))
	}
	return err
}
