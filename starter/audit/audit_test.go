package audit

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/starter/runs"
	"postonce/tabnews"
)

// world is the three worlds with little in them.
type world struct {
	records  []ledger.Record
	runs     map[publication.OperationID][]runs.Run // newest first
	repairs  []publication.OperationID              // open
	contents []tabnews.Content
	broken   bool           // TabNews does not answer
	read     int            // runs that were read
	moves    func(w *world) // what happens before the second look
}

func (w *world) List(context.Context, ledger.Filter) ([]ledger.Record, error) { return w.records, nil }

func (w *world) Load(_ context.Context, op publication.OperationID) (ledger.Record, error) {
	for _, r := range w.records {
		if r.Operation == op {
			return r, nil
		}
	}
	return ledger.Record{}, ledger.ErrNotFound
}

func (w *world) Memory(context.Context) (string, error) { return "now", nil }

type worldRuns struct{ *world }

func (w worldRuns) List(context.Context, int) (found []runs.Execution, more bool, err error) {
	for op, list := range w.runs {
		for _, r := range list {
			found = append(found, runs.Execution{Operation: op, RunID: r.RunID, Open: r.Open})
		}
	}
	for _, op := range w.repairs {
		found = append(found, runs.Execution{Operation: op, Repair: true, Open: true})
	}
	return found, false, nil
}

func (w worldRuns) Read(_ context.Context, op publication.OperationID, runID string) (runs.Run, error) {
	w.read++
	for _, r := range w.runs[op] {
		if r.RunID == runID {
			return r, nil
		}
	}
	return runs.Run{}, errors.New("no such run")
}

func (w *world) Content(_ context.Context, ref publication.Reference) (tabnews.Content, error) {
	if w.broken {
		return tabnews.Content{}, errors.New("connection refused")
	}
	for _, c := range w.contents {
		if c.Reference() == ref {
			return c, nil
		}
	}
	return tabnews.Content{}, &tabnews.NotFoundError{Reference: ref}
}

func (w *world) UserContents(context.Context, string, int, int) ([]tabnews.Content, error) {
	return w.contents, nil
}

