package publication

import (
	"strings"
	"testing"
	"time"
)

func drifted(seen Seen) Snapshot {
	s := Snapshot{Operation: "publish/autora/ola", State: StateAccepted, RemoteStatus: StatusPublished, Verification: VerificationMatched,
		LocalRecord: LocalRecorded, Identity: &Identity{ID: "id-1", OwnerUsername: "autora", Slug: "ola", Status: StatusPublished}}
	return s.WithDrift(Drift{Seen: seen, At: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)})
}

func TestEachWordOfTheWatchSaysWhatIsAndWhatToDo(t *testing.T) {
	for seen, want := range map[Seen][]string{
		SeenEdited:  {"edited elsewhere", "`starter edit`"},
		SeenHidden:  {"only a moderator can restore it", "its slug stays taken", "identity is kept", "duplicate once it is restored"},
		SeenDeleted: {"deleted elsewhere", "slug is free", "--again"},
		SeenGone:    {"deleted or hidden; public reading shows both alike", "do not publish it again"},
		SeenBack:    {"as accepted again", "keep the reference"},
	} {
		s := drifted(seen)
		for _, words := range want {
			if !strings.Contains(s.Known+s.NextAction, words) {
				t.Errorf("%s: %q is not in %q, %q", seen, words, s.Known, s.NextAction)
			}
		}
		if s.State != StateAccepted || s.Identity == nil || strings.Contains(s.Known, "fail") {
			t.Errorf("%s: %+v", seen, s)
		}
	}
}

// Whoever learnt that content is hidden or deleted, the same is said of it.
func TestHiddenAndDeletedAreTheSameWhoeverLearntIt(t *testing.T) {
	for seen, status := range map[Seen]ContentStatus{SeenHidden: StatusFirewall, SeenDeleted: StatusDeleted} {
		told := drifted(SeenUnchanged)
		told.Drift, told.RemoteStatus = nil, status
		watched := drifted(seen)
		if watched.NextAction != told.NextWords() {
			t.Errorf("%s: next %q, and without the watch %q", seen, watched.NextAction, told.NextWords())
		}
		if seen == SeenHidden && (!strings.Contains(watched.Known, HiddenWords) || !strings.Contains(told.KnownWords(), HiddenWords)) {
			t.Errorf("known %q, and without the watch %q", watched.Known, told.KnownWords())
		}
	}
}

func TestWhatIsGoneKeepsItsRemoteStatus(t *testing.T) {
	for seen, want := range map[Seen]ContentStatus{SeenEdited: StatusPublished, SeenHidden: StatusFirewall, SeenDeleted: StatusDeleted, SeenGone: StatusPublished, SeenBack: StatusPublished} {
		if s := drifted(seen); s.RemoteStatus != want {
			t.Errorf("%s: %s, want %s", seen, s.RemoteStatus, want)
		}
	}
	for seen, want := range map[Seen]Verification{SeenEdited: VerificationDiverged, SeenHidden: VerificationUnreadable, SeenDeleted: VerificationUnreadable, SeenGone: VerificationUnreadable, SeenBack: VerificationMatched} {
		if s := drifted(seen); s.Verification != want {
			t.Errorf("%s: %s, want %s", seen, s.Verification, want)
		}
	}
}
