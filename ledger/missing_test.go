package ledger

import (
	"testing"
	"time"

	"postonce/publication"
)

// incidentNow lets the lane meet the firewall now, so that it may have hidden the creation of op.
func (f fixture) incidentNow() publication.OperationID {
	f.t.Helper()
	refused := request("publish/autora/recusado", payload("texto"), "run-2", "ana")
	f.open(refused)
	_, err := f.pool.Exec(f.t.Context(), `insert into incidents (lane, creates, operation, attempt, paused_until)
		values ('home', 'root', $1, (select coalesce(max(attempt), 0) + 1 from incidents), clock_timestamp())`, refused.Operation)
	f.must(err)
	return refused.Operation
}

// readable tells whether the newest incident is believed to have hidden op, should it not be readable.
func (f fixture) readable(refused publication.OperationID) bool {
	f.t.Helper()
	var attempt int
	f.must(f.pool.QueryRow(f.t.Context(), `select max(attempt) from incidents`).Scan(&attempt))
	affected, err := f.AffectedByIncident(f.t.Context(), refused, attempt)
	f.must(err)
	if len(affected) != 1 {
		f.t.Fatalf("affected: %+v", affected)
	}
	return affected[0].Readable
}

// inHome makes the accepted creation of op one of the lane home.
func (f fixture) inHome() {
	f.t.Helper()
	_, err := f.pool.Exec(f.t.Context(), `update attempts set lane = 'home'`)
	f.must(err)
}

// An incident hides what could be read before it, as far as is known; what was absent before was absent for another reason,
// and what was read since was spared.
func TestAnIncidentExplainsOnlyWhatCouldBeReadBeforeIt(t *testing.T) {
	for name, c := range map[string]struct {
		verification publication.Verification
		looks        func(fixture)
		want         bool
	}{
		"read back":               {publication.VerificationMatched, func(fixture) {}, true},
		"read back, and differed": {publication.VerificationDiverged, func(fixture) {}, true},
		"never read":              {publication.VerificationUnreadable, func(fixture) {}, false},
		"read by the watch": {publication.VerificationUnreadable, func(f fixture) {
			f.sight(f.makeDue(), publication.SeenUnchanged, "")
		}, true},
		"gone before": {publication.VerificationMatched, func(f fixture) {
			f.sight(f.makeDue(), publication.SeenGone, "")
		}, false},
		"not found before, and not told yet": {publication.VerificationMatched, func(f fixture) {
			f.must(f.SightMissing(f.t.Context(), f.makeDue().Content, time.Minute))
		}, false},
		"its read-back is still under way": {publication.VerificationPending, func(fixture) {}, false},
		"gone for its watch": {publication.VerificationMatched, func(f fixture) {
			_, err := f.pool.Exec(f.t.Context(), `update watches set seen = 'gone'`)
			f.must(err)
		}, false},
		"gone, and back": {publication.VerificationMatched, func(f fixture) {
			f.sight(f.makeDue(), publication.SeenGone, "")
			f.sight(f.makeDue(), publication.SeenUnchanged, "")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.published(c.verification)
			f.inHome()
			f.due(soonAfter...)
			c.looks(f)
			refused := f.incidentNow()
			w := f.makeDue()
			if (w.HiddenAt != nil) != c.want || f.readable(refused) != c.want {
				t.Errorf("the watch believes it: %v, reading again believes it: %v; want %v", w.HiddenAt != nil, f.readable(refused), c.want)
			}
			f.sight(w, publication.SeenUnchanged, "") // it was spared
			if w := f.makeDue(); w.HiddenAt != nil || f.readable(refused) {
				t.Error("an incident before the last read explains what comes later")
			}
		})
	}
}

func TestTheWatchKeepsWhereItFoundAContentLast(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	at := time.Now().Add(-time.Hour).Truncate(time.Microsecond)
	w := f.onlyDue()
	if w.Slug != "ola" || w.PublishedAt != nil {
		t.Errorf("at first: %+v", w)
	}
	w.Slug, w.PublishedAt = "outro-lugar", &at
	f.sight(w, publication.SeenEdited, "renamed")
	w = f.makeDue()
	w.PublishedAt = nil
	f.sight(w, publication.SeenGone, "")
	if w = f.makeDue(); w.Slug != "outro-lugar" || w.PublishedAt == nil || !w.PublishedAt.Equal(at) {
		t.Errorf("after a rename: %+v", w)
	}
	f.reach(reviseOp, publication.OutcomeAccepted)
	f.verify(f.get(reviseOp), publication.VerificationMatched)
	if w = f.onlyDue(); w.Slug != "ola" {
		t.Errorf("after an edit of ours, which names it anew: %+v", w)
	}
}

