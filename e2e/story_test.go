package e2e

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"postonce/internal/devstack"
	"postonce/publication"
)

// emulator speaks to the emulator's control API, whatever certificate it made for the occasion.
var emulator = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

// story is one article and what happens to it.
type story struct {
	t     *testing.T
	stack *devstack.Stack
	slug  string
	file  string
	said  *strings.Builder // all that the command line printed, to look for secrets in
	began string           // the run that the story began with, once it was asked for
	ops   *operations      // those that the command line spoke of, to look for secrets in
}

// exit codes of the command line.
const (
	exitAccepted  = 0
	exitUsage     = 2
	exitUnknown   = 3
	exitRejected  = 4
	exitUnproven  = 5
	exitWaiting   = 6
	exitAbandoned = 7
)

// newStory writes an article. The story's own faults are gone at its end, and no secret may have been left anywhere.
func newStory(t *testing.T, stack *devstack.Stack, slug string) *story {
	t.Helper()
	s := &story{t: t, stack: stack, slug: slug, file: filepath.Join(t.TempDir(), slug+".md"), said: &strings.Builder{}, ops: &operations{}}
	s.ops.add(publication.OperationID(s.operation()))
	s.write("Um artigo sobre " + slug)
	s.control(http.MethodPost, "settings", map[string]any{"firewall": false, "rating_rule": false}, nil)
	t.Cleanup(s.noSecrets)
	return s
}

func (s *story) write(title string) {
	s.t.Helper()
	text := fmt.Sprintf("---\ntitle: %s\nslug: %s\n---\nTexto exemplo contendo palavras suficientes para receber moedas iniciais.\n", title, s.slug)
	if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *story) operation() string { return "publish/autora/" + s.slug }

// context ends with the story; every wait in it is for an event.
func (s *story) context() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	s.t.Cleanup(cancel)
	return ctx
}

// starter runs the command line and returns its exit code and what --json printed.
func (s *story) starter(args ...string) (int, publication.Snapshot) {
	s.t.Helper()
	code, stdout, stderr := s.command("starter", append(args, "--json")...)
	var snap publication.Snapshot
	if strings.HasPrefix(stdout, "{") {
		if err := json.Unmarshal([]byte(stdout), &snap); err != nil {
			s.t.Fatalf("starter %q printed no JSON document: %v\n%s\n%s", args, err, stdout, stderr)
		}
		s.ops.add(snap.Operation)
	}
	return code, snap
}

// command runs a program of the project, or temporal, and returns what it said.
func (s *story) command(name string, args ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	var out, talk bytes.Buffer
	cmd := exec.CommandContext(s.context(), filepath.Join(bin, name), args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = s.stack.Environ(), &out, &talk
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatalf("%s %q: %v", name, args, err)
	}
	fmt.Fprintf(s.said, "%s %q\n%s%s", name, args, out.String(), talk.String())
	s.t.Logf("%s %s → %d\n%s", name, strings.Join(args, " "), cmd.ProcessState.ExitCode(), talk.String())
	return cmd.ProcessState.ExitCode(), out.String(), talk.String()
}

// publish publishes the story's article and wants an exit code.
func (s *story) publish(want int, flags ...string) publication.Snapshot {
	s.t.Helper()
	code, snap := s.starter(append([]string{"publish", "--yes", "--by", "ana", s.file}, flags...)...)
	if code != want {
		s.t.Fatalf("publish: exit %d, want %d; %+v", code, want, snap)
	}
	return snap
}

// status asks once.
func (s *story) status() publication.Snapshot {
	s.t.Helper()
	_, snap := s.starter("status", s.operation())
	return snap
}

// until waits for a condition of the story's publication.
func (s *story) until(what string, so func(publication.Snapshot) bool) publication.Snapshot {
	s.t.Helper()
	return s.untilOf(publication.OperationID(s.operation()), what, so)
}

func inState(state publication.State) func(publication.Snapshot) bool {
	return func(s publication.Snapshot) bool { return s.State == state }
}

func parked(s publication.Snapshot) bool { return s.Parked }

// fault makes the next create meet a fault.
func (s *story) fault(on, name string, delay time.Duration) {
	s.t.Helper()
	s.control(http.MethodPost, "faults", map[string]any{"on": on, "fault": name, "times": 1, "delay_ms": delay.Milliseconds()}, nil)
}

// control speaks the emulator's control API.
func (s *story) control(method, path string, body, into any) {
	s.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.context(), method, s.stack.TabNewsURL()+"/_emulator/"+path, bytes.NewReader(raw))
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := emulator.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode/100 != 2 {
		s.t.Fatalf("the emulator's %s: %s %s %v", path, resp.Status, answer, err)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			s.t.Fatal(err)
		}
	}
}

type arrival struct {
	Method, Path, Slug, Fault string
	Status                    int
	At                        time.Time
}

// posts are the creations of the story's slug that reached TabNews.
func (s *story) posts() []arrival {
	s.t.Helper()
	var all []arrival
	s.control(http.MethodGet, "arrivals", nil, &all)
	return slices.DeleteFunc(all, func(a arrival) bool {
		return a.Method != http.MethodPost || a.Path != "/api/v1/contents" || a.Slug != s.slug
	})
}

// rows are the contents of the story's slug that TabNews stores.
func (s *story) rows() []publication.Identity {
	s.t.Helper()
	var all []publication.Identity
	s.control(http.MethodGet, "contents", nil, &all)
	return slices.DeleteFunc(all, func(c publication.Identity) bool { return c.Slug != s.slug })
}

// want checks how many creations arrived and how many contents are stored.
func (s *story) want(posts, rows int) {
	s.t.Helper()
	if p, r := s.posts(), s.rows(); len(p) != posts || len(r) != rows {
		s.t.Errorf("%d creations arrived and %d contents are stored, want %d and %d\n%+v\n%+v", len(p), len(r), posts, rows, p, r)
	}
}

// wantAccepted checks an accepted, matched and recorded publication with the identity that TabNews holds.
func (s *story) wantAccepted(snap publication.Snapshot) {
	s.t.Helper()
	if snap.State != publication.StateAccepted || snap.Verification != publication.VerificationMatched {
		s.t.Errorf("state %s, verification %s, want accepted and matched: %+v", snap.State, snap.Verification, snap)
	}
	if rows := s.rows(); len(rows) != 1 || snap.Identity == nil || *snap.Identity != rows[0] {
		s.t.Errorf("identity %+v, TabNews holds %+v", snap.Identity, rows)
	}
}

// untilPosts waits until the creation has reached TabNews.
func (s *story) untilPosts(n int) {
	s.t.Helper()
	s.untilArrived("creation", n, s.posts)
}

// untilArrived waits until the nth request of a kind has reached TabNews.
func (s *story) untilArrived(what string, n int, arrivals func() []arrival) {
	s.t.Helper()
	s.tick(fmt.Sprintf("%s %d", what, n), func() bool { return len(arrivals()) >= n })
}
