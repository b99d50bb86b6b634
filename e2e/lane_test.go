package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"postonce/publication"
)

// Two workers share a lane with the default distance, and the emulator's firewall counts.
func TestTheLaneKeepsTheFirewallQuiet(t *testing.T) {
	stack := own(t, "POSTONCE_LANE_INTERVAL=2.6s", "POSTONCE_LANE_WINDOW=5s", "POSTONCE_LANE_LIMIT=2")
	first := newStory(t, stack, "faixa-0")
	first.control(http.MethodPost, "settings", map[string]any{"firewall": true}, nil)
	first.worker()
	first.worker()
	stories := []*story{first}
	for i := 1; i < 5; i++ {
		stories = append(stories, first.article(fmt.Sprintf("faixa-%d", i), t.TempDir()))
	}
	var wg sync.WaitGroup
	for _, s := range stories {
		wg.Go(func() {
			if code, said := s.quiet("starter", "publish", "--yes", "--by", "ana", s.file); code != exitAccepted {
				t.Errorf("%s: exit %d\n%s", s.slug, code, said)
			}
		})
	}
	wg.Wait()
	first.wantApart(first.claims(), 2600*time.Millisecond)
	for _, s := range stories {
		if rows := s.rows(); len(rows) != 1 || rows[0].Status != publication.StatusPublished {
			t.Errorf("%s: TabNews holds %+v", s.slug, rows)
		}
	}
}

// creations are all that reached TabNews, in order.
func (s *story) creations() []arrival {
	s.t.Helper()
	var all, out []arrival
	s.control(http.MethodGet, "arrivals", nil, &all)
	for _, a := range all {
		if a.Method == http.MethodPost && a.Path == "/api/v1/contents" {
			out = append(out, a)
		}
	}
	return out
}
