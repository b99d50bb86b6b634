package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"postonce/publication"
	"postonce/workflows"
)

// temporalEngine is the engine on a real Temporal.
type temporalEngine struct {
	client   client.Client
	patience time.Duration // with a worker that is asked; queryTimeout
}

func (t *temporalEngine) Close() { t.client.Close() }

// Start gives no timeout, no retry policy and no schedule to the workflow: a publication may wait for a person for
// weeks, and a second run must never come about by itself.
func (t *temporalEngine) Start(ctx context.Context, in workflows.PublishInput) error {
	options := client.StartWorkflowOptions{
		ID:                       string(in.Operation),
		TaskQueue:                workflows.TaskQueue(in.Operation.Account()),
		WorkflowIDReusePolicy:    reusePolicy(in.Operation.Kind()),
		WorkflowIDConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		// Without it the SDK returns the run that exists, as if it had been started now.
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		StaticSummary:                            summaryOf(in),
		StaticDetails:                            detailsOf(in),
	}
	_, err := t.client.ExecuteWorkflow(ctx, options, workflows.WorkflowOf(in.Operation.Kind()), in)
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if errors.As(err, &started) {
		return errStarted
	}
	return temporalError(err)
}

// reusePolicy lets nothing that was sent start again after it completed. Taking up content sends nothing, and what is
// there may be another content by now.
func reusePolicy(kind publication.Kind) enumspb.WorkflowIdReusePolicy {
	if kind == publication.KindTrack {
		return enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE
	}
	return enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY
}

func (t *temporalEngine) Signal(ctx context.Context, op publication.OperationID, name string, input any) error {
	return temporalError(t.client.SignalWorkflow(ctx, string(op), "", name, input))
}

// Status asks a worker. Whatever keeps a worker from answering is an *unansweredError, with Temporal's words.
func (t *temporalEngine) Status(ctx context.Context, op publication.OperationID) (publication.Snapshot, error) {
	var s publication.Snapshot
	asking, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	value, err := t.client.QueryWorkflow(asking, string(op), "", workflows.QueryStatus)
	if err != nil {
		return s, queryError(ctx, err)
	}
	if err := value.Get(&s); err != nil {
		return s, &unansweredError{fmt.Errorf("the answer cannot be read: %w", err)}
	}
	return s, nil
}

// queryError tells a worker that does not answer from a Temporal that does not.
func queryError(ctx context.Context, err error) error {
	var (
		failed   *serviceerror.QueryFailed
		precond  *serviceerror.FailedPrecondition
		deadline *serviceerror.DeadlineExceeded
	)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &failed), errors.As(err, &precond), errors.As(err, &deadline), errors.Is(err, context.DeadlineExceeded):
		return &unansweredError{err}
	}
	return temporalError(err)
}

// pollerAge is how long ago a worker may have asked for work to count as there. A poll lasts a minute, and Temporal
// lists those who asked within five.
const pollerAge = 90 * time.Second

func (t *temporalEngine) Polled(ctx context.Context, account string) (bool, error) {
	answer, err := t.client.DescribeTaskQueue(ctx, workflows.TaskQueue(account), enumspb.TASK_QUEUE_TYPE_WORKFLOW)
	if err != nil {
		return false, temporalError(err)
	}
	for _, poller := range answer.GetPollers() {
		if time.Since(poller.GetLastAccessTime().AsTime()) < pollerAge {
			return true, nil
		}
	}
	return false, nil
}

// temporalError names Temporal in front of what it says, and the way out where there is one.
func temporalError(err error) error {
	var (
		canceled  *serviceerror.Canceled
		notFound  *serviceerror.NotFound
		namespace *serviceerror.NamespaceNotFound
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &canceled):
		return context.Canceled
	case errors.As(err, &namespace):
		return fmt.Errorf("Temporal: namespace %q is not there: set TEMPORAL_NAMESPACE (%w)", namespace.Namespace, err)
	case errors.As(err, &notFound):
		return errNotKnown
	}
	return fmt.Errorf("Temporal: %w", err)
}
