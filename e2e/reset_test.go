package e2e

import (
	"encoding/json"
	"fmt"
	"testing"

	"postonce/publication"
)

// An operator's reset to any task of the workflow, whatever the operation had come to: no second POST, and the same end.
func TestResetToEveryTaskEndsTheSame(t *testing.T) {
	for state, prepare := range map[publication.State]func(*story){
		publication.StateAccepted: func(s *story) { s.publish(exitAccepted) },
		publication.StateUnknown: func(s *story) {
			s.fault("create", "drop_after_store", 0)
			s.publish(exitUnknown)
		},
		publication.StateAbandoned: func(s *story) {
			s.fault("create", "drop_before_store", 0)
			s.publish(exitUnknown)
			s.starter("resolve", s.operation(), "--abandon", "--attempt", "1", "--by", "ana", "--reason", "no longer wanted")
		},
	} {
		t.Run(string(state), func(t *testing.T) {
			s := newStory(t, shared, "volta-"+string(state))
			prepare(s)
			before := s.status()
			for _, event := range s.tasks() {
				s.reset(event)
				after := s.until(fmt.Sprintf("the end after a reset to event %d", event), func(now publication.Snapshot) bool {
					return now.State == before.State && now.Verification == before.Verification && now.Parked == before.Parked
				})
				if before.Identity != nil && (after.Identity == nil || *after.Identity != *before.Identity) {
					t.Errorf("event %d: before %+v, after %+v", event, before.Identity, after.Identity)
				}
				s.want(1, len(s.rows()))
			}
		})
	}
}

// tasks are the events of the first run that a reset may go back to.
func (s *story) tasks() []int64 {
	s.t.Helper()
	_, out, _ := s.command("temporal", "workflow", "show", "--workflow-id", s.operation(), "-o", "json")
	var history struct {
		Events []struct {
			EventID   string `json:"eventId"`
			EventType string `json:"eventType"`
		} `json:"events"`
	}
	if err := json.Unmarshal([]byte(out), &history); err != nil {
		s.t.Fatal(err)
	}
	var ids []int64
	for _, e := range history.Events {
		var id int64
		if _, err := fmt.Sscan(e.EventID, &id); err == nil && e.EventType == "EVENT_TYPE_WORKFLOW_TASK_COMPLETED" {
			ids = append(ids, id)
		}
	}
	if len(ids) < 3 {
		s.t.Fatalf("only %d tasks in %s", len(ids), out)
	}
	return ids
}

func (s *story) reset(event int64) {
	s.t.Helper()
	if code, out, talk := s.command("temporal", "workflow", "reset", "--workflow-id", s.operation(), "--run-id", s.firstRun(), "--event-id", fmt.Sprint(event), "--reason", "an operator's button"); code != 0 {
		s.t.Fatalf("reset to event %d: %s%s", event, out, talk)
	}
}

// firstRun is the run that the story began with; resets make others.
func (s *story) firstRun() string {
	s.t.Helper()
	if s.began == "" {
		_, out, _ := s.command("temporal", "workflow", "describe", "--workflow-id", s.operation(), "-o", "json")
		var described struct {
			WorkflowExecutionInfo struct {
				Execution struct {
					RunID string `json:"runId"`
				}
			} `json:"workflowExecutionInfo"`
		}
		if err := json.Unmarshal([]byte(out), &described); err != nil {
			s.t.Fatal(err)
		}
		s.began = described.WorkflowExecutionInfo.Execution.RunID
	}
	return s.began
}

// An approval is used up: a reset that applies its signal again approves nothing that was proposed since.
func TestAnOldApprovalAppliedAgainApprovesNothing(t *testing.T) {
	s := newStory(t, shared, "aprovado-uma-vez")
	s.createByHand("draft")
	s.starter("publish", "--propose", s.file)
	s.firstRun()
	digest := s.status().Digest
	s.command("temporal", "workflow", "signal", "--workflow-id", s.operation(), "--name", "approve", "--input", fmt.Sprintf(`{"by":"bea","digest":"%s"}`, digest))
	s.until("the refusal by TabNews", inState(publication.StateRejected))
	s.control("POST", "moderate", map[string]string{"owner": "autora", "slug": s.slug, "action": "delete"}, nil)
	if code, snap := s.starter("publish", "--propose", s.file); code != exitWaiting || snap.State != publication.StateProposed {
		t.Fatalf("proposed again: exit %d, %+v", code, snap)
	}
	posts := len(s.posts())
	s.reset(4) // the first task of every run ends at event 4
	snap := s.until("the proposal", func(now publication.Snapshot) bool { return now.State == publication.StateProposed && now.Parked })
	if len(s.posts()) != posts {
		t.Errorf("an approval was used twice: %+v", snap.Decisions)
	}
}
