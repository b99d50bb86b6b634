package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"postonce/ledger"
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
	s.eventually("the repair in the list", func() (bool, any) { listed := s.repairs(); return slices.Contains(listed, s.operation()), listed })
	s.eventually("the repair by its publication", func() (bool, any) {
		_, out, _ := s.command("temporal", "workflow", "list", "--query", "WorkflowType = 'RepairRecord' AND PublicationRef = 'autora/reparo' AND PublicationAccount = 'autora'", "-o", "json")
		return strings.Contains(out, "repair/"+s.operation()), out
	})
	if err := s.stack.Postgres().Restart(s.context()); err != nil {
		t.Fatal(err)
	}
	if code, out, talk := s.command("temporal", "workflow", "result", "--workflow-id", "repair/"+s.operation()); code != 0 {
		t.Fatalf("the repair: %s%s", out, talk)
	}
	s.eventually("the empty list", func() (bool, any) { listed := s.repairs(); return len(listed) == 0, listed })

	events := s.events()
	sent, repaired := slices.Index(events, ledger.EventSent), slices.Index(events, ledger.EventRepaired)
	if sent < slices.Index(events, ledger.EventClaimed) || repaired != len(events)-1 {
		t.Errorf("the history is %s", events)
	}
	code, out, _ := s.command("starter", "usage", "--csv")
	if want := s.claim(s.operation()).UTC().Format(time.DateOnly) + ",autora,default,1,1,0,0,0,0,0,0\n"; code != 0 || !strings.HasSuffix(out, want) {
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

// history are the entries about the story's publication, oldest first.
func (s *story) history() []ledger.Entry {
	s.t.Helper()
	code, out, talk := s.command("starter", "history", s.operation(), "--json")
	var entries []ledger.Entry
	if err := json.Unmarshal([]byte(out), &entries); err != nil || code != 0 {
		s.t.Fatalf("exit %d, %v: %s%s", code, err, out, talk)
	}
	return entries
}

// events are those of the history.
func (s *story) events() (events []ledger.Event) {
	s.t.Helper()
	for _, e := range s.history() {
		events = append(events, e.Event)
	}
	return events
}
