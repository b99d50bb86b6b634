package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"postonce/publication"
)

// pacing is the size of a story of many creations: a tenth of TabNews' own, unless POSTONCE_PACING is measured.
type pacing struct {
	measured         bool
	interval, window time.Duration
	latency          time.Duration // the longest
}

func sizeOf() pacing {
	p := pacing{os.Getenv("POSTONCE_PACING") == "measured", 2600 * time.Millisecond, 5 * time.Second, 4 * time.Second}
	if !p.measured {
		p.interval, p.window, p.latency = p.interval/10, p.window/10, p.latency/10
	}
	return p
}

// crowd is one lane with four workers of two accounts, and the firewall on.
type crowd struct {
	*story
	size    pacing
	stories []*story
}

func newCrowd(t *testing.T, slug string, creations int) *crowd {
	t.Helper()
	size := sizeOf()
	stack := own(t, "POSTONCE_LANE_INTERVAL="+size.interval.String(), "POSTONCE_LANE_WINDOW="+size.window.String(), "POSTONCE_LANE_LIMIT=2", "POSTONCE_SEND_TIMEOUT=15s")
	c := &crowd{story: newStory(t, stack, slug), size: size}
	c.control(http.MethodPost, "settings", map[string]any{"firewall": true, "firewall_window_ms": size.window.Milliseconds()}, nil)
	for range 2 {
		c.worker()
		c.worker(reader...)
	}
	dir := t.TempDir()
	for i := range creations {
		c.stories = append(c.stories, c.article(fmt.Sprintf("%s-%d", slug, i), dir))
	}
	return c
}

// reader is the environment of the emulator's second user.
var reader = []string{"POSTONCE_ACCOUNT=leitor", "TABNEWS_EMAIL=leitor@example.com", "TABNEWS_PASSWORD=senha-leitor-123"}

// launchAll starts every publication, half of them as the second account, and waits for none.
func (c *crowd) launchAll() {
	c.t.Helper()
	var wg sync.WaitGroup
	gate := make(chan struct{}, 4) // a command line each, on a machine that others use too
	for i, s := range c.stories {
		gate <- struct{}{}
		wg.Go(func() {
			defer func() { <-gate }()
			cmd := exec.CommandContext(c.context(), filepath.Join(bin, "starter"), "publish", "--yes", "--by", "ana", "--no-wait", s.file)
			cmd.Env = c.stack.Environ()
			if i%2 == 1 {
				cmd.Env = append(cmd.Env, reader...)
			}
			if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitWaiting {
				c.t.Errorf("%s: exit %d\n%s", s.slug, cmd.ProcessState.ExitCode(), out)
			}
		})
	}
	wg.Wait()
}

// untilAccepted waits until the ledger has accepted them all.
func (c *crowd) untilAccepted() {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Minute)
	defer cancel()
	c.poll(ctx, 250*time.Millisecond, "the acceptance of all", func() (bool, any) {
		var list []publication.Snapshot
		cmd := exec.CommandContext(ctx, filepath.Join(bin, "starter"), "list", "--state", "accepted", "--limit", "200", "--json")
		cmd.Env = c.stack.Environ()
		out, _ := cmd.Output()
		_ = json.Unmarshal(out, &list)
		for _, a := range c.creations() {
			if a.Status == http.StatusTooManyRequests {
				c.t.Fatalf("the firewall refused %s", a.Slug)
			}
		}
		return len(list) == len(c.stories), fmt.Sprintf("%d of %d", len(list), len(c.stories))
	})
}

// wantQuiet holds that every creation arrived once, and that the firewall hid nothing.
func (c *crowd) wantQuiet() []arrival {
	c.t.Helper()
	arrivals := c.creations()
	if len(arrivals) != len(c.stories) {
		c.t.Errorf("%d creations arrived, want %d", len(arrivals), len(c.stories))
	}
	for _, a := range arrivals {
		if a.Status != http.StatusCreated {
			c.t.Errorf("%s was answered with %d", a.Slug, a.Status)
		}
	}
	for _, s := range c.stories {
		if rows := s.rows(); len(rows) != 1 || rows[0].Status != publication.StatusPublished {
			c.t.Errorf("%s: TabNews holds %+v", s.slug, rows)
		}
	}
	return arrivals
}

// T09: four workers, two accounts, one lane, forty creations whose request, transaction or answer takes its time.
// Nothing of ours makes the firewall fire.
func TestFortyCreationsOfAnyLatencyKeepTheFirewallQuiet(t *testing.T) {
	c := newCrowd(t, "lentas", 40)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, seed))
	moments := []string{"stall_before_store", "stall_in_transaction", "stall_after_store"}
	for range c.stories {
		c.fault("create", moments[random.IntN(len(moments))], time.Duration(random.Int64N(int64(c.size.latency))))
	}
	c.launchAll()
	c.untilAccepted()
	c.wantQuiet()
}

