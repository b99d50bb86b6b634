// Package api names the activities and the values that they take and give, so that workflows can call them without
// importing what they are made of. It imports publication alone. No value here holds a secret.
package api

import (
	"time"

	"postonce/publication"
)

// Names of the activities, as the Web UI shows them.
const (
	OpenOperation = "OpenOperation"
	MarkMissed    = "MarkMissed"
	Prepare       = "Prepare"
	Send          = "Send"
	Settle        = "Settle"
	Probe         = "Probe"
	Investigate   = "Investigate"
	ReadReference = "ReadReference"
	ReadBack      = "ReadBack"
	Decide        = "Decide"
	Record        = "Record"
	FindHidden    = "FindHidden"
)

// Bounds of the local steps inside Send, which are not settings: PostgreSQL answers within them or the step counts as
// failed. The activity's timeout is made of them.
const (
	// LanePatience is how long Send itself waits for its turn in the lane before it gives the slot back.
	LanePatience = 5 * time.Second
	// LaneLead is how long before its turn a send is ordered again after it had to go: well within LanePatience, so that
	// it then waits here, to the point, and well above what ordering it takes.
	LaneLead = 3500 * time.Millisecond
	// ClaimTimeout bounds the claim's transaction.
	ClaimTimeout = 5 * time.Second
	// FinishTimeout bounds writing the outcome after the answer.
	FinishTimeout = 3 * time.Second
)

// OpenInput records the intention in the ledger, or takes up what the ledger knows already.
type OpenInput struct {
	Operation  publication.OperationID `json:"operation"`
	Payload    publication.Payload     `json:"payload"`
	Base       *publication.Base       `json:"base,omitempty"` // what is changed; nil for publish
	Digest     publication.Digest      `json:"digest"`
	ProposedBy string                  `json:"proposed_by"`
	Approval   *publication.Decision   `json:"approval,omitempty"`
	Schedule   *publication.Schedule   `json:"schedule,omitempty"` // nil: at once, or at the time that the ledger holds
	RunID      string                  `json:"run_id"`             // first run of the chain: the same after a reset
}

// Opened is what the ledger holds of an operation after OpenOperation.
type Opened struct {
	Snapshot publication.Snapshot `json:"snapshot"`
	Payload  publication.Payload  `json:"payload"` // the recorded one
	Base     *publication.Base    `json:"base,omitempty"`
	// Memory names the ledger's memory. It changes when the ledger is restored or rebuilt: a row that is missing then
	// proves nothing. Empty: a worker told it that knew no memories.
	Memory string `json:"memory,omitempty"`
}

// MarkMissedInput notes in the ledger that this time passed without a send; noting it again changes nothing.
type MarkMissedInput struct {
	Operation publication.OperationID `json:"operation"`
	Schedule  publication.Schedule    `json:"schedule"`
}

// Missed is what the ledger holds after MarkMissed: where it knows of another time, that counts.
type Missed struct {
	Schedule *publication.Schedule `json:"schedule,omitempty"`
}

// PrepareInput asks for the checks before an attempt: the session is the account's, the reference is free.
type PrepareInput struct {
	Operation publication.OperationID `json:"operation"`
	Payload   publication.Payload     `json:"payload"`
	Base      *publication.Base       `json:"base,omitempty"`
	RunID     string                  `json:"run_id"`
	Memory    string                  `json:"memory,omitempty"` // the ledger's, as the run knows it
}

// Prepared is what the checks before an attempt saw.
type Prepared struct {
	At    time.Time              `json:"at"`
	Found *publication.Candidate `json:"found,omitempty"` // the reference is taken by this; nothing may be sent
	State publication.State      `json:"state,omitempty"` // of the operation, when Found changed it
}

// SendInput orders one attempt.
type SendInput struct {
	Operation   publication.OperationID `json:"operation"`
	Attempt     int                     `json:"attempt"`
	Payload     publication.Payload     `json:"payload"`
	Base        *publication.Base       `json:"base,omitempty"`
	Digest      publication.Digest      `json:"digest"`
	SendTimeout time.Duration           `json:"send_timeout"` // from claim to the last byte of the answer
	Delivery    time.Duration           `json:"delivery"`     // kept free before the activity's deadline, to deliver the result
	RunID       string                  `json:"run_id"`
	// Doubt: a person decided that an earlier attempt created nothing. "Slug taken" then means that it did.
	Doubt bool `json:"doubt,omitempty"`
	// Memory is the ledger's, as the run knows it: another one lets nothing be sent.
	Memory string `json:"memory,omitempty"`
}

// SendOutput is what became of one attempt. Exactly one of its cases holds, in this order: Existing (another send has
// this number: its row, nothing was sent now), NotBefore (too early for the lane, a place in its queue is held),
// Refusal (the ledger forbids it, nothing was sent), Attempt.Outcome not_sent with Problem (nothing left, for a local
// reason), else Attempt with the outcome of the one request.
type SendOutput struct {
	Attempt   publication.Attempt  `json:"attempt"`
	Recorded  bool                 `json:"recorded"`        // the ledger holds the outcome
	Token     string               `json:"token,omitempty"` // of the claim, to testify that nothing was sent
	Existing  *publication.Attempt `json:"existing,omitempty"`
	NotBefore time.Duration        `json:"not_before,omitempty"` // from now: order it again then
	Waiting   string               `json:"waiting,omitempty"`    // with NotBefore: for what, in words
	Refusal   string               `json:"refusal,omitempty"`
	// BlockedBy comes with a Refusal: another operation of the reference, which a person must decide before.
	BlockedBy publication.OperationID `json:"blocked_by,omitempty"`
	Problem   string                  `json:"problem,omitempty"`
}

