package publication

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Seen is what became of accepted public content, as reading it again showed. A 404 is the same for what is hidden and
// for what is deleted (TabNews API, "Reading"), so those two words need more than a read.
type Seen string

// The words of the drift watch.
const (
	SeenUnchanged Seen = "unchanged" // reads as accepted, and did whenever it was read
	SeenEdited    Seen = "edited"    // reads differently: somebody changed it elsewhere
	SeenHidden    Seen = "hidden"    // cannot be read, and its slug stays taken: TabNews' firewall hides it
	SeenDeleted   Seen = "deleted"   // cannot be read, and its slug is free
	SeenGone      Seen = "gone"      // cannot be read: deleted or hidden, public reading shows both alike
	SeenBack      Seen = "back"      // reads as accepted again, after a change
)

// SeenWords lists every word.
func SeenWords() []Seen {
	return []Seen{SeenUnchanged, SeenEdited, SeenHidden, SeenDeleted, SeenGone, SeenBack}
}

// Valid reports whether s is one of SeenWords.
func (s Seen) Valid() bool { return slices.Contains(SeenWords(), s) }

// Absent reports whether the content could not be read.
func (s Seen) Absent() bool { return s == SeenHidden || s == SeenDeleted || s == SeenGone }

// Effect is what the word makes of a publication's remote status and verification. The remote status is empty where
// the word does not tell it: it stays what it was.
func (s Seen) Effect() (ContentStatus, Verification) {
	switch s {
	case SeenEdited:
		return StatusPublished, VerificationDiverged
	case SeenHidden:
		return StatusFirewall, VerificationUnreadable
	case SeenDeleted:
		return StatusDeleted, VerificationUnreadable
	case SeenGone:
		return "", VerificationUnreadable
	}
	return StatusPublished, VerificationMatched
}

// Drift is the newest change that the watch saw of accepted content since it was accepted.
type Drift struct {
	Seen    Seen      `json:"seen"`
	At      time.Time `json:"at"`
	Diff    string    `json:"diff,omitempty"`    // what differs from the newest version of ours
	Because string    `json:"because,omitempty"` // what shows that it is this word and no other
}

// WithDrift is the snapshot after a change that the watch saw. The state and the identity stay as they are.
func (s Snapshot) WithDrift(d Drift) Snapshot {
	remote, verification := d.Seen.Effect()
	if remote != "" {
		s.RemoteStatus = remote
	}
	s.Verification, s.Divergence, s.Drift = verification, d.Diff, &d
	s.Known, s.NextAction = s.KnownWords(), s.NextWords()
	return s
}

// driftWords say what is known of content that changed since it was accepted.
func (s Snapshot) driftWords() string {
	at := fmt.Sprintf("It was accepted as %s (id %s). ", s.Identity.Reference(), s.Identity.ID)
	when := Moment(s.Drift.At)
	switch s.Drift.Seen {
	case SeenEdited:
		at += "It was edited elsewhere since: what is read there differs from the newest version of ours, seen " + when + "."
	case SeenHidden:
		at += "TabNews' firewall hides it, seen " + when + ": " + HiddenWords + "."
	case SeenDeleted:
		at += "It was deleted elsewhere, seen " + when + ". Its slug is free."
	case SeenGone:
		at += "It cannot be read any more, seen " + when + ": deleted or hidden; public reading shows both alike."
	default:
		at += "It changed elsewhere since, and reads as accepted again, seen " + when + "."
	}
	if s.Drift.Because != "" {
		at += " (" + strings.TrimRight(s.Drift.Because, ".") + ".)"
	}
	return at
}

// driftNext is the next safe action after a change elsewhere.
func (s Snapshot) driftNext() string {
	switch s.Drift.Seen {
	case SeenEdited:
		return "keep the reference; look at the diff: `starter edit` makes a new version of what is there now, `starter restore` goes back before an edit of ours"
	case SeenHidden:
		return hiddenNext
	case SeenDeleted:
		return deletedNext
	case SeenGone:
		return "keep the reference; look at TabNews, logged in as the account; do not publish it again before you know: what is hidden may be restored"
	}
	return "keep the reference"
}
