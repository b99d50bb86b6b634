package main

import (
	"context"
	"errors"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/publication"
)

// Result waits for the end of the newest run. A rejected operation fails its run, with the snapshot in the failure, and
// a withdrawn one cancels it so.
func (t *temporalEngine) Result(ctx context.Context, op publication.OperationID) (publication.Snapshot, error) {
	var s publication.Snapshot
	err := t.client.GetWorkflow(ctx, string(op), "").Get(ctx, &s)
	if err == nil {
		return s, nil
	}
	var ended *temporal.WorkflowExecutionError
	if !errors.As(err, &ended) {
		return s, temporalError(err)
	}
	var application *temporal.ApplicationError
	if errors.As(err, &application) && application.Type() == api.ErrorRejected && application.Details(&s) == nil {
		return s, nil
	}
	var withdrawn *temporal.CanceledError
	if errors.As(err, &withdrawn) && withdrawn.HasDetails() && withdrawn.Details(&s) == nil && s.Operation == op {
		return s, nil
	}
	return publication.Snapshot{}, &endedError{op: op, how: endOf(ended)}
}

func endOf(err error) string {
	var (
		canceled   *temporal.CanceledError
		terminated *temporal.TerminatedError
		timeout    *temporal.TimeoutError
	)
	switch {
	case errors.As(err, &canceled):
		return "cancelled"
	case errors.As(err, &terminated):
		return "terminated"
	case errors.As(err, &timeout):
		return "timed out"
	}
	return "ended by a failure (" + errors.Unwrap(err).Error() + ")"
}
