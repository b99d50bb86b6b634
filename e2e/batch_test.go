package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// batchDocument is what starter publish --json prints for several files.
type batchDocument struct {
	Items []struct {
		File        string
		Operation   publication.OperationID
		State       publication.State
		Started     bool
		Held        bool
		ExitCode    int                   `json:"exit_code"`
		Publication *publication.Snapshot `json:"publication"`
	}
	Summary struct {
		Started    int
		NotStarted int                     `json:"not_started"`
		HeldBy     publication.OperationID `json:"held_by"`
		ExitCode   int                     `json:"exit_code"`
	}
}

// T25: five articles, the third one's answer is lost, and the command is killed while it is on the wire. The same command
// follows what is under way, and sends only what was never attempted.
func TestABatchSendsOnlyWhatWasNeverAttempted(t *testing.T) {
	s := newStory(t, shared, "lote-1")
	folder := s.batchFolder("lote-1", "lote-2", "lote-3", "lote-4", "lote-5")
	for range 2 {
		s.fault("create", "stall_after_store", time.Millisecond) // the first two, which it does not harm
	}
	s.fault("create", "stall_after_store", time.Minute)
	s.killedAt("lote-3", "publish", "--yes", "--by", "ana", folder)

	s.wantBatch([]string{"accepted", "accepted", "unknown", "held", "held"}, 0, folder)
	s.wantBatch([]string{"accepted", "accepted", "unknown", "accepted", "accepted"}, 2, folder, "--continue")
	s.wantBatch([]string{"accepted", "accepted", "unknown", "accepted", "accepted"}, 0, folder)
	for i := range 5 {
		if n := len(s.arrivalsOf(fmt.Sprint("lote-", i+1))); n != 1 {
			t.Errorf("%d creations of lote-%d arrived, want 1", n, i+1)
		}
	}

	third := "publish/autora/lote-3"
	if code, snap := s.starter("resolve", third, "--adopt", "autora/lote-3", "--attempt", "1", "--by", "ana", "--reason", "seen on the site"); code != exitAccepted {
		t.Fatalf("adopt: exit %d, %+v", code, snap)
	}
	code, d := s.batch(folder)
	if code != exitAccepted || d.Summary.Started != 0 {
		t.Errorf("once it is settled: exit %d, %+v", code, d.Summary)
	}
}

// batchFolder writes one article for each slug.
func (s *story) batchFolder(slugs ...string) string {
	s.t.Helper()
	dir := s.t.TempDir()
	for _, slug := range slugs {
		s.article(slug, dir)
	}
	return dir
}

// killedAt runs the command line and kills it (SIGKILL) as soon as the slug's creation has reached TabNews.
func (s *story) killedAt(slug string, args ...string) {
	s.t.Helper()
	var said bytes.Buffer
	cmd := exec.CommandContext(s.context(), filepath.Join(bin, "starter"), args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = s.stack.Environ(), &said, &said
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.untilArrived("creation of "+slug, 1, func() []arrival { return s.arrivalsOf(slug) })
	if err := cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	if cmd.ProcessState.ExitCode() != -1 {
		s.t.Fatalf("it ended by itself with %d before it was killed:\n%s", cmd.ProcessState.ExitCode(), &said)
	}
	s.said.Write(said.Bytes())
}

// arrivalsOf are the creations of a slug that reached TabNews.
func (s *story) arrivalsOf(slug string) []arrival {
	return slices.DeleteFunc(s.creations(), func(a arrival) bool { return a.Slug != slug })
}

func (s *story) batch(args ...string) (int, batchDocument) {
	s.t.Helper()
	code, stdout, talk := s.command("starter", append([]string{"publish", "--yes", "--by", "ana", "--json"}, args...)...)
	var d batchDocument
	if err := json.Unmarshal([]byte(stdout), &d); err != nil {
		s.t.Fatalf("no JSON document: %v\n%s%s", err, stdout, talk)
	}
	for _, item := range d.Items {
		if item.State != "" {
			s.ops.add(item.Operation)
		}
	}
	if code != d.Summary.ExitCode {
		s.t.Errorf("exit %d, the document says %d", code, d.Summary.ExitCode)
	}
	return code, d
}

// wantBatch runs the batch, which has one unknown item, and checks where each stands and how many were started now.
func (s *story) wantBatch(states []string, started int, args ...string) {
	s.t.Helper()
	code, d := s.batch(args...)
	var got []string
	for _, item := range d.Items {
		state := string(item.State)
		if item.Held {
			state = "held"
		}
		got = append(got, state)
	}
	if code != exitUnknown || !slices.Equal(got, states) || d.Summary.Started != started {
		s.t.Fatalf("exit %d, %s, %d started; want %d, %s, %d\n%+v", code, strings.Join(got, " "), d.Summary.Started, exitUnknown, strings.Join(states, " "), started, d)
	}
}

// A mistake in one file of many keeps all of them from being started.
func TestAMistakeInOneFileStartsNothing(t *testing.T) {
	s := newStory(t, shared, "lote-certo")
	folder := s.batchFolder("lote-certo", "lote-errado")
	if err := os.WriteFile(filepath.Join(folder, "lote-errado.md"), []byte("---\ntitle: Sem texto\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, talk := s.command("starter", "publish", "--yes", "--by", "ana", folder); code != exitUsage || !strings.Contains(talk, "body: is required") {
		t.Errorf("exit %d: %s", code, talk)
	}
	s.want(0, 0)
}
