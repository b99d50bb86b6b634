package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// Event is what an entry of the journal tells of.
type Event string

// The closed list of events.
const (
	EventProposed     Event = "proposed"     // a payload was proposed, or proposed again
	EventApproved     Event = "approved"     // a person allowed the payload
	EventScheduled    Event = "scheduled"    // its time was set, moved, or taken away
	EventMissed       Event = "missed"       // its time passed without a send, by more than it may be late
	EventClaimed      Event = "claimed"      // an attempt was claimed
	EventSent         Event = "sent"         // its request left, or may have left
	EventAnswered     Event = "answered"     // its sender told how it ended
	EventSettled      Event = "settled"      // its end was settled without its sender
	EventDecided      Event = "decided"      // a person's decision was taken
	EventRefused      Event = "refused"      // a person's decision was refused
	EventInvestigated Event = "investigated" // content was looked for after an unknown outcome
	EventSlugTaken    Event = "slug_taken"   // content was found in the way before a send
	EventBaseChanged  Event = "base_changed" // before the send of a change, the content was no longer its base
	EventReadBack     Event = "read_back"    // public content was compared with the payload
	EventRecorded     Event = "recorded"     // a workflow's whole snapshot was written
	EventRepaired     Event = "repaired"     // it was written later, by the repair
	EventDrift        Event = "drift"        // accepted content was changed, hidden, deleted or restored elsewhere
	EventIncident     Event = "incident"     // TabNews' firewall refused a creation of the lane
	EventImported     Event = "imported"     // the ledger was rebuilt from an export
)

// Events lists every event.
func Events() []Event {
	return []Event{EventProposed, EventApproved, EventScheduled, EventMissed, EventClaimed, EventSent, EventAnswered, EventSettled,
		EventDecided, EventRefused, EventInvestigated, EventSlugTaken, EventBaseChanged, EventReadBack, EventRecorded, EventRepaired,
		EventDrift, EventIncident, EventImported}
}

// Worker is the name under which the program itself appears in the journal.
const Worker = "worker"

// Entry is one line of the journal. Entries are never changed or removed.
type Entry struct {
	ID      int64              `json:"id"` // grows with time within an operation
	At      time.Time          `json:"at"` // PostgreSQL's clock
	Event   Event              `json:"event"`
	By      string             `json:"by"`
	Attempt int                `json:"attempt,omitempty"`
	Digest  publication.Digest `json:"digest,omitempty"`
	// From and To are set when the event changed the state. From is empty when the operation began.
	From   publication.State `json:"from_state,omitempty"`
	To     publication.State `json:"to_state,omitempty"`
	Detail map[string]any    `json:"detail,omitempty"`
}

func (c *change) journal(ctx context.Context, e Entry) error {
	c.wrote = true
	_, err := c.tx.Exec(ctx, `
		insert into journal (operation, event, by, attempt, digest, from_state, to_state, detail) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		c.rec.Operation, e.Event, storable(e.By), orNull(e.Attempt), orNull(e.Digest), orNull(e.From), orNull(e.To), e.Detail)
	return err
}

// journalOnce skips an entry that is the operation's newest already: a refused call that is tried again tells nothing
// new.
func (c *change) journalOnce(ctx context.Context, e Entry) error {
	var event Event
	var attempt int
	var detail []byte
	err := c.tx.QueryRow(ctx, `select event, coalesce(attempt, 0), detail from journal where operation = $1 order by id desc limit 1`,
		c.rec.Operation).Scan(&event, &attempt, &detail)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	if err == nil && event == e.Event && attempt == e.Attempt && sameJSON(json.RawMessage(detail), e.Detail) {
		return nil
	}
	return c.journal(ctx, e)
}
