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
		SeenHidden:  {"Only a moderator can restore it", "its slug stays taken", "identity is kept", "duplicate once it is restored"},
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