// SettleInput asks the ledger what became of an attempt whose activity did not say.
type SettleInput struct {
	Operation publication.OperationID `json:"operation"`
	Attempt   int                     `json:"attempt"`
	Digest    publication.Digest      `json:"digest"`
	RunID     string                  `json:"run_id"`
	Memory    string                  `json:"memory,omitempty"` // the ledger's, as the run knows it
	// Known: the run knows that the attempt was claimed, whatever the ledger says.
	Known bool `json:"known,omitempty"`
	// Identity came with the heartbeat or with a late answer: proof of acceptance.
	Identity *publication.Identity `json:"identity,omitempty"`
	// NotSentToken is the claim token of a send that ended by itself and testified that nothing left.
	NotSentToken string                `json:"not_sent_token,omitempty"`
	Evidence     *publication.Evidence `json:"evidence,omitempty"`
}

// Settled is the ledger's answer.
type Settled struct {
	Attempt publication.Attempt `json:"attempt"`
	State   publication.State   `json:"operation_state,omitempty"` // the operation's: a person may have closed it
	// InFlight is how long the attempt's request may still be on the wire; ask again after it. Zero: settled.
	InFlight time.Duration `json:"in_flight,omitempty"`
}

// InvestigateInput asks for a read-only search after an unknown outcome.
type InvestigateInput struct {
	Operation publication.OperationID `json:"operation"`
	Attempt   publication.Attempt     `json:"attempt"`
	Payload   publication.Payload     `json:"payload"`
	Base      *publication.Base       `json:"base,omitempty"`
}

// ReadInput asks for one fresh read of a reference, compared with the payload.
type ReadInput struct {
	Operation publication.OperationID `json:"operation"`
	Reference string                  `json:"reference"`
	Payload   publication.Payload     `json:"payload"`
	Base      *publication.Base       `json:"base,omitempty"`
}

// Read is the result of one fresh read.
type Read struct {
	At       time.Time             `json:"at"`
	Reading  publication.Reading   `json:"reading"`
	Identity *publication.Identity `json:"identity,omitempty"`
	Equal    bool                  `json:"equal"`             // reads exactly as the payload
	AsBase   bool                  `json:"as_base,omitempty"` // reads exactly as the base, of the same version
	Diff     string                `json:"diff,omitempty"`
	// ChangedBy is the edit of ours whose text is there in the place of the base; empty where none is known.
	ChangedBy publication.OperationID `json:"changed_by,omitempty"`
}

// ReadBackInput asks to read accepted content until it matches the payload; a removal matches when it is gone.
type ReadBackInput struct {
	Payload  publication.Payload  `json:"payload"`
	Identity publication.Identity `json:"identity"`
}

// ReadBackOutput is what reading back showed.
type ReadBackOutput struct {
	Verification publication.Verification `json:"verification"`
	Diff         string                   `json:"diff,omitempty"`
}

// ProbeInput asks TabNews about the own draft under a reference by PATCH {"status":"draft"}, which changes nothing but
// updated_at (TabNews API, "Probes for reconciliation").
type ProbeInput struct {
	Operation   publication.OperationID `json:"operation"`
	Attempt     int                     `json:"attempt,omitempty"` // the one in doubt, with which the finding is kept; 0: with none
	Payload     publication.Payload     `json:"payload"`
	SendTimeout time.Duration           `json:"send_timeout"`
}

// Probed is what TabNews said. Found is nil when nothing of the account's stands there that can be changed: absent,
// deleted, or hidden.
type Probed struct {
	At    time.Time              `json:"at"`
	Words string                 `json:"words"` // what the answer means
	Found *publication.Candidate `json:"found,omitempty"`
	// Identity of what was found.
	Identity *publication.Identity `json:"identity,omitempty"`
}

// DecideInput stores a person's decision, taken or refused.
type DecideInput struct {
	Operation    publication.OperationID  `json:"operation"`
	Decision     publication.Decision     `json:"decision"`
	Identity     *publication.Identity    `json:"identity,omitempty"`     // adopt
	Verification publication.Verification `json:"verification,omitempty"` // adopt
}

// Decided is a decision as the ledger holds it, and the operation's state after it.
type Decided struct {
	publication.Decision
	State publication.State `json:"operation_state,omitempty"`
}

// RecordInput writes all that is known of an operation to the ledger; replaying it changes nothing.
type RecordInput struct {
	Payload  publication.Payload  `json:"payload"`
	Base     *publication.Base    `json:"base,omitempty"`
	Snapshot publication.Snapshot `json:"snapshot"`
	Repair   bool                 `json:"repair,omitempty"` // it is written by the repair workflow
}

// Types of the application errors that activities return and workflows tell apart.
const (
	// ErrorSession: the session is missing, expired, or another account's. Nothing was sent; a person logs in.
	ErrorSession = "Session"
	// ErrorNotReadable: the content cannot be read yet.
	ErrorNotReadable = "NotReadable"
	// ErrorInvalid: the input contradicts itself; trying again cannot help.
	ErrorInvalid = "Invalid"
	// ErrorForgotten: the ledger does not know an operation that was opened: it lost its memory, and proves nothing.
	ErrorForgotten = "Forgotten"
	// ErrorConflict: the ledger knows otherwise, and will say the same again; its record counts.
	ErrorConflict = "Conflict"
	// ErrorInFlight: the try before was abandoned, and its request may have an effect yet; the details hold the
	// time.Duration after which to ask again.
	ErrorInFlight = "InFlight"
	// ErrorRejected fails the workflow run of a rejected operation; its details hold the Snapshot.
	ErrorRejected = "Rejected"
)
