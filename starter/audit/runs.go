package audit

import (
	"fmt"
	"slices"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/starter/runs"
	"postonce/workflows"
)

// kept is what Temporal keeps of one operation: its runs, the newest first, and whether a repair of it is open.
type kept struct {
	runs    []runs.Run
	repair  bool
	foreign []runs.Run // those whose input names another operation: they tell nothing of this one
	memory  string     // the ledger's, to which they are compared
}

func (k kept) open() bool {
	return slices.ContainsFunc(k.runs, func(r runs.Run) bool { return r.Open })
}

// best is the run whose knowledge counts: the newest, unless an older one knows an identity or an attempt that the newest
// never heard of, since it began with a ledger that had lost it.
func (k kept) best() runs.Run {
	best := k.runs[0]
	for _, older := range k.runs[1:] {
		switch {
		case best.Identity() == nil && older.Identity() != nil:
			best = older
		case best.Identity() == nil && older.Sent() && lacks(best.Snapshot(), older.Snapshot()):
			best = older
		}
	}
	return best
}

// lacks reports whether an attempt that may have created content is not among those that are known.
func lacks(known, told publication.Snapshot) bool {
	return slices.ContainsFunc(told.Attempts, func(a publication.Attempt) bool { return a.Outcome.MayHaveCreated() && known.Lacks(a) })
}

// forgotten reports whether the ledger was restored since an open run last heard from it, and lacks an attempt of which
// that run knows: what is on its way there did not pass by now.
func (k kept) forgotten(record publication.Snapshot) bool {
	newest := k.runs[0]
	return newest.Memory != "" && newest.Memory != k.memory && lacks(record, newest.Snapshot())
}

// foreignRun names a run that somebody started under an ID that is not its operation's. Nothing of it is recorded: what it
// did is the other operation's, and an input that names none did nothing.
func foreignRun(op publication.OperationID, k kept) *Difference {
	i := slices.IndexFunc(k.foreign, func(r runs.Run) bool { return r.Open || r.Sent() || r.Identity() != nil })
	if i < 0 {
		return nil
	}
	r := k.foreign[i]
	return &Difference{Kind: ForeignRun, Operation: op,
		Detail: fmt.Sprintf("the workflow %q (run %s, %s) was started by hand: its input names the operation %q", op, r.RunID, r.Status, r.Snapshot().Operation),
		Remedy: "look at it in Temporal, and end it there; start operations with `starter`, which derives the ID"}
}

// compareRuns compares what Temporal keeps of an operation with the ledger's record; nil: it has none.
func compareRuns(op publication.OperationID, k kept, record *ledger.Record) *Difference {
	d := Difference{Operation: op, Reference: op.Reference().String()}
	switch {
	case k.repair:
		d.Kind, d.Detail = RepairUnderWay, fmt.Sprintf("the workflow %s has not written the record yet", workflows.RepairID(op))
		d.Remedy = "it goes on by itself once a worker and the ledger answer"
	case len(k.runs) == 0 && record == nil:
		return nil
	case len(k.runs) == 0:
		return withoutRun(d, *record, k)
	case record == nil:
		return notInLedger(d, k)
	default:
		return recorded(d, k, *record)
	}
	return &d
}

func notInLedger(d Difference, k kept) *Difference {
	newest, best := k.runs[0], k.best()
	s := best.Snapshot()
	if newest.Open && !newest.Opened && !best.Sent() {
		return nil // it has not begun: the ledger, or a worker, is awaited
	}
	d.Kind = NotInLedger
	d.Detail = fmt.Sprintf("Temporal's run %s (%s) is %s%s, and the ledger has no such operation", best.RunID, best.Status, s.State, identityWords(s.Identity))
	if newest.Open && best.Identity() == nil && !parkedState(s.State) {
		d.Remedy = "its run is at work and rebuilds the record by itself; look again"
		return &d
	}
	return fixable(d, best)
}

// parkedState reports whether an open run stands still in a state until a person decides.
func parkedState(s publication.State) bool {
	return s == publication.StateUnknown || s == publication.StateProposed
}

