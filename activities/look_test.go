package activities

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
	"postonce/tabnews/tabnewstest"
)

// watchLedger has one content due, and notes what is told of it.
type watchLedger struct {
	watched ledger.Watched
	sights  []ledger.Sighting
	failed  []string
	later   []time.Duration
	slot    ledger.ProbeSlot
	taken   int
	back    int
	down    error
	told    []ledger.DriftEntry
	missing []time.Duration
	refused []publication.OperationID // the firewall refused their probes
}

func (w *watchLedger) SightMissing(_ context.Context, _ string, by time.Duration) error {
	w.missing = append(w.missing, by)
	return nil
}

func (w *watchLedger) ProbeMetFirewall(_ context.Context, op publication.OperationID, _ ledger.ProbeSlot, _ time.Duration) error {
	w.refused = append(w.refused, op)
	return nil
}

func (w *watchLedger) RecentDrift(context.Context, string, int) ([]ledger.DriftEntry, error) {
	return w.told, nil
}

func (w *watchLedger) DueWatches(context.Context, string, []time.Duration, int) ([]ledger.Watched, error) {
	return []ledger.Watched{w.watched}, w.down
}

func (w *watchLedger) WatchedBy(_ context.Context, _ string, _ []time.Duration, op publication.OperationID) (ledger.Watched, error) {
	if op != w.watched.Operation {
		return ledger.Watched{}, ledger.ErrNotFound
	}
	return w.watched, nil
}

func (w *watchLedger) Sight(_ context.Context, s ledger.Sighting) (ledger.Sighted, error) {
	w.sights = append(w.sights, s)
	told := s.Saw != w.watched.Seen
	before := w.watched.Seen
	w.watched.Seen = s.Saw
	if told {
		w.told = append(w.told, ledger.DriftEntry{Operation: s.Operation, Before: before, Drift: publication.Drift{Seen: s.Saw}})
	}
	return ledger.Sighted{Before: before, Told: told, Drift: publication.Drift{Seen: s.Saw, Diff: s.Diff, Because: s.Because}}, nil
}

func (w *watchLedger) SightFailed(_ context.Context, _, problem string) error {
	w.failed = append(w.failed, problem)
	return nil
}

func (w *watchLedger) SightLater(_ context.Context, _ string, by time.Duration) error {
	w.later = append(w.later, by)
	return nil
}

func (w *watchLedger) AnnounceWatch(context.Context, string) (*time.Duration, error) {
	wait := time.Minute
	return &wait, nil
}

func (w *watchLedger) TakeProbeSlot(context.Context, ledger.ProbeSlotRequest) (ledger.ProbeSlot, error) {
	w.taken++
	return w.slot, nil
}

func (w *watchLedger) GiveProbeSlotBack(context.Context, ledger.ProbeSlot) error {
	w.back++
	return nil
}

// lookout is a bench with one accepted content that is watched.
type lookout struct {
	*bench
	watch *watchLedger
}

func newLookout(t *testing.T) *lookout {
	t.Helper()
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	w := &watchLedger{slot: ledger.ProbeSlot{Taken: true}, watched: ledger.Watched{
		Content: id.ID, Operation: "publish/autora/ola", Expected: "publish/autora/ola", Identity: id, Payload: payload, Seen: publication.SeenUnchanged}}
	b.Drift = Drift{Ledger: w, After: []time.Duration{time.Minute}, Probe: true}
	return &lookout{b, w}
}

