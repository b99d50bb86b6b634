package ledger

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// soonAfter are steps of which the first has come as soon as something is accepted, and the others are far.
var soonAfter = []time.Duration{time.Microsecond, time.Hour, 24 * time.Hour}

func (f fixture) due(after ...time.Duration) []Watched {
	f.t.Helper()
	found, err := f.DueWatches(context.Background(), "autora", after, 20)
	f.must(err)
	return found
}

// onlyDue gives the one content that is due.
func (f fixture) onlyDue() Watched {
	f.t.Helper()
	found := f.due(soonAfter...)
	if len(found) != 1 {
		f.t.Fatalf("%d contents are due, want 1: %+v", len(found), found)
	}
	return found[0]
}

// makeDue lets time pass, as far as the watch is concerned.
func (f fixture) makeDue() Watched {
	f.t.Helper()
	_, err := f.pool.Exec(context.Background(), `update watches set next_at = clock_timestamp()`)
	f.must(err)
	return f.onlyDue()
}

func (f fixture) sight(w Watched, saw publication.Seen, digest publication.Digest) Sighted {
	f.t.Helper()
	s := Sighting{Watched: w, Saw: saw, Digest: digest, After: soonAfter, Because: "a test saw it"}
	if saw == publication.SeenEdited {
		s.Diff = "-texto\n+outro\n"
	}
	out, err := f.Sight(context.Background(), s)
	f.must(err)
	return out
}

// published reaches an accepted operation that was read back.
func (f fixture) published(verification publication.Verification) Record {
	f.t.Helper()
	rec := f.reach(op, publication.OutcomeAccepted)
	f.verify(rec, verification)
	return f.get(op)
}

func (f fixture) verify(rec Record, verification publication.Verification) {
	f.t.Helper()
	s := rec.Snapshot()
	s.Verification = verification
	f.must(f.Record(context.Background(), RecordRequest{Account: "autora", Lane: "home", Payload: rec.Payload, Base: rec.Base, Snapshot: s}))
}

func (f fixture) drifts(id publication.OperationID) (seen []string) {
	f.t.Helper()
	for _, e := range f.journalOf(id) {
		if e.Event == EventDrift {
			seen = append(seen, e.Detail["seen"].(string))
		}
	}
	return seen
}

func TestEachChangeElsewhereIsToldOnceWithItsWord(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	for i, c := range []struct {
		saw          publication.Seen
		digest       publication.Digest
		told         publication.Seen // empty: nothing is new
		remote       publication.ContentStatus
		verification publication.Verification
	}{
		{publication.SeenUnchanged, "", "", "published", "matched"},
		{publication.SeenEdited, "a", "edited", "published", "diverged"},
		{publication.SeenEdited, "a", "", "published", "diverged"},
		{publication.SeenEdited, "b", "edited", "published", "diverged"},
		{publication.SeenUnchanged, "", "back", "published", "matched"},
		{publication.SeenUnchanged, "", "", "published", "matched"},
		{publication.SeenGone, "", "gone", "published", "unreadable"},
		{publication.SeenGone, "", "", "published", "unreadable"},
		{publication.SeenHidden, "", "hidden", "firewall", "unreadable"},
		{publication.SeenGone, "", "", "firewall", "unreadable"}, // less than what is known
		{publication.SeenHidden, "", "", "firewall", "unreadable"},
		{publication.SeenUnchanged, "", "back", "published", "matched"},
		{publication.SeenDeleted, "", "deleted", "deleted", "unreadable"},
		{publication.SeenDeleted, "", "", "deleted", "unreadable"},
	} {
		out := f.sight(f.makeDue(), c.saw, c.digest)
		if out.Told != (c.told != "") || out.Told && out.Seen != c.told {
			t.Errorf("%d: told %v %s, want %q", i, out.Told, out.Seen, c.told)
		}
		rec := f.get(op)
		if rec.RemoteStatus != c.remote || rec.Verification != c.verification || rec.State != publication.StateAccepted || rec.Identity == nil {
			t.Errorf("%d: %s %s %s %v, want %s %s", i, rec.State, rec.RemoteStatus, rec.Verification, rec.Identity, c.remote, c.verification)
		}
		if c.told != "" && (rec.Drift == nil || rec.Drift.Seen != c.told || rec.Drift.Because == "") {
			t.Errorf("%d: the record tells %+v", i, rec.Drift)
		}
	}
	want := []string{"edited", "edited", "back", "gone", "hidden", "back", "deleted"}
	if got := f.drifts(op); !slices.Equal(got, want) {
		t.Errorf("the journal tells %q, want %q", got, want)
	}
	f.legal(op, publication.StateAccepted)
	recent, err := f.RecentDrift(t.Context(), "autora", 3)
	if f.must(err); len(recent) != 3 || recent[2].Seen != "deleted" || recent[2].Before != "back" || recent[0].Seen != "hidden" || recent[0].Reference != "autora/ola" {
		t.Errorf("the newest are %+v", recent)
	}
}

