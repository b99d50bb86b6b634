package main

import (
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

var seenAt = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// driftedOla is acceptedOla as the ledger knows it after the watch saw a change.
func driftedOla(seen publication.Seen, diff string) publication.Snapshot {
	return acceptedOla().WithDrift(publication.Drift{Seen: seen, At: seenAt, Diff: diff, Because: "why"})
}

func closedOla() *fakeEngine {
	return &fakeEngine{run: closedRun(), result: &ending{snapshot: acceptedOla()}}
}

func TestStatusOfAClosedOneTellsWhatTheWatchSaw(t *testing.T) {
	for seen, want := range map[publication.Seen]struct {
		code  int
		words string
	}{
		publication.SeenEdited:  {5, "edited elsewhere"},
		publication.SeenHidden:  {5, "only a moderator can restore it"},
		publication.SeenDeleted: {5, "deleted elsewhere"},
		publication.SeenGone:    {5, "deleted or hidden"},
		publication.SeenBack:    {0, "reads as accepted again"},
	} {
		b := newBench(t, closedOla())
		b.withLedger(driftedOla(seen, "-a\n+b\n"))
		b.mustRun(t, want.code, "status", "ana/ola")
		if out := b.out.String(); !strings.Contains(out, want.words) || !strings.Contains(out, "id-1") {
			t.Errorf("%s:\n%s", seen, out)
		}
	}
}

func TestRecheckOfAClosedOneAsksTheWatch(t *testing.T) {
	for seen, code := range map[publication.Seen]int{publication.SeenUnchanged: 0, publication.SeenBack: 0, publication.SeenEdited: 5, publication.SeenHidden: 5, publication.SeenGone: 5} {
		e := closedOla()
		e.watch.sees.Drift = publication.Drift{Seen: seen, At: seenAt}
		b := newBench(t, e)
		b.mustRun(t, code, "recheck", "ana/ola", "--by", "eva")
		b.saysOnStderr(t, "read now: "+string(seen))
		if len(e.watch.asked) != 1 || e.watch.asked[0].Operation != opOla || e.watch.asked[0].By != "eva" || len(e.signals) != 0 {
			t.Errorf("asked %+v, sent %+v", e.watch.asked, e.signals)
		}
	}
}

// An edit of ours came after what was told: the two must not contradict each other.
func TestRecheckThatReadsWhatIsExpectedEndsWhatWasToldBefore(t *testing.T) {
	e := closedOla()
	e.watch.sees.Drift = publication.Drift{Seen: publication.SeenUnchanged, At: seenAt}
	b := newBench(t, e)
	b.withLedger(driftedOla(publication.SeenEdited, "-a\n+b\n"))
	b.mustRun(t, 0, "recheck", "ana/ola", "--by", "eva")
	b.saysOnStderr(t, "read now: unchanged")
	if out := b.out.String(); strings.Contains(out, "edited elsewhere") || strings.Contains(out, "+b") {
		t.Errorf("standard output:\n%s", out)
	}
}

func TestRecheckSaysWhyAClosedOneWasNotRead(t *testing.T) {
	e := closedOla()
	e.watch.sees.Problem = "TabNews cannot be reached"
	b := newBench(t, e)
	b.mustRun(t, 1, "recheck", "ana/ola")
	b.saysOnStderr(t, "not read", "TabNews cannot be reached")
}

func TestRecheckOfAClosedDraftOrRemovalIsRefused(t *testing.T) {
	draft := acceptedOla()
	draft.RemoteStatus, draft.Verification = publication.StatusDraft, publication.VerificationNotApplicable
	draft.Identity.Status = publication.StatusDraft
	removal := acceptedOla()
	removal.Operation = "remove/ana/ola"
	for name, s := range map[string]publication.Snapshot{"publish/ana/ola": draft, "remove/ana/ola": removal} {
		e := &fakeEngine{run: &execution{Operation: s.Operation, Status: "completed"}, result: &ending{snapshot: s}}
		b := newBench(t, e)
		b.mustRun(t, 2, "recheck", name)
		b.saysOnStderr(t, "refused")
		if len(e.watch.asked) != 0 {
			t.Errorf("%s: asked %+v", name, e.watch.asked)
		}
	}
}

// What we removed in a second try is removed: nothing is left to read, and no older drift brings it back.
func TestOurRemovalIsNewerThanAnyDrift(t *testing.T) {
	const first, second = publication.OperationID("remove/ana/ola"), publication.OperationID("remove/ana/ola/@2")
	gone := removed(second)
	gone.Identity = acceptedOla().Identity
	for _, seen := range []publication.Seen{publication.SeenEdited, publication.SeenBack} {
		e := closedOla()
		b := newBench(t, e)
		b.withRecords(&fakeRecords{snapshots: []publication.Snapshot{driftedOla(seen, ""), abandoned(first), gone},
			tries: tries{first: publication.StateAbandoned, second: publication.StateAccepted}})
		b.mustRun(t, 0, "status", "ana/ola", "--json")
		if got := b.document(t); got.RemoteStatus != publication.StatusDeleted || got.Drift != nil {
			t.Errorf("%s: remote status %q, drift %+v", seen, got.RemoteStatus, got.Drift)
		}
		b.mustRun(t, 2, "recheck", "ana/ola")
		if len(e.watch.asked) != 0 {
			t.Errorf("%s: asked %+v", seen, e.watch.asked)
		}
	}
}

func TestListOfDriftShowsTheWord(t *testing.T) {
	b := newBench(t, &fakeEngine{listed: []execution{{Operation: "publish/ana/nova", Open: true}}})
	b.withLedger(acceptedOla(), driftedOla(publication.SeenHidden, ""))
	b.mustRun(t, 0, "list", "--drift")
	if out := b.out.String(); strings.Count(out, "publish/ana/") != 1 || !strings.Contains(out, "firewall, hidden") {
		t.Errorf("standard output:\n%s", out)
	}
}

func TestListOfDriftNeedsTheLedger(t *testing.T) {
	b := newBench(t, &fakeEngine{})
	b.mustRun(t, 1, "list", "--drift")
	b.saysOnStderr(t, "DATABASE_URL")
}
