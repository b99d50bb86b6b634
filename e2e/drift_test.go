package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"postonce/ledger"
	"postonce/publication"
	"postonce/workflows"
)

// untilDrift waits until the watch has told a change to this word.
func (s *story) untilDrift(seen publication.Seen) publication.Snapshot {
	s.t.Helper()
	return s.until("the word "+string(seen), func(snap publication.Snapshot) bool { return snap.Drift != nil && snap.Drift.Seen == seen })
}

// drifts are the words that the history tells of the story's publication, in order.
func (s *story) drifts() (seen []string) {
	s.t.Helper()
	for _, e := range s.history() {
		if e.Event == ledger.EventDrift {
			seen = append(seen, e.Detail["seen"].(string))
		}
	}
	return seen
}

// watchID is the workflow of the story's account.
var watchID = publication.OperationID(workflows.WatchID("autora"))

// shown asks the watch itself.
func (s *story) shown() (status workflows.WatchStatus) {
	s.t.Helper()
	code, out, _ := s.command("temporal", "workflow", "query", "--workflow-id", string(watchID), "--type", workflows.QueryStatus, "-o", "json")
	var answer struct{ QueryResult []workflows.WatchStatus }
	if err := json.Unmarshal([]byte(out), &answer); code != 0 || err != nil || len(answer.QueryResult) != 1 {
		s.t.Fatalf("the watch does not answer: %v\n%s", err, out)
	}
	return answer.QueryResult[0]
}

// untilShown waits until the watch shows these words; what a killed worker had noted is among them.
func (s *story) untilShown(want ...string) {
	s.t.Helper()
	s.eventually(fmt.Sprintf("the words %q", want), func() (bool, any) {
		var words []string
		for _, c := range s.shown().Changes {
			words = append(words, string(c.Seen))
		}
		return slices.Equal(words, want), words
	})
}

// Somebody edits, hides, restores and deletes what was published; each is told once, whichever worker runs.
func TestDriftIsToldOnceWithTheRightWord(t *testing.T) {
	s := newStory(t, own(t, "POSTONCE_DRIFT_AFTER=1s,2s,3s,4s,6s,8s,12s,20s,30s,60s"), "deriva")
	s.ops.add(watchID)
	first := s.worker()
	s.publish(exitAccepted)
	text := s.stored().Body

	s.edited("body", "Um texto de outra pessoa, com palavras suficientes.")
	snap := s.untilDrift(publication.SeenEdited)
	s.wantWords(snap, "edited elsewhere")
	if !strings.Contains(snap.Divergence, "+Um texto de outra pessoa") || snap.RemoteStatus != publication.StatusPublished || snap.Verification != publication.VerificationDiverged {
		t.Errorf("got %+v", snap)
	}
	s.edited("body", text)
	if snap = s.untilDrift(publication.SeenBack); snap.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", snap)
	}

	s.moderated("hide")
	snap = s.untilDrift(publication.SeenHidden)
	s.wantWords(snap, "only a moderator can restore it", "slug stays taken")
	if snap.RemoteStatus != publication.StatusFirewall || snap.State != publication.StateAccepted || snap.Identity == nil {
		t.Errorf("got %+v", snap)
	}
	if err := first.Kill(); err != nil {
		t.Fatal(err)
	}
	s.worker()
	if code, snap := s.starter("recheck", s.operation(), "--by", "ana"); code != exitUnproven || snap.Drift == nil || snap.Drift.Seen != publication.SeenHidden {
		t.Errorf("recheck: exit %d, %+v", code, snap)
	}
	s.moderated("undo")
	if code, snap := s.starter("recheck", s.operation(), "--by", "ana"); code != exitAccepted || snap.Drift == nil || snap.Drift.Seen != publication.SeenBack {
		t.Errorf("recheck: exit %d, %+v", code, snap)
	}

	s.moderated("delete")
	if snap = s.untilDrift(publication.SeenDeleted); snap.RemoteStatus != publication.StatusDeleted {
		t.Errorf("got %+v", snap)
	}
	s.wantWords(snap, "deleted elsewhere", "slug is free")

	want := []string{"edited", "back", "hidden", "back", "deleted"}
	if got := s.drifts(); !slices.Equal(got, want) {
		t.Errorf("the journal tells %q, want %q", got, want)
	}
	s.untilShown(want...)
	if code, out, _ := s.command("starter", "list", "--drift"); code != 0 || !strings.Contains(out, "deleted") {
		t.Errorf("list --drift: exit %d\n%s", code, out)
	}
	s.wantCreated(1)
}

// wantCreated checks that the probes of the watch created nothing.
func (s *story) wantCreated(rows int) {
	s.t.Helper()
	if got := s.rows(); len(got) != rows {
		s.t.Errorf("%d contents are stored, want %d: %+v", len(got), rows, got)
	}
}

// An acceptance is watched although the watch sleeps until something is accepted; and a watch that was ended is started
// anew, and remembers.
func TestTheWatchTakesUpWhatIsNewAndIsStartedAnew(t *testing.T) {
	s := newStory(t, own(t, "POSTONCE_DRIFT_AFTER=1s,2s,3s,4s,6s,8s,12s,20s,30s,60s", "POSTONCE_DRIFT_PROBE=false"), "vigia")
	s.ops.add(watchID)
	s.worker()
	s.publish(exitAccepted)
	s.edited("title", "Outro título")
	s.untilDrift(publication.SeenEdited)
	if code, _, _ := s.command("temporal", "workflow", "terminate", "--workflow-id", string(watchID), "--reason", "a test"); code != 0 {
		t.Fatalf("terminate: exit %d", code)
	}
	second := s.another("vigia-2")
	second.publish(exitAccepted)
	second.moderated("hide")
	if snap := second.untilDrift(publication.SeenGone); !strings.Contains(snap.Known, "deleted or hidden") {
		t.Errorf("got %+v", snap)
	}
	if got := s.drifts(); !slices.Equal(got, []string{"edited"}) {
		t.Errorf("the journal of the first tells %q", got)
	}
}

// A watch that was terminated while its next look is far is started again, and not only once that is overdue.
func TestATerminatedWatchIsStartedAgainThoughItsNextLookIsFar(t *testing.T) {
	s := newStory(t, own(t, "POSTONCE_DRIFT_AFTER=1s,24h"), "vigia-longe")
	s.ops.add(watchID)
	first := s.worker()
	s.publish(exitAccepted)
	s.untilWatchRuns()
	s.eventually("a next look that is far", func() (bool, any) {
		next := s.shown().NextLook
		return next != nil && time.Until(*next) > time.Hour, next
	})
	if code, _, _ := s.command("temporal", "workflow", "terminate", "--workflow-id", string(watchID), "--reason", "a test"); code != 0 {
		t.Fatalf("terminate: exit %d", code)
	}
	if err := first.Kill(); err != nil { // another one asks at its start, this one within a minute
		t.Fatal(err)
	}
	s.worker()
	s.untilWatchRuns()
}

func (s *story) untilWatchRuns() {
	s.t.Helper()
	s.eventually("a watch that runs", func() (bool, any) {
		_, out, _ := s.command("temporal", "workflow", "describe", "--workflow-id", string(watchID), "-o", "json")
		return strings.Contains(out, "WORKFLOW_EXECUTION_STATUS_RUNNING"), out
	})
}