func TestTheWatchReadsByItsStepsAndAnewAfterAChange(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	w := f.onlyDue()
	f.sight(w, publication.SeenUnchanged, "")
	left := func(want time.Duration) {
		t.Helper()
		wait, err := f.AnnounceWatch(t.Context(), "autora")
		f.must(err)
		if wait == nil || *wait > want || *wait < want-time.Minute {
			t.Errorf("next look in %v, want %v", wait, want)
		}
	}
	left(time.Hour)
	if found := f.due(soonAfter...); len(found) != 0 {
		t.Errorf("%d are due", len(found))
	}
	f.backdate(2 * time.Hour)
	f.sight(f.makeDue(), publication.SeenUnchanged, "")
	left(22 * time.Hour)
	f.sight(f.makeDue(), publication.SeenHidden, "") // the steps begin again: the first is over at once
	f.sight(f.onlyDue(), publication.SeenHidden, "")
	left(time.Hour)
	f.backdate(25 * time.Hour)
	f.sight(f.makeDue(), publication.SeenHidden, "")
	if wait, err := f.AnnounceWatch(t.Context(), "autora"); err != nil || wait != nil {
		t.Errorf("after the last step the next look is in %v, %v", wait, err)
	}
}

// backdate lets time pass since the steps began.
func (f fixture) backdate(by time.Duration) {
	f.t.Helper()
	_, err := f.pool.Exec(context.Background(), `update watches set since = since - $1::interval`, by)
	f.must(err)
}

func TestANewerEditOfOursIsNoDrift(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	f.sight(f.onlyDue(), publication.SeenEdited, "theirs")
	old := f.makeDue()
	f.reach(reviseOp, publication.OutcomeAccepted)
	f.verify(f.get(reviseOp), publication.VerificationMatched)
	w := f.onlyDue()
	if out := f.sight(old, publication.SeenEdited, "ours"); !out.Outdated {
		t.Errorf("our own edit was compared with the version before it: %+v", out)
	}
	if w.Operation != op || w.Expected != reviseOp || w.Seen != publication.SeenUnchanged {
		t.Fatalf("got %+v", w)
	}
	if out := f.sight(w, publication.SeenUnchanged, ""); out.Told {
		t.Errorf("our own edit was told as %s", out.Seen)
	}
	if rec := f.get(op); rec.Drift != nil || rec.Verification != publication.VerificationMatched {
		t.Errorf("after our edit the publication tells %+v, %s", rec.Drift, rec.Verification)
	}
}

func TestNothingIsToldWhileAChangeOfOursIsInDoubt(t *testing.T) {
	for _, outcome := range []publication.Outcome{publication.OutcomeSending, publication.OutcomeUnknown} {
		f := newFixture(t)
		f.published(publication.VerificationMatched)
		w := f.onlyDue()
		f.reach(reviseOp, outcome)
		if out := f.sight(w, publication.SeenEdited, "x"); !out.Outdated || out.Told {
			t.Errorf("%s: got %+v", outcome, out)
		}
		if w := f.onlyDue(); w.Busy == "" {
			t.Errorf("%s: got %+v", outcome, w)
		}
	}
}

