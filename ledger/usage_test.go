package ledger

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
)

func (f fixture) used(from, to time.Time) []Usage {
	f.t.Helper()
	used, err := f.Usage(context.Background(), from, to)
	f.must(err)
	return used
}

// claimedOn moves a claim to another time and into the lane that all share, as if it had been made so.
func (f fixture) claimedOn(id publication.OperationID, attempt int, at string) {
	f.t.Helper()
	_, err := f.pool.Exec(context.Background(), `update attempts set claimed_at = $3::timestamptz, lane = 'home' where operation = $1 and number = $2`, id, attempt, at)
	f.must(err)
}

func slugOp(slug string) publication.OperationID { return publication.PublishID("autora", slug) }

func TestUsageCountsAttemptsByWhatBecameOfThem(t *testing.T) {
	f := newFixture(t)
	for slug, outcome := range map[string]publication.Outcome{"a": publication.OutcomeAccepted, "b": publication.OutcomeAccepted,
		"c": publication.OutcomeRejected, "d": publication.OutcomeUnknown, "e": publication.OutcomeNotSent, "f": publication.OutcomeSending} {
		f.reach(slugOp(slug), outcome)
		f.claimedOn(slugOp(slug), 1, "2026-03-01 12:00Z")
	}
	f.reach(reviseOp, publication.OutcomeAccepted)
	f.claimedOn(reviseOp, 1, "2026-03-01 12:00Z")
	f.reach(removeOp, publication.OutcomeAccepted)
	f.claimedOn(removeOp, 1, "2026-03-01 12:00Z")
	want := []Usage{{Account: "autora", Lane: "home", Day: "2026-03-01", Attempts: 8, Creations: 2, Edits: 1, Removals: 1, Refusals: 1, Unknowns: 1, Unsent: 1}}
	if diff := cmp.Diff(want, f.used(time.Time{}, time.Time{})); diff != "" {
		t.Error(diff)
	}
}

// The day is UTC's, whatever the session's time zone is, and both ends of a range belong to it.
func TestUsageIsOfTheUTCDayOfTheClaim(t *testing.T) {
	f := newFixture(t)
	_, err := f.pool.Exec(context.Background(), `set timezone to 'Asia/Tokyo'`)
	f.must(err)
	for slug, at := range map[string]string{"a": "2026-03-01 00:00Z", "b": "2026-03-01 23:59:59Z", "c": "2026-03-02 00:00Z", "d": "2026-03-03 12:00Z"} {
		f.reach(slugOp(slug), publication.OutcomeAccepted)
		f.claimedOn(slugOp(slug), 1, at)
	}
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	days := func(from, to time.Time) map[string]int {
		counts := map[string]int{}
		for _, u := range f.used(from, to) {
			counts[u.Day] = u.Creations
		}
		return counts
	}
	if diff := cmp.Diff(map[string]int{"2026-03-01": 2, "2026-03-02": 1}, days(day(1), day(2))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"2026-03-03": 1}, days(day(3), time.Time{})); diff != "" {
		t.Error(diff)
	}
}

// There is no second truth: what is learnt about an attempt later changes what its day shows.
func TestUsageFollowsTheAttempts(t *testing.T) {
	f := newFixture(t)
	f.unknown()
	if u := f.used(time.Time{}, time.Time{}); len(u) != 1 || u[0].Unknowns != 1 || u[0].Creations != 0 {
		t.Errorf("while unknown: %+v", u)
	}
	f.decide(publication.Decision{Kind: publication.DecisionAdopt, Attempt: 1})
	if u := f.used(time.Time{}, time.Time{}); len(u) != 1 || u[0].Unknowns != 0 || u[0].Creations != 1 {
		t.Errorf("after it was adopted: %+v", u)
	}
}

// A number that was given up before anybody claimed it has no claim; it is of the day on which that was settled.
func TestATombstoneIsUnsent(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.settle(settleRequest(1))
	if u := f.used(time.Time{}, time.Time{}); len(u) != 1 || u[0].Unsent != 1 || u[0].Attempts != 1 || u[0].Day == "" {
		t.Errorf("got %+v", u)
	}
}