func (w *world) audit(t *testing.T) Report {
	t.Helper()
	a := &Audit{Records: w, Runs: worldRuns{w}, TabNews: w, Limit: 100, Pages: 2, Say: t.Logf, After: func(time.Duration) <-chan time.Time {
		if w.moves != nil && w.read > 0 {
			w.moves(w)
		}
		passed := make(chan time.Time)
		close(passed)
		return passed
	}}
	report, err := a.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

const op = publication.OperationID("publish/autora/ola")

var (
	payload  = publication.Payload{Title: "Olá", Slug: "ola", Body: "Um texto.", Status: publication.StatusPublished}
	identity = publication.Identity{ID: "5b1f6a0e-4f0c-4b8e-9a40-6cf4a4dc54a1", OwnerUsername: "autora", Slug: "ola", Status: publication.StatusPublished}
	other    = publication.Identity{ID: "6b1f6a0e-4f0c-4b8e-9a40-6cf4a4dc54a1", OwnerUsername: "autora", Slug: "ola", Status: publication.StatusPublished}
	shown    = tabnews.Content{ID: identity.ID, OwnerUsername: "autora", Slug: "ola", Title: "Olá", Body: "Um texto.", Status: publication.StatusPublished}
)

func attempts(outcomes ...publication.Outcome) []publication.Attempt {
	var list []publication.Attempt
	for i, o := range outcomes {
		list = append(list, publication.Attempt{Number: i + 1, Outcome: o, Digest: payload.Digest()})
	}
	return list
}

func record(state publication.State, outcomes ...publication.Outcome) ledger.Record {
	r := ledger.Record{Operation: op, Reference: "autora/ola", Account: "autora", State: state, Payload: payload, Digest: payload.Digest(),
		Attempts: attempts(outcomes...), Verification: publication.VerificationPending}
	if state == publication.StateAccepted {
		r.Identity, r.RemoteStatus, r.Verification = &identity, publication.StatusPublished, publication.VerificationMatched
	}
	return r
}

func run(state publication.State, outcomes ...publication.Outcome) runs.Run {
	s := publication.Snapshot{Operation: op, State: state, Digest: payload.Digest(), Attempts: attempts(outcomes...)}
	if state == publication.StateAccepted {
		s.Identity, s.RemoteStatus = &identity, publication.StatusPublished
		s.Attempts[len(s.Attempts)-1].Identity = &identity
	}
	for i := range s.Attempts {
		s.Attempts[i].RunID = "run-" + string(state)
	}
	status := "completed"
	if state == publication.StateRejected {
		status = "failed"
	}
	return runs.Run{Operation: op, RunID: "run-" + string(state), Status: status, Opened: true, Known: api.RecordInput{Payload: payload, Snapshot: s}}
}

func open(r runs.Run) runs.Run {
	r.Open, r.Status = true, "running"
	return r
}

// before is a run that heard from the ledger before that was restored.
func before(r runs.Run) runs.Run {
	r.Memory = "before"
	return r
}

func foreign(r runs.Run) runs.Run {
	r.Known.Snapshot.Operation = "publish/autora/outro"
	return r
}

func terminated(r runs.Run) runs.Run {
	r.Status = "terminated"
	return r
}

const (
	accepted = publication.StateAccepted
	unknown  = publication.StateUnknown
	planned  = publication.StatePlanned
	proposed = publication.StateProposed
	sending  = publication.StateSending
)

// Every kind of difference, and what is none.
func TestEveryDifferenceIsNamed(t *testing.T) {
	yes, doubt, sent := publication.OutcomeAccepted, publication.OutcomeUnknown, publication.OutcomeSending
	refuted := func(r ledger.Record) ledger.Record { r.RemoteStatus = publication.StatusFirewall; return r }
	known := func(r ledger.Record) ledger.Record { r.Verification = publication.VerificationDiverged; return r }
	removed := record(accepted, yes)
	removed.Operation = "remove/autora/ola"
	removed.CreatedAt = time.Unix(10, 0)
	// Edited by us, and then changed elsewhere: that is noted on the publication.
	edited := record(accepted, yes)
	edited.Operation, edited.CreatedAt = "revise/autora/ola@v1", time.Unix(10, 0)
	told := func(v publication.Verification, s publication.ContentStatus) ledger.Record {
		r := record(accepted, yes)
		r.Verification, r.RemoteStatus, r.Drift = v, s, &publication.Drift{Seen: publication.SeenGone}
		return r
	}
	draft := record(accepted, yes)
	draftIdentity := identity
	draftIdentity.Status, draft.RemoteStatus, draft.Identity = publication.StatusDraft, publication.StatusDraft, &draftIdentity
	elsewhere := shown
	elsewhere.ID = other.ID
	changed := shown
	changed.Body = "Outro texto."
	// The ledger was lost after one run's attempt, and another run's was refused.
	ran := func(r ledger.Record) ledger.Record { r.Attempts[0].RunID = "run-rejected"; return r }
	renumbered := ran(record(unknown, publication.OutcomeRejected, doubt))
	renumbered.Attempts[1].RunID = "run-unknown"
	cancel := publication.Decision{ID: "c", Kind: publication.DecisionCancel, By: "ana", Taken: true}
	cancelled := func(r ledger.Record) ledger.Record { r.Decisions = append(r.Decisions, cancel); return r }
	withdrawnRun := terminated(run(proposed))
	withdrawnRun.Known.Snapshot.Decisions = []publication.Decision{{ID: "a", Kind: publication.DecisionApprove, By: "ana", Taken: true}, cancel}
	covered := map[Kind]bool{}
	for name, c := range map[string]struct {
		records  []ledger.Record
		runs     []runs.Run
		repair   bool
		contents []tabnews.Content
		want     []Kind
		recorded publication.State // what --fix would record; empty: nothing
	}{
		"all agree":                        {[]ledger.Record{record(accepted, yes)}, []runs.Run{run(accepted, yes)}, false, []tabnews.Content{shown}, nil, ""},
		"Temporal forgot":                  {[]ledger.Record{record(accepted, yes)}, nil, false, []tabnews.Content{shown}, nil, ""},
		"parked in both":                   {[]ledger.Record{record(unknown, doubt)}, []runs.Run{open(run(unknown, doubt))}, false, nil, nil, ""},
		"lost after an acceptance":         {nil, []runs.Run{run(accepted, yes)}, false, []tabnews.Content{shown}, []Kind{NotInLedger, Untracked}, accepted},
		"lost and gone":                    {nil, []runs.Run{run(accepted, yes)}, false, nil, []Kind{NotInLedger, Missing}, accepted},
		"lost while parked":                {nil, []runs.Run{open(run(unknown, doubt))}, false, nil, []Kind{NotInLedger}, unknown},
		"lost in mid-send":                 {nil, []runs.Run{terminated(run(sending, sent))}, false, nil, []Kind{NotInLedger}, unknown},
		"lost while planned":               {nil, []runs.Run{terminated(run(planned))}, false, nil, []Kind{NotInLedger}, proposed},
		"lost while it was opened again":   {nil, []runs.Run{terminated(run(planned, publication.OutcomeNotCreated))}, false, nil, []Kind{NotInLedger}, unknown},
		"lost, and its run is at work":     {nil, []runs.Run{open(run(planned))}, false, nil, []Kind{NotInLedger}, ""},
		"at work":                          {[]ledger.Record{record(planned)}, []runs.Run{open(run(sending, sent))}, false, nil, nil, ""},
		"not begun":                        {nil, []runs.Run{open(runs.Run{Operation: op, RunID: "r", Known: run(planned).Known})}, false, nil, nil, ""},
		"an older ledger":                  {[]ledger.Record{record(proposed)}, []runs.Run{run(accepted, yes)}, false, []tabnews.Content{shown}, []Kind{NotRecorded, Untracked}, accepted},
		"an older ledger, in doubt":        {[]ledger.Record{record(planned)}, []runs.Run{terminated(run(unknown, doubt))}, false, nil, []Kind{NotRecorded}, unknown},
		"an older run knows more":          {[]ledger.Record{record(proposed)}, []runs.Run{open(run(proposed)), terminated(run(unknown, doubt))}, false, nil, []Kind{NotRecorded}, unknown},
		"restored under a send":            {[]ledger.Record{record(planned)}, []runs.Run{before(open(run(sending, sent)))}, false, nil, []Kind{NotRecorded}, unknown},
		"restored, and it is there":        {[]ledger.Record{record(sending, sent)}, []runs.Run{before(open(run(sending, sent)))}, false, nil, nil, ""},
		"another run has its number":       {[]ledger.Record{ran(record(publication.StateRejected, publication.OutcomeRejected))}, []runs.Run{run(publication.StateRejected, publication.OutcomeRejected), terminated(run(unknown, doubt))}, false, nil, []Kind{NotRecorded}, unknown},
		"it got another number":            {[]ledger.Record{renumbered}, []runs.Run{run(publication.StateRejected, publication.OutcomeRejected), terminated(run(unknown, doubt))}, false, nil, []Kind{NoOpenRun}, ""},
		"started under a foreign ID":       {nil, []runs.Run{foreign(open(run(unknown, doubt)))}, false, nil, []Kind{ForeignRun}, ""},
		"without an input, and over":       {nil, []runs.Run{terminated(runs.Run{Operation: op, RunID: "r"})}, false, nil, nil, ""},
		"withdrawn":                        {[]ledger.Record{cancelled(record(proposed))}, []runs.Run{withdrawnRun}, false, nil, nil, ""},
		"withdrawn, Temporal forgot":       {[]ledger.Record{cancelled(record(proposed))}, nil, false, nil, nil, ""},
		"withdrawn after the backup":       {[]ledger.Record{record(planned)}, []runs.Run{withdrawnRun}, false, nil, []Kind{NotRecorded}, proposed},
		"the run missed the answer":        {[]ledger.Record{record(accepted, yes)}, []runs.Run{open(run(unknown, doubt))}, false, []tabnews.Content{shown}, []Kind{StateDiffers}, ""},
		"the run ended otherwise":          {[]ledger.Record{record(unknown, doubt)}, []runs.Run{run(publication.StateAbandoned, doubt)}, false, nil, []Kind{StateDiffers}, publication.StateAbandoned},
		"two contents":                     {[]ledger.Record{record(accepted, yes)}, []runs.Run{withIdentity(run(accepted, yes), other)}, false, []tabnews.Content{shown}, []Kind{IdentityDiffers}, ""},
		"a repair at work":                 {[]ledger.Record{record(sending, sent)}, []runs.Run{run(accepted, yes)}, true, nil, []Kind{RepairUnderWay}, ""},
		"unknown and nobody":               {[]ledger.Record{record(unknown, doubt)}, nil, false, nil, []Kind{NoOpenRun}, ""},
		"planned and nobody":               {[]ledger.Record{record(planned)}, nil, false, nil, []Kind{NoOpenRun}, ""},
		"sending and nobody":               {[]ledger.Record{record(sending, sent)}, []runs.Run{terminated(run(sending, sent))}, false, nil, []Kind{NoOpenRun}, ""},
		"not public any more":              {[]ledger.Record{record(accepted, yes)}, nil, false, nil, []Kind{Missing}, ""},
		"hidden, as the ledger knows":      {[]ledger.Record{refuted(record(accepted, yes))}, nil, false, nil, nil, ""},
		"a draft":                          {[]ledger.Record{draft}, nil, false, nil, nil, ""},
		"another one there":                {[]ledger.Record{record(accepted, yes)}, nil, false, []tabnews.Content{elsewhere}, []Kind{OtherContent, Untracked}, ""},
		"changed":                          {[]ledger.Record{record(accepted, yes)}, nil, false, []tabnews.Content{changed}, []Kind{Diverged}, ""},
		"changed, as the ledger knows":     {[]ledger.Record{known(record(accepted, yes))}, nil, false, []tabnews.Content{changed}, nil, ""},
		"edited, then gone as told":        {[]ledger.Record{told(publication.VerificationUnreadable, publication.StatusPublished), edited}, nil, false, nil, nil, ""},
		"edited, then hidden as noted":     {[]ledger.Record{refuted(record(accepted, yes)), edited}, nil, false, nil, nil, ""},
		"edited, then changed as told":     {[]ledger.Record{told(publication.VerificationDiverged, publication.StatusPublished), edited}, nil, false, []tabnews.Content{changed}, nil, ""},
		"changed since an older read-back": {[]ledger.Record{known(record(accepted, yes)), edited}, nil, false, []tabnews.Content{changed}, []Kind{Diverged}, ""},
		"removed":                          {[]ledger.Record{record(accepted, yes), removed}, nil, false, nil, nil, ""},
		"removed and there":                {[]ledger.Record{record(accepted, yes), removed}, nil, false, []tabnews.Content{shown}, []Kind{StillThere}, ""},
		"content that nobody tracks":       {[]ledger.Record{record(unknown, doubt)}, []runs.Run{open(run(unknown, doubt))}, false, []tabnews.Content{shown}, []Kind{Untracked}, ""},
		"waits for a person, nobody works": {[]ledger.Record{record(proposed)}, nil, false, nil, []Kind{NoOpenRun}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{records: c.records, contents: c.contents}
			if c.runs != nil {
				w.runs = map[publication.OperationID][]runs.Run{op: c.runs}
			}
			if c.repair {
				w.repairs = []publication.OperationID{op}
			}
			report := w.audit(t)
			var got []Kind
			var fixed publication.State
			for _, d := range report.Differences {
				got = append(got, d.Kind)
				covered[d.Kind] = true
				if d.Detail == "" || d.Remedy == "" || d.Fixable != (d.Repair != nil) {
					t.Errorf("without detail or remedy: %+v", d)
				}
				if d.Repair != nil {
					fixed = d.Repair.Snapshot.State
					opensNothing(t, *d.Repair)
				}
			}
			if !slices.Equal(got, c.want) || fixed != c.recorded {
				t.Errorf("got %v, to be recorded as %q; want %v and %q", got, fixed, c.want, c.recorded)
			}
		})
	}
	for _, k := range Kinds() {
		if !covered[k] {
			t.Errorf("no case shows %s", k)
		}
	}
}

