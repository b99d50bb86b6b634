package runs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	failurepb "go.temporal.io/api/failure/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"postonce/activities/api"
	"postonce/publication"
)

// recorded gives the histories that the stories left, by name.
func recorded(t *testing.T) map[string][]*historypb.HistoryEvent {
	t.Helper()
	files, err := filepath.Glob("../../workflows/testdata/histories/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no histories: %v", err)
	}
	histories := map[string][]*historypb.HistoryEvent{}
	for _, name := range files {
		if strings.HasSuffix(name, "-repair.json") {
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		history, err := client.HistoryFromJSON(file, client.HistoryJSONOptions{})
		file.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		histories[filepath.Base(name)] = history.GetEvents()
	}
	return histories
}

func folded(t *testing.T, events []*historypb.HistoryEvent) Run {
	t.Helper()
	var f *fold
	for _, e := range events {
		if f == nil {
			started := newFold("", "run")
			started.add(e)
			f = newFold(started.run.Input.Operation, "run")
		}
		f.add(e)
	}
	return f.run
}

// A run that was terminated one event before its end tells as much as the one that ended: every identity and every
// doubt is in the answers of its activities.
func TestAHistoryTellsWhatItsResultWould(t *testing.T) {
	ends := 0
	for name, events := range recorded(t) {
		whole := folded(t, events)
		if whole.Open || whole.Snapshot().Operation == "" || whole.Status != "completed" && whole.Status != "failed" {
			continue
		}
		ends++
		cut := folded(t, events[:len(events)-1])
		got, want := cut.Snapshot(), whole.Snapshot()
		if !cut.Open || got.State != want.State || (got.Identity == nil) != (want.Identity == nil) || want.Identity != nil && *got.Identity != *want.Identity {
			t.Errorf("%s: without its end: %s %v, with it: %s %v", name, got.State, got.Identity, want.State, want.Identity)
		}
		if len(got.Attempts) != len(want.Attempts) || cut.Known.Payload != whole.Known.Payload {
			t.Errorf("%s: attempts %+v, want %+v", name, got.Attempts, want.Attempts)
		}
	}
	if ends < 20 {
		t.Errorf("only %d histories have an end", ends)
	}
}

// Wherever a history is cut: what may have been sent is never taken for unsent, and an identity stays once it is there.
func TestAHistoryCutAnywhereHidesNothing(t *testing.T) {
	for name, events := range recorded(t) {
		for n := 1; n <= len(events); n++ {
			run, before := folded(t, events[:n]), folded(t, events[:max(n-1, 1)])
			s := run.Snapshot()
			if before.Identity() != nil && run.Identity() == nil {
				t.Errorf("%s: the identity was lost at event %d", name, n)
			}
			if (s.State == publication.StateAccepted) != (run.Identity() != nil) {
				t.Errorf("%s: at event %d it is %s with the identity %v", name, n, s.State, run.Identity())
			}
			if events[n-1].GetActivityTaskScheduledEventAttributes().GetActivityType().GetName() == "Send" && !run.Sent() {
				t.Errorf("%s: at event %d a send was ordered and none is known", name, n)
			}
			if run.Sent() && (s.State == publication.StateProposed || s.State == publication.StatePlanned || s.State == publication.StateRejected) {
				t.Errorf("%s: at event %d an attempt may have created content, and it is %s", name, n, s.State)
			}
		}
	}
}

// The worker died after the answer: the heartbeat in the time-out is all that is left of the identity.
func TestAHeartbeatIsFoundInATimeout(t *testing.T) {
	identity := publication.Identity{ID: "5b1f6a0e-4f0c-4b8e-9a40-6cf4a4dc54a1", OwnerUsername: "autora", Slug: "ola", Status: publication.StatusPublished}
	details, err := converter.GetDefaultDataConverter().ToPayloads(identity)
	if err != nil {
		t.Fatal(err)
	}
	events := recorded(t)["TestAbandonedSendsNothingMore.json"]
	send := slices.IndexFunc(events, func(e *historypb.HistoryEvent) bool {
		return e.GetActivityTaskScheduledEventAttributes().GetActivityType().GetName() == api.Send
	})
	timeout := func(details *commonpb.Payloads) *historypb.HistoryEvent {
		return &historypb.HistoryEvent{EventId: events[send].GetEventId() + 2, EventType: enumspb.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT,
			Attributes: &historypb.HistoryEvent_ActivityTaskTimedOutEventAttributes{ActivityTaskTimedOutEventAttributes: &historypb.ActivityTaskTimedOutEventAttributes{
				ScheduledEventId: events[send].GetEventId(), Failure: &failurepb.Failure{FailureInfo: &failurepb.Failure_TimeoutFailureInfo{
					TimeoutFailureInfo: &failurepb.TimeoutFailureInfo{TimeoutType: enumspb.TIMEOUT_TYPE_START_TO_CLOSE, LastHeartbeatDetails: details}}}}}}
	}
	run := folded(t, append(events[:send+1:send+1], timeout(details)))
	if got := run.Identity(); got == nil || *got != identity || run.Snapshot().State != publication.StateAccepted {
		t.Errorf("got %v, %s", got, run.Snapshot().State)
	}
	if silent := folded(t, append(events[:send+1:send+1], timeout(nil))); silent.Identity() != nil || !silent.Sent() {
		t.Errorf("silence was taken for %+v", silent.Snapshot())
	}
}
