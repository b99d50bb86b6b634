package publication

import (
	"slices"
	"time"
)

// Outcome is what is known of one attempt.
type Outcome string

// The outcomes of an attempt.
const (
	OutcomeSending    Outcome = "sending"     // claimed; may be on the wire
	OutcomeAccepted   Outcome = "accepted"    // 2xx with an identity that validates
	OutcomeRejected   Outcome = "rejected"    // an allow-listed refusal of TabNews, before anything is created
	OutcomeNotSent    Outcome = "not_sent"    // it is proven that no byte of the request was written
	OutcomeUnknown    Outcome = "unknown"     // all the rest: it may have created content
	OutcomeNotCreated Outcome = "not_created" // was unknown; a named person decided that it created nothing
)

// Outcomes lists every outcome.
func Outcomes() []Outcome {
	return []Outcome{OutcomeSending, OutcomeAccepted, OutcomeRejected, OutcomeNotSent, OutcomeUnknown, OutcomeNotCreated}
}

// MayHaveCreated reports whether an attempt with this outcome may have created content. The ledger's partial unique
// index allows an operation one such attempt.
func (o Outcome) MayHaveCreated() bool {
	return o == OutcomeSending || o == OutcomeAccepted || o == OutcomeUnknown
}

// StateAfter is the state of an operation whose newest attempt has this outcome.
func (o Outcome) StateAfter() State {
	switch o {
	case OutcomeAccepted:
		return StateAccepted
	case OutcomeRejected:
		return StateRejected
	case OutcomeNotSent, OutcomeNotCreated:
		return StatePlanned
	case OutcomeSending:
		return StateSending
	}
	return StateUnknown
}

// Valid reports whether o is one of Outcomes.
func (o Outcome) Valid() bool { return slices.Contains(Outcomes(), o) }

// Identity is what TabNews returned for a content (POST /api/v1/contents, 201).
type Identity struct {
	ID            string        `json:"id"` // UUID
	OwnerUsername string        `json:"owner_username"`
	Slug          string        `json:"slug"`
	Status        ContentStatus `json:"status"`
}

// Reference is the identity's address, owner_username/slug.
func (i Identity) Reference() Reference { return Reference{Owner: i.OwnerUsername, Slug: i.Slug} }

// Attempt is one send of an operation. At most one request of it ever reached the wire.
type Attempt struct {
	Number     int         `json:"number"` // from 1
	Outcome    Outcome     `json:"outcome"`
	Digest     Digest      `json:"digest"`
	ApprovedBy string      `json:"approved_by,omitempty"` // who allowed this attempt
	RunID      string      `json:"run_id,omitempty"`      // the Temporal run that claimed it
	ClaimedAt  *time.Time  `json:"claimed_at,omitempty"`  // PostgreSQL's clock
	SendBy     *time.Time  `json:"send_by,omitempty"`     // PostgreSQL's clock: no byte leaves after it
	FinishedAt *time.Time  `json:"finished_at,omitempty"`
	Identity   *Identity   `json:"identity,omitempty"`
	Evidence   *Evidence   `json:"evidence,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`
}

// LatestPossible is the time after which the attempt's request can no longer be on the wire: its end if that was
// seen, else its deadline. TabNews may still be working on it for a while.
func (a Attempt) LatestPossible() time.Time {
	if a.FinishedAt != nil && a.Outcome != OutcomeSending {
		return *a.FinishedAt
	}
	if a.SendBy != nil {
		return *a.SendBy
	}
	return time.Time{}
}