func withIdentity(r runs.Run, i publication.Identity) runs.Run {
	r.Known.Snapshot.Identity = &i
	return r
}

// opensNothing holds that what is recorded allows no send.
func opensNothing(t *testing.T, in api.RecordInput) {
	t.Helper()
	if s := in.Snapshot.State; s == planned || s == sending {
		t.Errorf("it would be recorded as %s", s)
	}
}

func TestARepairNeverBringsAnApprovalThatCouldOpenASend(t *testing.T) {
	known := run(planned).Known
	known.Snapshot.Decisions = []publication.Decision{{ID: "start", Kind: publication.DecisionApprove, By: "ana", Digest: payload.Digest(), Taken: true}}
	if got := provable(known); len(got.Snapshot.Decisions) != 0 || got.Snapshot.State != proposed {
		t.Errorf("got %s with %+v", got.Snapshot.State, got.Snapshot.Decisions)
	}
	if len(known.Snapshot.Decisions) != 1 {
		t.Error("the run's own knowledge was changed")
	}
}

// A scheduled publication that the ledger lost comes back with its time, and waits for another approval.
func TestARepairKeepsTheTime(t *testing.T) {
	known := run(planned).Known
	known.Snapshot.Schedule = &publication.Schedule{SendAt: time.Unix(1e9, 0), SendZone: "UTC", Late: publication.Lateness(time.Hour)}
	if got := provable(known).Snapshot; got.State != proposed || got.Schedule == nil || !got.Schedule.SendAt.Equal(time.Unix(1e9, 0)) {
		t.Errorf("got %s at %v", got.State, got.Schedule)
	}
}