func TestWhatIsMissingWaitsUntilItIsTold(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	w := f.onlyDue()
	if w.MissingFor != 0 {
		t.Errorf("at first: %+v", w)
	}
	for range 2 {
		f.must(f.SightMissing(t.Context(), w.Content, time.Minute))
		if wait, err := f.AnnounceWatch(t.Context(), "autora"); err != nil || wait == nil || *wait > time.Minute || *wait < 50*time.Second {
			t.Errorf("asked again in %v, %v", wait, err)
		}
		_, err := f.pool.Exec(t.Context(), `update watches set missing_at = missing_at - interval '1 minute'`)
		f.must(err)
	}
	if w = f.makeDue(); w.MissingFor < 2*time.Minute || w.Seen != publication.SeenUnchanged {
		t.Errorf("missing for two minutes: %+v", w)
	}
	f.sight(w, publication.SeenDeleted, "")
	if w = f.makeDue(); w.MissingFor != 0 {
		t.Errorf("told: %+v", w)
	}
}

// An incident lets a content be read at once, and no look that fails becomes a look every second.
func TestAnIncidentLeavesTheBackoffAlone(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	f.inHome()
	f.sight(f.onlyDue(), publication.SeenUnchanged, "")
	f.incidentNow()
	f.must(f.SightFailed(t.Context(), f.onlyDue().Content, "TabNews is away"))
	if found := f.due(soonAfter...); len(found) != 0 {
		t.Errorf("its failed look is repeated at once: %+v", found)
	}
	_, err := f.pool.Exec(t.Context(), `insert into incidents (lane, creates, operation, attempt, paused_until)
		select lane, creates, operation, attempt + 1, paused_until from incidents`)
	f.must(err)
	f.onlyDue() // another one
}

func TestAProbeThatTheFirewallRefusedIsAnIncident(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	f.inHome()
	_, err := f.pool.Exec(t.Context(), `update attempts set creates = 'comment', may_create_until = clock_timestamp() - interval '1 minute'`)
	f.must(err)
	for n := range 2 {
		f.makeDue()
		_, err = f.pool.Exec(t.Context(), `update lanes set last_start = null`)
		f.must(err)
		slot := f.takeProbeSlot()
		if !slot.Taken {
			t.Fatalf("time %d: %+v", n, slot)
		}
		f.must(f.ProbeMetFirewall(t.Context(), op, slot, 10*time.Minute))
		lanes, err := f.Lanes(t.Context())
		f.must(err)
		if len(lanes) == 0 || lanes[0].Lane != "home" || lanes[0].Paused == nil || len(lanes[0].Incidents) != n+1 || len(lanes[0].Incidents[0].Affected) != 1 {
			t.Fatalf("time %d: %+v", n, lanes)
		}
		if i := lanes[0].Incidents[0]; i.Operation != op || i.Attempt != 0 || i.Creates != CreatesComment {
			t.Errorf("time %d: %+v", n, i)
		}
		if w := f.makeDue(); w.Probed {
			t.Error("it is not asked for again")
		}
		if affected, err := f.AffectedByIncident(t.Context(), op, 0); err != nil || len(affected) != 1 {
			t.Errorf("time %d: affected %+v, %v", n, affected, err)
		}
		if slot := f.takeProbeSlot(); slot.Taken || slot.Wait < 9*time.Minute {
			t.Errorf("in the pause: %+v", slot)
		}
		if resumed, err := f.ResumeLane(t.Context(), "home"); err != nil || !resumed {
			t.Errorf("resumed %v, %v", resumed, err)
		}
	}
	entries := 0
	for _, e := range f.journal() {
		if e.Event == EventIncident {
			entries++
		}
	}
	if entries != 2 {
		t.Errorf("the journal tells of %d incidents, want 2", entries)
	}
}