func (l *lookout) look(t *testing.T, asks ...api.LookAsk) api.Looked {
	t.Helper()
	out, err := l.tryLook(asks...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (l *lookout) tryLook(asks ...api.LookAsk) (out api.Looked, err error) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivityWithOptions(l.Look, activity.RegisterOptions{Name: api.Look})
	value, err := env.ExecuteActivity(api.Look, api.LookInput{Asks: asks})
	if err == nil {
		err = value.Get(&out)
	}
	return out, err
}

// saw checks the only sighting so far since the last call.
func (l *lookout) saw(t *testing.T, want publication.Seen, because string) ledger.Sighting {
	t.Helper()
	if len(l.watch.sights) != 1 || l.watch.sights[0].Saw != want || !strings.Contains(l.watch.sights[0].Because, because) {
		t.Fatalf("saw %+v, want %s (%s); failed %q", l.watch.sights, want, because, l.watch.failed)
	}
	s := l.watch.sights[0]
	l.watch.sights = nil
	return s
}

// probes are the comments that were asked for, none of which exists.
func (l *lookout) probes(t *testing.T, want int) {
	t.Helper()
	got := 0
	for _, a := range l.tabnews.Arrivals() {
		if a.Method == "POST" && strings.HasSuffix(a.Path, "/contents") {
			got++
		}
	}
	if got--; got != want { // the first one published it
		t.Errorf("%d probes arrived, want %d", got, want)
	}
	if l.watch.taken != l.watch.back || len(l.tabnews.Contents()) != 1 {
		t.Errorf("%d turns taken, %d given back, %d contents", l.watch.taken, l.watch.back, len(l.tabnews.Contents()))
	}
}

func TestLookTellsHiddenFromDeletedByTheSlug(t *testing.T) {
	for action, want := range map[string]publication.Seen{"hide": publication.SeenHidden, "delete": publication.SeenDeleted} {
		l := newLookout(t)
		l.look(t)
		l.saw(t, publication.SeenUnchanged, "")
		l.tabnews.Moderate("autora", "ola", action)
		if out := l.look(t); len(out.Changes) != 1 || out.Changes[0].Seen != want || *out.Wait != time.Minute {
			t.Errorf("%s: got %+v", action, out)
		}
		l.saw(t, want, "slug")
		l.watch.watched.Probed = true
		l.look(t)
		l.saw(t, want, "") // known: nothing is asked again
		l.probes(t, 1)
	}
}

func TestLookWithoutProbeSaysGone(t *testing.T) {
	for name, change := range map[string]func(*lookout){
		"switched off": func(l *lookout) { l.Drift.Probe = false },
		"asked before": func(l *lookout) { l.watch.watched.Probed = true },
		"no turn for long": func(l *lookout) {
			l.watch.slot, l.watch.watched.MissingFor = ledger.ProbeSlot{Wait: time.Hour}, l.Pause+probeDelay
		},
		"asked meantime": func(l *lookout) { l.watch.slot = ledger.ProbeSlot{Asked: true} },
	} {
		l := newLookout(t)
		change(l)
		l.tabnews.Moderate("autora", "ola", "hide")
		t.Run(name, func(t *testing.T) {
			l.look(t)
			l.saw(t, publication.SeenGone, "")
			l.watch.taken = 0
			l.probes(t, 0)
		})
	}
}

// A probe whose answer is lost may still be on its way: its turn in the lane is not given back.
func TestLookKeepsTheLaneWhenAProbeIsNotAnswered(t *testing.T) {
	l := newLookout(t)
	l.tabnews.Moderate("autora", "ola", "hide")
	l.tabnews.Inject(tabnewstest.Fault{On: "create", Fault: "drop_before_store", Times: 1})
	l.look(t)
	l.saw(t, publication.SeenGone, "no answer")
	if l.watch.taken != 1 || l.watch.back != 0 {
		t.Errorf("%d turns taken, %d given back", l.watch.taken, l.watch.back)
	}
}

func TestLookBelievesAnIncidentWithoutAsking(t *testing.T) {
	l := newLookout(t)
	l.tabnews.Moderate("autora", "ola", "hide")
	at := time.Now()
	l.watch.watched.HiddenAt = &at
	l.look(t)
	l.saw(t, publication.SeenHidden, "met the firewall")
	l.probes(t, 0)
}

func TestLookShowsTheDiffOfAnEdit(t *testing.T) {
	l := newLookout(t)
	l.edit(t, "Um texto de outra pessoa.")
	l.look(t)
	s := l.saw(t, publication.SeenEdited, "")
	if !strings.Contains(s.Diff, "+Um texto de outra pessoa.") || s.Digest == "" {
		t.Errorf("got %+v", s)
	}
}

func TestLookFindsARenamedContent(t *testing.T) {
	l := newLookout(t)
	slug := "outro-lugar"
	l.rename(t, slug)
	l.look(t)
	if s := l.saw(t, publication.SeenEdited, "renamed to autora/outro-lugar"); !strings.Contains(s.Diff, slug) {
		t.Errorf("got %+v", s)
	}
	l.watch.taken, l.watch.back = 0, 0
	l.probes(t, 0)
}

// What another read contradicts, and what fails, is neither drift nor absence.
func TestLookTellsNothingOfAFailedRead(t *testing.T) {
	l := newLookout(t)
	l.tabnews.Inject(tabnewstest.Fault{On: "read", Fault: "drop_before_store", Times: 1})
	if out := l.look(t); len(l.watch.sights) != 0 || len(l.watch.failed) != 1 || len(out.Problems) != 1 || len(out.Changes) != 0 {
		t.Errorf("saw %+v, failed %q, %+v", l.watch.sights, l.watch.failed, out)
	}
}

func TestLookPutsOffWhatIsBusy(t *testing.T) {
	for state, want := range map[publication.State]time.Duration{publication.StateSending: untilSent, publication.StateUnknown: untilDecided} {
		l := newLookout(t)
		l.watch.watched.Busy = state
		if out := l.look(t); len(l.watch.later) != 1 || l.watch.later[0] != want || len(l.watch.sights) != 0 {
			t.Errorf("%s: %v, saw %+v, %+v", state, l.watch.later, l.watch.sights, out)
		}
	}
}

func TestLookAnswersWhatPeopleAskFor(t *testing.T) {
	l := newLookout(t)
	l.edit(t, "Um texto de outra pessoa.")
	out := l.look(t, api.LookAsk{ID: "a", By: "ana", Operation: "publish/autora/ola"}, api.LookAsk{ID: "b", Operation: "remove/autora/ola"})
	if len(out.Answers) != 2 || out.Answers[0].Seen != publication.SeenEdited || out.Answers[0].Problem != "" || !strings.Contains(out.Answers[1].Problem, "nothing that is watched") {
		t.Errorf("got %+v", out.Answers)
	}
}

func TestLookFailsWithTheLedgerAlone(t *testing.T) {
	l := newLookout(t)
	l.watch.down = errors.New("PostgreSQL is away")
	if _, err := l.tryLook(); err == nil || !strings.Contains(err.Error(), "PostgreSQL is away") {
		t.Errorf("got %v", err)
	}
}

// rename gives the content another slug, past postonce.
func (l *lookout) rename(t *testing.T, slug string) {
	t.Helper()
	v := l.client.Update(t.Context(), tabnews.Update{Reference: l.watch.watched.Identity.Reference(), Patch: publication.Patch{Slug: &slug}}, time.Now().Add(10*time.Second))
	if v.Outcome != publication.OutcomeAccepted {
		t.Fatalf("%+v", v)
	}
}