// With instant answers starts are the interval apart, never less; and at the real pace, the lane is used without a gap.
func TestFortyCreationsWithInstantAnswersTakeOneIntervalEach(t *testing.T) {
	creations, size := 40, sizeOf()
	if !size.measured {
		creations = 12
	}
	c := newCrowd(t, "rapidas", creations)
	// All wait before the first starts, so that the lane is what is measured; the measured lane resumes by itself, since
	// what was told the moment comes back then.
	pause := "until resumed"
	if size.measured {
		pause = "30s"
	}
	if code, _, said := c.command("starter", "lane", "pause", "--for", pause, "--by", "ana", "--reason", "until all wait"); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	c.launchAll()
	if !size.measured {
		c.eventually("the queue of all", func() (bool, any) { n := len(c.lane().Queue); return n == creations, n })
		if code, _, said := c.command("starter", "lane", "resume"); code != 0 {
			t.Fatalf("exit %d: %s", code, said)
		}
	}
	c.untilAccepted()
	c.wantQuiet()
	claims := c.claims()
	if len(claims) != creations {
		t.Fatalf("%d claims, want %d", len(claims), creations)
	}
	c.wantApart(claims, size.interval)
	took := claims[creations-1].Sub(claims[0])
	ratio := float64(time.Duration(creations-1)*size.interval) / float64(took)
	t.Logf("%d creations in %s: %.4f of the pace", creations, took, ratio)
	if size.measured && ratio < 0.99 {
		t.Errorf("%.4f of the pace, want at least 0.99", ratio)
	}
}

// A worker is killed while it holds the next turn: the other goes on within one interval, and what the dead one held
// is sent later, once.
func TestAKilledWorkersTurnPassesToTheNext(t *testing.T) {
	const interval = 4900 * time.Millisecond // just below what a send itself waits for its turn
	stack := alone(t, "POSTONCE_LANE_INTERVAL="+interval.String())
	first := newStory(t, stack, "vez-primeira")
	doomed := first.worker()
	first.worker(reader...)
	first.publish(exitAccepted)
	next := first.another("vez-seguinte")
	next.launch()
	next.untilQueued()
	other := first.article("vez-alheia", t.TempDir())
	cmd := exec.CommandContext(first.context(), filepath.Join(bin, "starter"), "publish", "--yes", "--by", "ana", "--no-wait", other.file)
	cmd.Env = append(stack.Environ(), reader...)
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitWaiting {
		t.Fatalf("exit %d\n%s", cmd.ProcessState.ExitCode(), out)
	}
	other.untilWaiting("publish/leitor/vez-alheia")
	if queue := first.lane().Queue; len(queue) != 2 || queue[0].Operation != publication.OperationID(next.operation()) {
		t.Fatalf("the queue is %+v", queue)
	}
	if err := doomed.Kill(); err != nil {
		t.Fatal(err)
	}
	if n := len(next.posts()); n != 0 {
		t.Fatalf("the worker was killed too late: %d creations arrived", n)
	}
	other.untilPosts(1)
	gap := other.claim("publish/leitor/vez-alheia").Sub(first.claim(first.operation()))
	// At the latest after the dead one's turn; at once where that one was not due before.
	if gap < interval || gap > 2*interval+interval/2 {
		t.Errorf("the other was claimed %s after the first, want within one interval of its turn: %s", gap, 2*interval)
	}
	first.worker()
	next.until("the acceptance", inState(publication.StateAccepted))
	next.want(1, 1)
}

// lane asks for the one lane that there is.
func (s *story) lane() laneDocument {
	s.t.Helper()
	_, out, _ := s.command("starter", "lane", "--json")
	var lanes []laneDocument
	if err := json.Unmarshal([]byte(out), &lanes); err != nil || len(lanes) != 1 {
		s.t.Fatalf("%v: %s", err, out)
	}
	return lanes[0]
}

type laneDocument struct {
	Paused *struct{ By, Reason string }
	Queue  []struct {
		Operation  publication.OperationID
		WaitingFor string `json:"waiting_for"`
	}
	Incidents []struct {
		Operation publication.OperationID
		Affected  []struct {
			Operation    publication.OperationID
			RemoteStatus publication.ContentStatus `json:"remote_status"`
		}
	}
}

func (s *story) untilQueued() { s.untilWaiting(publication.OperationID(s.operation())) }

// untilWaiting waits until an operation has a place in the lane's queue.
func (s *story) untilWaiting(op publication.OperationID) {
	s.t.Helper()
	s.eventually("the place of "+string(op)+" in the lane", func() (bool, any) {
		for _, p := range s.lane().Queue {
			if p.Operation == op {
				return true, nil
			}
		}
		return false, nil
	})
}
