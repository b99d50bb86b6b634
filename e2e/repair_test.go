package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// PostgreSQL is away after the 201. The repair can be found, in the list and by its publication in the Web UI's; it ends
// by itself, and the record then tells of the send, of the repair, and counts one creation.
func TestARepairIsListedAndTold(t *testing.T) {
	s := newStory(t, own(t), "reparo")
	s.worker("POSTONCE_SEND_TIMEOUT=20s")
	s.fault("create", "stall_after_store", 3*time.Second)
	s.launch()
	s.untilPosts(1)
	if err := s.stack.Postgres().Kill(); err != nil {
		t.Fatal(err)
	}
	if code, snap := s.starter("status", s.operation(), "--watch"); code != exitAccepted || snap.LocalRecord != publication.LocalPending {
		t.Fatalf("exit %d, %+v", code, snap)
	}
	s.eventually("the repair in the list", func() bool { return slices.Contains(s.repairs(), s.operation()) })
	s.eventually("the repair by its publication", func() bool {
		_, out, _ := s.command("temporal", "workflow", "list", "--query", "WorkflowType = 'RepairRecord' AND PublicationRef = 'autora/reparo' AND PublicationAccount = 'autora'", "-o", "json")
		return strings.Contains(out, "repair/"+s.operation())
	})
	if err := s.stack.Postgres().Restart(s.context()); err != nil {
		t.Fatal(err)
	}
	if code, out, talk := s.command("temporal", "workflow", "result", "--workflow-id", "repair/"+s.operation()); code != 0 {
		t.Fatalf("the repair: %s%s", out, talk)
	}
	s.eventually("the empty list", func() bool { return len(s.repairs()) == 0 })

	events := s.history()
	sent, repaired := slices.Index(events, "sent"), slices.Index(events, "repaired")
	if sent < slices.Index(events, "claimed") || repaired != len(events)-1 {
		t.Errorf("the history is %s", events)
	}
	code, out, _ := s.command("starter", "usage", "--csv")
	if want := time.Now().UTC().Format(time.DateOnly) + ",autora,default,1,1,0,0,0,0,0,0\n"; code != 0 || !strings.HasSuffix(out, want) {
		t.Errorf("usage: exit %d, %q, want %q", code, out, want)
	}
	s.want(1, 1)
}

// repairs are the operations that starter list --repair shows as being repaired.
func (s *story) repairs() []string {
	s.t.Helper()
	_, out, talk := s.command("starter", "list", "--repair", "--json")
	var listed []struct {
		Operation string
		Repairing bool
	}
	if err := json.Unmarshal([]byte(out), &listed); err != nil {
		s.t.Fatalf("%v: %s%s", err, out, talk)
	}
	var ops []string
	for _, each := range listed {
		if each.Repairing {
			ops = append(ops, each.Operation)
		}
	}
	return ops
}

// history are the story's events, oldest first.
func (s *story) history() []string {
	s.t.Helper()
	code, out, talk := s.command("starter", "history", s.operation(), "--json")
	var entries []struct{ Event string }
	if err := json.Unmarshal([]byte(out), &entries); err != nil || code != 0 {
		s.t.Fatalf("exit %d, %v: %s%s", code, err, out, talk)
	}
	var events []string
	for _, e := range entries {
		events = append(events, e.Event)
	}
	return events
}

// eventually waits for what comes a little later: Temporal's list lags behind.
func (s *story) eventually(what string, so func() bool) {
	s.t.Helper()
	ctx := s.context()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for !so() {
		select {
		case <-ctx.Done():
			s.t.Fatalf("%s never came", what)
		case <-ticker.C:
		}
	}
}
