package workflows

import (
	"os"
	"path/filepath"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
)

// histories were recorded by the stories of e2e on a real server: `make histories`. A change of a workflow's commands
// that breaks one of them would break publications that are parked now; it goes through workflow.GetVersion.
func histories(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/histories/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d histories, %v; record them with `make histories`", len(files), err)
	}
	return files
}

// T30: the code of today replays every recorded path, parked ones too.
func TestRecordedHistoriesReplay(t *testing.T) {
	replayer := worker.NewWorkflowReplayer()
	flows := &Workflows{Settings: DefaultSettings()}
	replayer.RegisterWorkflowWithOptions(flows.Publish, workflow.RegisterOptions{Name: PublishWorkflow})
	replayer.RegisterWorkflowWithOptions(flows.Publish, workflow.RegisterOptions{Name: ReviseWorkflow})
	replayer.RegisterWorkflowWithOptions(flows.Publish, workflow.RegisterOptions{Name: RemoveWorkflow})
	replayer.RegisterWorkflowWithOptions(flows.Track, workflow.RegisterOptions{Name: TrackWorkflow})
	replayer.RegisterWorkflowWithOptions(flows.RepairRecord, workflow.RegisterOptions{Name: RepairRecordWorkflow})
	replayer.RegisterWorkflowWithOptions(flows.Watch, workflow.RegisterOptions{Name: WatchWorkflow})
	for _, file := range histories(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if err := replayer.ReplayWorkflowHistoryFromJSONFile(nil, file); err != nil {
				t.Error(err)
			}
		})
	}
}

// T06: whoever loosens the options of the send in a refactoring meets this test.
func TestRecordedSendsAreNeverRetried(t *testing.T) {
	sends := 0
	for _, file := range histories(t) {
		for _, event := range load(t, file).Events {
			scheduled := event.GetActivityTaskScheduledEventAttributes()
			if scheduled.GetActivityType().GetName() == api.Send {
				sends++
			} else {
				continue
			}
			policy := scheduled.GetRetryPolicy()
			if policy.GetMaximumAttempts() != 1 || len(policy.GetNonRetryableErrorTypes()) != 3 {
				t.Errorf("%s: a send may be retried: %v", file, policy)
			}
			if scheduled.GetHeartbeatTimeout().AsDuration() != 0 || scheduled.GetStartToCloseTimeout().AsDuration() == 0 {
				t.Errorf("%s: timeouts %v, %v", file, scheduled.GetHeartbeatTimeout(), scheduled.GetStartToCloseTimeout())
			}
		}
		for _, event := range load(t, file).Events {
			if event.EventType == enumspb.EVENT_TYPE_ACTIVITY_TASK_STARTED && event.GetActivityTaskStartedEventAttributes().GetAttempt() > 1 && isSend(load(t, file), event) {
				t.Errorf("%s: a send was started a second time", file)
			}
		}
	}
	if sends == 0 {
		t.Error("no history holds a send")
	}
}

func isSend(h *historypb.History, started *historypb.HistoryEvent) bool {
	id := started.GetActivityTaskStartedEventAttributes().GetScheduledEventId()
	for _, event := range h.Events {
		if event.EventId == id {
			return event.GetActivityTaskScheduledEventAttributes().GetActivityType().GetName() == api.Send
		}
	}
	return false
}

func load(t *testing.T, file string) *historypb.History {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var h historypb.History
	if err := (temporalproto.CustomJSONUnmarshalOptions{}).Unmarshal(raw, &h); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return &h
}
