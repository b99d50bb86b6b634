package main

import (
	"context"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/publication"
	"postonce/workflows"
)

// engineStartsEachKind: each kind of operation has its own workflow, and all of them are listed.
func engineStartsEachKind(t *testing.T, e *temporalEngine) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	base := publication.Base{ID: "id-1", Payload: olaPayload()}
	for op, want := range map[publication.OperationID]string{
		"revise/bia/ola/draft-id-1": workflows.ReviseWorkflow, "remove/bia/ola": workflows.RemoveWorkflow, "track/bia/ola": workflows.TrackWorkflow,
	} {
		if err := e.Start(ctx, changeOf(op, base, olaPayload(), "eva")); err != nil {
			t.Fatal(err)
		}
		if s, err := e.Result(ctx, op); err != nil || s.Known != want {
			t.Errorf("%s: %q, %v; want %q", op, s.Known, err, want)
		}
		for f := (filter{Account: "bia", Limit: 10}); !lists(t, e, f, op); {
			if ctx.Err() != nil {
				t.Fatalf("%s is not listed: %v", op, ctx.Err())
			}
		}
	}
}

// playKind tells which workflow it is.
func playKind(ctx workflow.Context, in workflows.PublishInput) (publication.Snapshot, error) {
	account := temporal.NewSearchAttributeKeyKeyword(workflows.AttributeAccount)
	err := workflow.UpsertTypedSearchAttributes(ctx, account.ValueSet(in.Operation.Account()))
	return publication.Snapshot{Operation: in.Operation, Known: workflow.GetInfo(ctx).WorkflowType.Name}, err
}
