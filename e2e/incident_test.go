package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// T09: somebody else behind the same address creates too, and ours is the one too many. TabNews' firewall refuses it and
// hides what was created before: one arrival, the lane pauses, what is hidden is found and told, nothing is sent again.
func TestAForeignCreationMakesOursMeetTheFirewall(t *testing.T) {
	s := newStory(t, own(t), "antes-do-incidente")
	s.control(http.MethodPost, "settings", map[string]any{"firewall": true, "firewall_window_ms": (2 * time.Minute).Milliseconds()}, nil)
	s.worker()
	s.publish(exitAccepted)
	foreign := s.another("alheio")
	foreign.byHand("leitor", http.MethodPost, "", map[string]any{"title": "Alheio", "slug": foreign.slug, "body": "Um texto de outra pessoa.", "status": "published"})

	refused := s.another("recusado")
	snap := refused.publish(exitRejected)
	refused.want(1, 0)
	if !strings.Contains(snap.Known, "firewall") || !strings.Contains(snap.NextAction, "starter lane") {
		t.Errorf("the refused one: %q, %q", snap.Known, snap.NextAction)
	}
	if notes := strings.Join(snap.Notes, "\n"); !strings.Contains(notes, "hidden by the firewall: "+s.operation()) {
		t.Errorf("it does not tell what was hidden:\n%s", notes)
	}

	code, hidden := s.starter("status", s.operation())
	if code != exitUnproven || hidden.State != publication.StateAccepted || hidden.RemoteStatus != publication.StatusFirewall || hidden.Identity == nil {
		t.Errorf("the hidden one: exit %d, %+v", code, hidden)
	}
	for _, words := range []string{"only a moderator", "slug stays taken", "duplicate"} {
		if !strings.Contains(hidden.Known, words) {
			t.Errorf("the hidden one lacks %q: %s", words, hidden.Known)
		}
	}

	lane := s.lane()
	if lane.Paused == nil || len(lane.Incidents) != 1 || lane.Incidents[0].Operation != publication.OperationID(refused.operation()) ||
		len(lane.Incidents[0].Affected) != 1 || lane.Incidents[0].Affected[0].RemoteStatus != publication.StatusFirewall {
		t.Errorf("the lane: %+v", lane)
	}
	if log := s.stack.Workers()[0].Log(); !strings.Contains(log, "firewall refused a creation") || !strings.Contains(log, "firewall hides what was published") {
		t.Error("the worker's log does not tell people")
	}

	later := s.another("depois")
	later.launch()
	later.until("the pause, in its words", func(s publication.Snapshot) bool { return strings.Contains(s.WaitingFor, "paused") })
	later.want(0, 0)
	s.control(http.MethodPost, "settings", map[string]any{"firewall": false}, nil)
	if code, _, said := s.command("starter", "lane", "resume"); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	later.wantAccepted(later.until("the acceptance", matched))

	posts := s.creations()
	ours := slices.DeleteFunc(posts, func(a arrival) bool { return a.Slug == foreign.slug })
	if len(ours) != 3 {
		t.Errorf("%d creations of ours arrived, want 3: %+v", len(ours), ours)
	}
}
