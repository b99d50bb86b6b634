package main

import (
	"context"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/starter/audit"
	"postonce/workflows"
)

// repair is what --fix did about one operation.
type repair struct {
	Operation publication.OperationID `json:"operation"`
	State     publication.State       `json:"state"`             // what the ledger holds now; empty: it could not be read
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
		one := w.fixOne(ctx, *d.Repair)
		a.say("%s", one.words())
		if ctx.Err() != nil {
			return done, failed(ctx.Err())
		}
		done = append(done, one)
	}
	return done, nil
}

// fixOne lets one record be written, and then looks at what the ledger holds.
func (w *worlds) fixOne(ctx context.Context, in api.RecordInput) repair {
	op := in.Snapshot.Operation
	one := repair{Operation: op}
	failed := w.engine.repair(ctx, in)
	held, err := w.ledger.Load(ctx, op)
	if err == nil {
		one.State = held.State
	}
	switch missing := unrecorded(held, in.Snapshot); {
	case failed != nil:
		one.Problem = failed.Error()
	case err != nil:
		one.Problem = "it was written, and cannot be read: " + err.Error()
	case missing != "":
		one.Problem = missing
	}
	return one
}

// unrecorded says what the ledger does not hold of a snapshot, although it was written; empty: all of it.
func unrecorded(held ledger.Record, told publication.Snapshot) string {
	known := publication.Snapshot{Attempts: held.Attempts}
	for _, a := range told.Attempts {
		if a.Outcome.MayHaveCreated() && known.Lacks(a) {
			return fmt.Sprintf("attempt %d, which may have created something, was not taken", a.Number)
		}
	}
	switch {
	case told.Identity != nil && held.Identity == nil:
		return fmt.Sprintf("the identity %s was not taken: the ledger knows otherwise", told.Identity.ID)
	case told.Identity != nil && told.Identity.ID != held.Identity.ID:
		return fmt.Sprintf("the ledger holds the identity %s, not %s", held.Identity.ID, told.Identity.ID)
	case held.State != told.State:
		return fmt.Sprintf("the run tells %s, and the ledger knows otherwise", told.State)
	}
	return ""
}

func (r repair) words() string {
	switch {
	case r.Problem == "":
		return fmt.Sprintf("%s: recorded; the ledger holds it as %s", r.Operation, r.State)
	case r.State == "":
		return fmt.Sprintf("%s: not recorded yet: %s", r.Operation, r.Problem)
	}
	return fmt.Sprintf("%s: %s; the ledger holds it as %s", r.Operation, r.Problem, r.State)
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