// A run that is at work writes to one side before the other: that is no difference.
func TestWhatPassesIsNoDifference(t *testing.T) {
	w := &world{runs: map[publication.OperationID][]runs.Run{op: {open(run(unknown, publication.OutcomeUnknown))}}}
	w.moves = func(w *world) { w.records = []ledger.Record{record(unknown, publication.OutcomeUnknown)} }
	if report := w.audit(t); len(report.Differences) != 0 {
		t.Errorf("got %+v", report.Differences)
	}
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	w := &world{records: []ledger.Record{record(accepted, publication.OutcomeAccepted)}, broken: true}
	if report := w.audit(t); len(report.Incomplete) != 1 || len(report.Differences) != 0 {
		t.Errorf("got %+v", report)
	}
}

func TestWhatOnlyTheLedgerRemembersIsNoted(t *testing.T) {
	w := &world{records: []ledger.Record{record(accepted, publication.OutcomeAccepted)}, contents: []tabnews.Content{shown}}
	if report := w.audit(t); len(report.Notes) != 1 || report.Notes[0].Operation != op {
		t.Errorf("got %+v", report.Notes)
	}
}

func TestWhatWasWithdrawnIsNoted(t *testing.T) {
	r := record(proposed)
	r.Decisions = []publication.Decision{{ID: "c", Kind: publication.DecisionCancel, By: "ana", Taken: true}}
	w := &world{records: []ledger.Record{r}}
	if report := w.audit(t); len(report.Notes) != 1 || len(report.Differences) != 0 {
		t.Errorf("got %+v", report)
	}
	r.Decisions = append(r.Decisions, publication.Decision{ID: "a", Kind: publication.DecisionApprove, By: "ana", Taken: true})
	w.records = []ledger.Record{r}
	if report := w.audit(t); len(report.Notes) != 0 || len(report.Differences) != 1 {
		t.Errorf("approved again: %+v", report)
	}
}

// What stands at the address of an abandoned publication was probably created by it, in spite of the decision.
func TestContentOfAnAbandonedPublicationNamesIt(t *testing.T) {
	w := &world{records: []ledger.Record{record(publication.StateAbandoned, publication.OutcomeUnknown)}, contents: []tabnews.Content{shown}}
	report := w.audit(t)
	if len(report.Differences) != 1 || report.Differences[0].Kind != Untracked || report.Differences[0].Operation != op {
		t.Errorf("got %+v", report.Differences)
	}
}
