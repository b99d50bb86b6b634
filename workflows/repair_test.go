package workflows

import (
	"context"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"

	"postonce/activities/api"
)

// The ledger tells a repair from the record of the workflow itself, and a repair is tried again while the ledger is away.
func TestARepairSaysThatItIsOneAndIsTriedAgain(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	tries := 0
	env.RegisterActivityWithOptions(func(_ context.Context, in api.RecordInput) error {
		if tries++; !in.Repair || in.Payload != payload {
			t.Errorf("try %d records %+v", tries, in)
		}
		if tries < 8 {
			return context.DeadlineExceeded
		}
		return nil
	}, activity.RegisterOptions{Name: api.Record})
	settings := Settings{ActivityTimeout: time.Second}
	env.ExecuteWorkflow((&Workflows{Settings: settings}).RepairRecord, api.RecordInput{Payload: payload})
	if err := env.GetWorkflowError(); err != nil || tries != 8 {
		t.Errorf("%v after %d tries", err, tries)
	}
}
