package ledger

import (
	"fmt"
	"time"

	"postonce/publication"
)

// Waiting is why a claim has to wait.
type Waiting struct {
	Lane      string                  // empty: it waits for no lane, but for its time to send
	Ahead     int                     // how many wait before it
	Behind    publication.OperationID // the one just before it; empty: none was there yet
	Until     time.Time               // its turn is expected then, on PostgreSQL's clock; zero: when somebody resumes the lane
	Counted   bool                    // it waits for TabNews' count of creations, not for the distance alone
	Paused    bool
	PausedBy  string
	PausedFor string // the reason
}

// String says it to people.
func (w Waiting) String() string {
	if w.Lane == "" {
		return "its time to send"
	}
	if w.Paused {
		return fmt.Sprintf("the lane %s, which %s paused%s (%s); `starter lane resume %s` ends that", w.Lane, w.PausedBy, w.until(), w.PausedFor, w.Lane)
	}
	text := "its turn in the lane " + w.Lane
	if w.Ahead > 0 {
		text += fmt.Sprintf(", as number %d", w.Ahead+1)
	}
	if w.Behind != "" {
		text += ", behind " + string(w.Behind)
	}
	if w.Counted {
		text += ", while TabNews' firewall still counts the creations before it"
	}
	return text + w.until()
}

func (w Waiting) until() string {
	switch {
	case !w.Until.IsZero():
		return ", until about " + w.Until.UTC().Format("15:04:05Z")
	case w.Paused:
		return " until it is resumed"
	}
	return ""
}