func TestOurOwnRemovalEndsTheWatch(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	w := f.onlyDue()
	f.reach(removeOp, publication.OutcomeAccepted)
	if out := f.sight(w, publication.SeenDeleted, ""); !out.Outdated {
		t.Errorf("our own removal was told: %+v", out)
	}
	if found := f.due(soonAfter...); len(found) != 0 || f.count(`select count(*) from watches`) != 0 {
		t.Errorf("still watched: %+v", found)
	}
	if got := f.drifts(op); len(got) != 0 {
		t.Errorf("the journal tells %q", got)
	}
}

func TestWhatReadBackToldIsNotToldAgain(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationDiverged)
	if out := f.sight(f.onlyDue(), publication.SeenEdited, "as read back"); out.Told {
		t.Errorf("got %+v", out)
	}
	if out := f.sight(f.makeDue(), publication.SeenEdited, "another"); !out.Told {
		t.Errorf("a later edit was not told: %+v", out)
	}
}

// The watch may begin before the read-back ends.
func TestWhatReadBackTellsAfterTheWatchBeganIsNotToldAgain(t *testing.T) {
	f := newFixture(t)
	rec := f.reach(op, publication.OutcomeAccepted)
	w := f.onlyDue()
	f.verify(rec, publication.VerificationDiverged)
	if out := f.sight(w, publication.SeenEdited, "as read back"); out.Told || out.Outdated {
		t.Errorf("got %+v", out)
	}
	if out := f.sight(f.makeDue(), publication.SeenEdited, "another"); !out.Told {
		t.Errorf("a later edit was not told: %+v", out)
	}
}

func TestDraftsAreNotWatchedUntilTheyArePublic(t *testing.T) {
	f := newFixture(t)
	draft := identity
	draft.Status = publication.StatusDraft
	p := payload("texto")
	p.Status = publication.StatusDraft
	f.open(request(op, p, "run-1", "ana"))
	f.try(op, 1)
	finish := finishRequest(1, publication.OutcomeAccepted)
	finish.Identity = &draft
	f.must(f.Finish(t.Context(), finish))
	if found := f.due(soonAfter...); len(found) != 0 {
		t.Errorf("a draft is watched: %+v", found)
	}
	from := publication.Base{ID: draft.ID, Payload: p}
	public := publication.ReviseID("autora", "ola", from.Version())
	f.open(changeRequest(public, payload("texto"), from, "run-2", "ana"))
	f.try(public, 1)
	finish.Operation, finish.Identity = public, &identity
	f.must(f.Finish(t.Context(), finish))
	if w := f.onlyDue(); w.Operation != op || w.Expected != public || w.Payload.Status != publication.StatusPublished {
		t.Errorf("got %+v", w)
	}
}

func TestAnAcceptanceIsNeededToBeWatchedBeforeTheWatchWakes(t *testing.T) {
	f := newFixture(t)
	needed := func(want, wantLate bool) {
		t.Helper()
		got, late, err := f.WatchNeeded(t.Context(), "autora", []time.Duration{time.Minute, time.Hour})
		if err != nil || got != want || late != wantLate {
			t.Errorf("needed %v, late %v, %v; want %v, %v", got, late, err, want, wantLate)
		}
	}
	announce := func() *time.Duration {
		wait, err := f.AnnounceWatch(t.Context(), "autora")
		f.must(err)
		return wait
	}
	needed(false, false)
	announce() // it sleeps until something is accepted
	if sleeps, err := f.WatchSleeps(t.Context(), "autora"); err != nil || sleeps {
		t.Errorf("it has something to read: %v, %v", sleeps, err)
	}
	needed(false, false)
	f.published(publication.VerificationMatched)
	needed(true, false)
	if wait := announce(); wait == nil || *wait > time.Minute {
		t.Errorf("the first look is in %v", wait)
	}
	if sleeps, err := f.WatchSleeps(t.Context(), "autora"); err != nil || !sleeps {
		t.Errorf("it has nothing to read: %v, %v", sleeps, err)
	}
	needed(false, false)
	f.due(time.Minute, time.Hour) // a round begins
	needed(false, false)
	_, err := f.pool.Exec(t.Context(), `update watches set next_at = clock_timestamp() - interval '31 seconds'`)
	f.must(err)
	needed(true, true) // it was lost in the middle of its round
}

