package publication

import "slices"

// Snapshot is all that is known of an operation at one moment: the answer of the status query, the workflow's result,
// and the document that the command line prints with --json.
type Snapshot struct {
	Operation    OperationID   `json:"operation"`
	State        State         `json:"state"`
	RemoteStatus ContentStatus `json:"remote_status"` // empty until TabNews told one
	Verification Verification  `json:"verification"`
	LocalRecord  LocalRecord   `json:"local_record"`
	Reference    string        `json:"reference"` // the pinned account/slug, from the start
	Identity     *Identity     `json:"identity"`  // null until TabNews returned one or a person adopted one
	Digest       Digest        `json:"digest"`
	Attempts     []Attempt     `json:"attempts"`
	Decisions    []Decision    `json:"decisions"`
	NextAction   string        `json:"next_action"`

	Schedule   *Schedule `json:"schedule,omitempty"` // when it is to be sent; left out: as soon as a person approved it
	Title      string    `json:"title,omitempty"`
	Draft      bool      `json:"draft,omitempty"`       // the payload is a draft, which no public route shows
	Known      string    `json:"known,omitempty"`       // what is known, in one or two sentences
	WaitingFor string    `json:"waiting_for,omitempty"` // what holds it up, and the way out
	// BlockedBy is the operation of the same reference that a person must decide before this one can be sent; it then goes
	// on by itself.
	BlockedBy  OperationID `json:"blocked_by,omitempty"`
	Parked     bool        `json:"parked"`               // nothing happens until a person decides
	Signals    []string    `json:"signals,omitempty"`    // the exact commands that would decide it
	Divergence string      `json:"divergence,omitempty"` // diff of what reading back showed
	Drift      *Drift      `json:"drift,omitempty"`      // the newest change elsewhere; nil: none was seen
	Notes      []string    `json:"notes,omitempty"`
	// Closed: its workflow ended before it settled, so that nothing happens until it is started again. The command line,
	// which asks Temporal, says so; a workflow and the ledger cannot.
	Closed bool `json:"closed,omitempty"`
}

// LastAttempt is the newest attempt, or nil when none was claimed.
func (s Snapshot) LastAttempt() *Attempt {
	if len(s.Attempts) == 0 {
		return nil
	}
	return &s.Attempts[len(s.Attempts)-1]
}

// PutAttempt adds an attempt, or replaces the one of the same number. What was found when its content was looked for stays,
// unless it brings newer candidates.
func (s *Snapshot) PutAttempt(a Attempt) {
	i := slices.IndexFunc(s.Attempts, func(known Attempt) bool { return known.Number == a.Number })
	if i < 0 {
		s.Attempts = append(s.Attempts, a)
		return
	}
	if len(a.Candidates) == 0 {
		a.Candidates = s.Attempts[i].Candidates
	}
	s.Attempts[i] = a
}

// Lacks reports whether the snapshot does not tell of an attempt. Under the number of one that may have created something
// may stand another run's, made with a ledger that did not know of it: unless that one may have created something too, and
// blocks every send as well, the first is hidden by it. Such an attempt is taken up under a later number.
func (s Snapshot) Lacks(a Attempt) bool {
	return !slices.ContainsFunc(s.Attempts, func(known Attempt) bool {
		same := known.RunID == a.RunID || known.RunID == "" || a.RunID == ""
		if known.Number == a.Number {
			return same || known.Outcome.MayHaveCreated() || !a.Outcome.MayHaveCreated()
		}
		return known.Number > a.Number && known.RunID == a.RunID && a.RunID != ""
	})
}

// Foreign is a diff of what somebody else changed just before a removal, and which went with it; empty when nobody did.
func (s Snapshot) Foreign() string {
	last := s.LastAttempt()
	if s.State != StateAccepted || s.Operation.Kind() != KindRemove || last == nil || last.Evidence == nil {
		return ""
	}
	return last.Evidence.Foreign
}

// kept reports whether a person adopted content as it stands, in spite of what reading showed.
func (s Snapshot) kept() bool {
	return slices.ContainsFunc(s.Decisions, func(d Decision) bool {
		return d.Taken && d.Kind == DecisionAdopt && d.AcceptDivergence
	})
}

// OpenAttempt is the attempt that a decision is about: the one whose outcome is unknown (the ledger allows one), else
// the newest. Nil when there is none.
func (s Snapshot) OpenAttempt() *Attempt {
	for i := range s.Attempts {
		if s.Attempts[i].Outcome == OutcomeUnknown {
			return &s.Attempts[i]
		}
	}
	return s.LastAttempt()
}

// DraftInDoubt reports whether only a probe could show what the open attempt created: no public route shows drafts.
func (s Snapshot) DraftInDoubt() bool {
	open := s.OpenAttempt()
	if !s.Draft || s.RemoteStatus != "" || open == nil {
		return false
	}
	return !slices.ContainsFunc(open.Candidates, func(c Candidate) bool { return c.FoundBy == FoundByProbe || c.Reference == s.Reference })
}

// Adoptable are the references that the open attempt can be said to have created or changed.
func (s Snapshot) Adoptable() []string {
	var references []string
	if open := s.OpenAttempt(); open != nil {
		for _, candidate := range open.Candidates {
			references = append(references, candidate.Reference)
		}
	}
	// A removal leaves nothing to be found, and is adopted by its reference all the same.
	if len(references) == 0 && s.Operation.Kind() == KindRemove {
		references = append(references, s.Reference)
	}
	return references
}

// Missed reports whether its time passed before it was sent: a person decides.
func (s Snapshot) Missed() bool {
	return s.Schedule != nil && s.Schedule.Missed && (s.State == StateProposed || s.State == StatePlanned)
}

// WithoutRun is the snapshot where Temporal runs no workflow for the operation. What is settled needs none.
func (s Snapshot) WithoutRun() Snapshot {
	if s.Closed || s.State.Settled() {
		return s
	}
	s.Closed, s.WaitingFor, s.Signals = true, "", nil
	s.Known, s.NextAction = s.KnownWords(), s.NextWords()
	return s
}
