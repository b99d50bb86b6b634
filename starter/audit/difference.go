package audit

import (
	"postonce/activities/api"
	"postonce/publication"
)

// Kind is the kind of a difference.
type Kind string

// The closed list of differences.
const (
	NotInLedger     Kind = "not_in_ledger"    // Temporal has a run, the ledger has no such operation
	NotRecorded     Kind = "not_recorded"     // a run knows an identity or an attempt that the ledger lacks
	StateDiffers    Kind = "state_differs"    // the run and the ledger are in different states
	IdentityDiffers Kind = "identity_differs" // they name different contents
	RepairUnderWay  Kind = "repair_under_way" // the record's repair has not ended
	ForeignRun      Kind = "foreign_run"      // a workflow's ID is not the operation of its input
	NoOpenRun       Kind = "no_open_run"      // the ledger waits for something, and no run works on it
	Missing         Kind = "missing"          // accepted content cannot be read
	OtherContent    Kind = "other_content"    // another content stands at the reference
	Diverged        Kind = "diverged"         // it reads differently
	StillThere      Kind = "still_there"      // removed content can be read
	Untracked       Kind = "untracked"        // the account shows content that the ledger does not know
)

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{NotInLedger, NotRecorded, StateDiffers, IdentityDiffers, RepairUnderWay, ForeignRun, NoOpenRun, Missing, OtherContent, Diverged, StillThere, Untracked}
}

// Difference is one thing about which two worlds disagree.
type Difference struct {
	Kind      Kind                    `json:"difference"`
	Operation publication.OperationID `json:"operation,omitempty"` // empty: it is about content that no operation has
	Reference string                  `json:"reference,omitempty"`
	ContentID string                  `json:"content_id,omitempty"`
	Detail    string                  `json:"detail"` // what the two say
	Remedy    string                  `json:"remedy"` // what to do, and who does it
	Fixable   bool                    `json:"fixable"`
	// Repair is what would be recorded: proven by Temporal, and local. Nil unless Fixable.
	Repair *api.RecordInput `json:"-"`
}

// Note is something that is as it should be, and worth knowing after a loss.
type Note struct {
	Operation publication.OperationID `json:"operation"`
	Detail    string                  `json:"detail"`
}

// Report is the result of an audit.
type Report struct {
	Differences []Difference `json:"differences"`
	Notes       []Note       `json:"notes"`
	Compared    Compared     `json:"compared"`
	// Incomplete says what could not be compared, and why; then nobody can say that there is no difference there.
	Incomplete []string `json:"incomplete"`
}

// Compared counts what was looked at.
type Compared struct {
	Operations int `json:"operations"`
	Runs       int `json:"runs"`
	Contents   int `json:"contents"`
}
