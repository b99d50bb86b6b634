package e2e

import (
	"encoding/json"
	"testing"
	"time"

	"postonce/publication"
)

// The ledger is lost under a publication that is running: it goes on without a second send, and its record is rebuilt by
// the next worker, which makes the tables.
func TestTheLedgerLostUnderARunningPublication(t *testing.T) {
	stack := own(t)
	for _, c := range []struct {
		name, slug string
		at         func(*story)
	}{
		{"before the claim", "perdido-antes", func(s *story) {
			s.fault("read", "stall_after_store", 3*time.Second)
			s.launch()
			s.untilPlanned()
		}},
		{"while sending", "perdido-durante", func(s *story) {
			s.fault("create", "stall_after_store", 3*time.Second)
			s.launch()
			s.untilPosts(1)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t, stack, c.slug)
			first := s.worker("POSTONCE_SEND_TIMEOUT=20s")
			c.at(s)
			s.dropLedger()
			s.worker("POSTONCE_SEND_TIMEOUT=20s")
			s.untilRecorded()
			s.wantAccepted(s.until("the end", matched))
			s.want(1, 1)
			if err := first.Stop(s.context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// Temporal's retention is over and the workflow's ID is free again: the ledger refuses, also where a run is started
// without asking it before.
func TestTheLedgerRefusesOnceRetentionIsOver(t *testing.T) {
	s := newStory(t, shared, "depois-da-retencao")
	before := s.publish(exitAccepted)
	input := s.startedInput()
	if code, out, talk := s.command("temporal", "workflow", "delete", "--workflow-id", s.operation()); code != 0 {
		t.Fatalf("delete: %s%s", out, talk)
	}
	s.tick("the end of the run's retention", func() bool {
		code, _, _ := s.command("temporal", "workflow", "describe", "--workflow-id", s.operation())
		return code != 0
	})
	if again := s.publish(exitAccepted); *again.Identity != *before.Identity {
		t.Errorf("published again: %+v", again)
	}
	if code, out, talk := s.command("temporal", "workflow", "start", "--workflow-id", s.operation(), "--type", "Publish",
		"--task-queue", "tabnews/autora", "--input", input); code != 0 {
		t.Fatalf("start: %s%s", out, talk)
	}
	after := s.until("the run's end", matched)
	if after.State != publication.StateAccepted || *after.Identity != *before.Identity || len(after.Attempts) != 1 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	s.want(1, 1)
}

// startedInput is what the story's run was started with, as JSON.
func (s *story) startedInput() string {
	s.t.Helper()
	code, out, talk := s.command("temporal", "workflow", "show", "--workflow-id", s.operation(), "-o", "json")
	var history struct {
		Events []struct {
			Started struct {
				Input struct {
					Payloads []struct{ Data []byte } // Base64
				}
			} `json:"workflowExecutionStartedEventAttributes"`
		}
	}
	if err := json.Unmarshal([]byte(out), &history); err != nil || code != 0 || len(history.Events[0].Started.Input.Payloads) != 1 {
		s.t.Fatalf("the history: %v %s%s", err, out, talk)
	}
	return string(history.Events[0].Started.Input.Payloads[0].Data)
}