func TestAnIncidentLetsTheCreationsOfItsTenMinutesBeReadAtOnce(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	f.sight(f.onlyDue(), publication.SeenUnchanged, "")
	refused := request("publish/autora/outro", payload("texto"), "run-2", "ana")
	f.open(refused)
	// incident lets the creation have been so long ago, and the lane meet the firewall now.
	incident := func(lane, creates, ago string) {
		_, err := f.pool.Exec(t.Context(), `update attempts set lane = 'home', claimed_at = clock_timestamp() - $1::interval, may_create_until = clock_timestamp() - $1::interval`, ago)
		f.must(err)
		_, err = f.pool.Exec(t.Context(), `insert into incidents (lane, creates, operation, attempt, paused_until)
			values ($1, $2, $3, (select coalesce(max(attempt), 0) + 1 from incidents), clock_timestamp())`, lane, creates, refused.Operation)
		f.must(err)
	}
	incident("another", "root", "1 minute")
	incident("home", "comment", "1 minute")
	if found := f.due(soonAfter...); len(found) != 0 {
		t.Fatalf("due although no incident can have hidden it: %+v", found)
	}
	incident("home", "root", "11 minutes")
	if found := f.due(soonAfter...); len(found) != 0 {
		t.Fatalf("due although the incident came too late: %+v", found)
	}
	incident("home", "root", "9 minutes")
	w := f.onlyDue()
	if w.HiddenAt == nil {
		t.Fatalf("got %+v", w)
	}
	f.sight(w, publication.SeenUnchanged, "") // it was spared
	if found := f.due(soonAfter...); len(found) != 0 {
		t.Errorf("looked at again and again: %+v", found)
	}
}

func TestWhatCannotBeReadIsPutOffWithBackoff(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	w := f.onlyDue()
	for _, want := range []time.Duration{firstPause, 2 * firstPause, 4 * firstPause} {
		f.must(f.SightFailed(t.Context(), w.Content, "TabNews\x00 is away"))
		wait, err := f.AnnounceWatch(t.Context(), "autora")
		f.must(err)
		if wait == nil || *wait > want || *wait < want-2*time.Second {
			t.Errorf("tried again in %v, want %v", wait, want)
		}
	}
	if f.count(`select failures from watches`) != 3 {
		t.Error("the failures were not counted")
	}
	f.sight(f.makeDue(), publication.SeenUnchanged, "")
	if f.count(`select failures from watches`) != 0 {
		t.Error("a look that succeeded did not end the failures")
	}
}

func TestListOfDriftHasThoseAloneThatChanged(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	list := func() []Record {
		found, err := f.List(t.Context(), Filter{Drift: true})
		f.must(err)
		return found
	}
	f.sight(f.onlyDue(), publication.SeenUnchanged, "")
	if found := list(); len(found) != 0 {
		t.Errorf("got %+v", found)
	}
	f.sight(f.makeDue(), publication.SeenEdited, "x")
	if found := list(); len(found) != 1 || found[0].Drift == nil || found[0].Snapshot().Divergence == "" {
		t.Errorf("got %+v", found)
	}
}

func TestWatchedByFindsTheContentOfAnyOfItsOperations(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	f.reach(reviseOp, publication.OutcomeAccepted)
	for _, id := range []publication.OperationID{op, reviseOp} {
		if w, err := f.WatchedBy(t.Context(), "autora", nil, id); err != nil || w.Operation != op {
			t.Errorf("%s: %+v, %v", id, w, err)
		}
	}
	if _, err := f.WatchedBy(t.Context(), "autora", soonAfter, "publish/autora/nada"); err == nil || !strings.Contains(err.Error(), "nada") {
		t.Errorf("got %v", err)
	}
}
