package runs

import (
	"context"
	"fmt"
	"iter"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"postonce/activities/api"
	"postonce/publication"
	"postonce/workflows"
)

// Lister lists runs; a client.Client does.
type Lister interface {
	ListWorkflow(context.Context, *workflowservice.ListWorkflowExecutionsRequest) (*workflowservice.ListWorkflowExecutionsResponse, error)
}

// Client is what is asked of Temporal; a client.Client has it.
type Client interface {
	Lister
	GetWorkflowHistory(ctx context.Context, workflowID, runID string, isLongPoll bool, filter enumspb.HistoryEventFilterType) client.HistoryEventIterator
	DescribeWorkflowExecution(ctx context.Context, workflowID, runID string) (*workflowservice.DescribeWorkflowExecutionResponse, error)
}

// Execution names one run that Temporal keeps.
type Execution struct {
	Operation publication.OperationID
	RunID     string
	Open      bool
	Repair    bool // it is the repair of the operation's record
}

// pageSize is how many runs are asked for at once.
const pageSize = 200

// List gives the runs that Temporal keeps of all kinds of operations and of their repairs, open ones first, then the
// newest first (Temporal, "List Filter"); at most limit. More tells that there are others.
func List(ctx context.Context, c Client, limit int) (found []Execution, more bool, err error) {
	for info, err := range Executions(ctx, c, query()) {
		switch {
		case err != nil:
			return nil, false, fmt.Errorf("Temporal: %w", err)
		case len(found) == limit:
			return found, true, nil
		}
		found = append(found, executionOf(info))
	}
	return found, false, nil
}

// Executions gives the runs that a list filter chooses, page after page (Temporal, "List Filter"). The error, which comes
// last, is Temporal's own.
func Executions(ctx context.Context, c Lister, query string) iter.Seq2[*workflowpb.WorkflowExecutionInfo, error] {
	return func(yield func(*workflowpb.WorkflowExecutionInfo, error) bool) {
		request := &workflowservice.ListWorkflowExecutionsRequest{PageSize: pageSize, Query: query}
		for more := true; more; more = len(request.NextPageToken) > 0 {
			answer, err := c.ListWorkflow(ctx, request)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, info := range answer.GetExecutions() {
				if !yield(info, nil) {
					return
				}
			}
			request.NextPageToken = answer.GetNextPageToken()
		}
	}
}

func query() string {
	names := []string{"'" + workflows.RepairRecordWorkflow + "'"}
	for _, kind := range publication.Kinds() {
		names = append(names, "'"+workflows.WorkflowOf(kind)+"'")
	}
	return "WorkflowType IN (" + strings.Join(names, ", ") + ")"
}

func executionOf(info *workflowpb.WorkflowExecutionInfo) Execution {
	op, repair := workflows.OperationOf(info.GetExecution().GetWorkflowId())
	status := info.GetStatus()
	return Execution{
		Operation: op, RunID: info.GetExecution().GetRunId(), Repair: repair,
		Open: status == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING || status == enumspb.WORKFLOW_EXECUTION_STATUS_PAUSED,
	}
}

// Read gives what one run's history tells. Of an open run it also asks for what a send that is still running has told
// by its heartbeat.
func Read(ctx context.Context, c Client, op publication.OperationID, runID string) (Run, error) {
	f := newFold(op, runID)
	events := c.GetWorkflowHistory(ctx, string(op), runID, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		if err != nil {
			return Run{}, fmt.Errorf("Temporal: the history of %s: %w", op, err)
		}
		f.add(event)
	}
	if f.run.Open {
		if err := f.pending(ctx, c); err != nil {
			return Run{}, err
		}
	}
	return f.run, nil
}

// pending takes the heartbeats of activities that have not ended.
func (f *fold) pending(ctx context.Context, c Client) error {
	answer, err := c.DescribeWorkflowExecution(ctx, string(f.run.Operation), f.run.RunID)
	if err != nil {
		return fmt.Errorf("Temporal: %s: %w", f.run.Operation, err)
	}
	for _, activity := range answer.GetPendingActivities() {
		if activity.GetActivityType().GetName() != api.Send {
			continue
		}
		if last := f.run.Known.Snapshot.LastAttempt(); last != nil {
			f.beaten(last.Number, activity.GetHeartbeatDetails())
		}
	}
	return nil
}