// recorded compares two records of one operation.
func recorded(d Difference, k kept, record ledger.Record) *Difference {
	newest, best := k.runs[0], k.best()
	s, holds := best.Snapshot(), publication.Snapshot{Attempts: record.Attempts}
	switch {
	case newest.Open && best.Identity() == nil && !parkedState(newest.Snapshot().State) && !k.forgotten(holds):
		return nil // it is at work, and writes to one of the two first
	case s.Identity != nil && record.Identity != nil && s.Identity.ID != record.Identity.ID:
		d.Kind = IdentityDiffers
		d.Detail = fmt.Sprintf("Temporal's run %s names %s, the ledger%s", best.RunID, s.Identity.ID, identityWords(record.Identity))
		d.Remedy = fmt.Sprintf("look at both contents; the ledger's journal and `starter status %s` tell where each comes from", d.Operation)
		return &d
	case s.Identity != nil && record.Identity == nil, lacks(holds, s):
		d.Kind = NotRecorded
		d.Detail = fmt.Sprintf("Temporal's run %s is %s%s, the ledger is %s with %d attempts", best.RunID, s.State, identityWords(s.Identity), record.State, len(record.Attempts))
		return fixable(d, best)
	case !newest.Open && withdrawal(newest.Snapshot().Decisions) != nil && !record.State.Settled() && !knows(record, *withdrawal(newest.Snapshot().Decisions)):
		d.Kind = NotRecorded
		d.Detail = fmt.Sprintf("Temporal's run %s was withdrawn by %s, and the ledger, which is %s, does not know it", newest.RunID, withdrawal(newest.Snapshot().Decisions).By, record.State)
		return fixable(d, newest)
	case newest.Open && newest.Snapshot().State != record.State:
		d.Kind = StateDiffers
		d.Detail = fmt.Sprintf("the open run is %s, the ledger %s", newest.Snapshot().State, record.State)
		d.Remedy = fmt.Sprintf("`starter recheck %s` lets the run ask the ledger", d.Operation)
		return &d
	case !newest.Open && best.RunID == newest.RunID && hasResult(newest) && newest.Snapshot().State != record.State:
		d.Kind = StateDiffers
		d.Detail = fmt.Sprintf("the run ended as %s, the ledger is %s", newest.Snapshot().State, record.State)
		return fixable(d, newest)
	}
	return withoutRun(d, record, k)
}

// hasResult reports whether a run said at its end what is known.
func hasResult(r runs.Run) bool {
	return r.Status == "completed" || r.Status == "failed" && r.Snapshot().State == publication.StateRejected
}

// withoutRun names an operation that waits in the ledger while nobody works on it.
func withoutRun(d Difference, record ledger.Record, k kept) *Difference {
	if record.State.Settled() || k.open() || withdrawn(record) {
		return nil
	}
	d.Kind = NoOpenRun
	d.Detail = fmt.Sprintf("the ledger is %s, and Temporal has no open run of it", record.State)
	switch record.State {
	case publication.StateUnknown:
		d.Remedy = fmt.Sprintf("`starter recheck %s` takes it up again where it stands, to be decided; sends nothing", d.Operation)
	case publication.StateSending:
		d.Remedy = "start it again: it takes up the attempt and settles it, and sends nothing while that is in doubt"
	default:
		d.Remedy = "start it again with an approval, which takes it up where it stands"
	}
	return &d
}

func identityWords(identity *publication.Identity) string {
	if identity == nil {
		return ""
	}
	return fmt.Sprintf(" with %s (id %s)", identity.Reference(), identity.ID)
}

// fixable offers what the run proves to be recorded.
func fixable(d Difference, r runs.Run) *Difference {
	repair := provable(r.Known)
	d.Fixable, d.Repair = true, &repair
	d.Remedy = fmt.Sprintf("`starter audit --fix` records it as %s from Temporal's history; sends nothing", repair.Snapshot.State)
	return &d
}

// provable is a run's knowledge as far as it proves something, with nothing in it that could open a send: a ledger that
// was lost may have known more. What was ordered and not answered is unknown, never planned.
func provable(known api.RecordInput) api.RecordInput {
	s := &known.Snapshot
	s.Attempts = slices.Clone(s.Attempts)
	doubt := s.Identity == nil && (s.State == publication.StateSending || s.State == publication.StateUnknown)
	if last := s.LastAttempt(); last != nil && s.State == publication.StatePlanned && last.Outcome == publication.OutcomeNotCreated {
		last.Outcome, doubt = publication.OutcomeUnknown, true // whether it was sent again since, nobody can say
		s.Decisions = slices.DeleteFunc(slices.Clone(s.Decisions), func(d publication.Decision) bool {
			return d.Kind == publication.DecisionNotCreated && d.Attempt == last.Number
		})
	}
	switch {
	case doubt:
		s.State = publication.StateUnknown
	case s.State == publication.StatePlanned, s.State == publication.StateProposed:
		s.State = publication.StateProposed
		s.Decisions = slices.DeleteFunc(slices.Clone(s.Decisions), func(d publication.Decision) bool { return d.Taken && d.Kind.Authorizes() })
	}
	return known
}
