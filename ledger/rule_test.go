package ledger

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"postonce/publication"
)

// measured is the pace of the public TabNews (TabNews API, "The firewall").
var measured = Pace{Interval: 2600 * time.Millisecond, Window: 5 * time.Second, Limit: 2, QuietTime: 20 * time.Second}

const (
	simSendTimeout = 30 * time.Second
	simPatience    = 5 * time.Second
	simLead        = 3500 * time.Millisecond
)

// write is one operation of a simulated lane and what becomes of it.
type write struct {
	id      publication.OperationID
	creates Creates
	asks    time.Time     // when its holder asks next; zero: it has nothing to ask any more
	latency time.Duration // from the start to the answer
	unknown bool          // no answer ever comes
	gone    bool          // its holder died, or it was cancelled, while it waited
	ticket  int           // 0: none
	due     time.Time
	start   time.Time   // zero: not started
	passed  []time.Time // the starts of those that came later and went before it
}

// until is the latest time at which TabNews may have begun it, as the lane knows it at a moment.
func (w *write) until(now time.Time) time.Time {
	if answer := w.start.Add(w.latency); !w.unknown && !answer.After(now) {
		return answer
	}
	return w.start.Add(simSendTimeout + measured.QuietTime)
}

// simulation plays a lane on a virtual clock: who asks, asks the same rule that claims ask in PostgreSQL.
type simulation struct {
	now     time.Time
	writes  []*write
	tickets int
	last    time.Time
	started []*write
}

// view is what a claim of w reads of the lane.
func (s *simulation) view(w *write) lane {
	l := lane{pace: measured, now: s.now, lastStart: s.last}
	for _, done := range s.started {
		if done.creates != "" {
			inFlight := done.unknown || done.start.Add(done.latency).After(s.now)
			l.creations = append(l.creations, creation{done.creates, done.until(s.now), inFlight})
		}
	}
	for _, other := range s.queued() {
		if other != w && (w.ticket == 0 || other.ticket < w.ticket) {
			l.queue = append(l.queue, reservation{other.id, other.creates, other.due})
		}
	}
	return l
}

// queued are those with a ticket, in order.
func (s *simulation) queued() []*write {
	waiting := slices.DeleteFunc(slices.Clone(s.writes), func(w *write) bool { return w.ticket == 0 })
	slices.SortFunc(waiting, func(a, b *write) int { return a.ticket - b.ticket })
	return waiting
}

// ask is one claim.
func (s *simulation) ask(w *write) {
	l := s.view(w)
	if l.mayStart(w.creates) {
		for _, r := range l.queue {
			if other := s.of(r.operation); r.live(s.now, l.pace.grace()) && !other.gone {
				other.passed = append(other.passed, s.now)
			}
		}
		w.start, w.ticket, w.asks, s.last = s.now, 0, time.Time{}, s.now
		s.started = append(s.started, w)
		return
	}
	if w.ticket == 0 {
		s.tickets++
		w.ticket = s.tickets
	}
	w.asks = s.now.Add(l.ask(w.creates, l.slot(w.creates), simPatience, simLead))
	w.due = w.asks
	if w.gone {
		w.asks = time.Time{}
	}
}

func (s *simulation) of(id publication.OperationID) *write {
	return s.writes[slices.IndexFunc(s.writes, func(w *write) bool { return w.id == id })]
}

// run plays until nobody has anything to ask.
func (s *simulation) run(t interface{ Fatalf(string, ...any) }) {
	for steps := 0; ; steps++ {
		var next *write
		for _, w := range s.writes {
			if !w.asks.IsZero() && (next == nil || w.asks.Before(next.asks)) {
				next = w
			}
		}
		if next == nil {
			return
		}
		if steps > 1000*len(s.writes) {
			t.Fatalf("%s waits for ever", next.id)
		}
		s.now = next.asks
		s.ask(next)
	}
}

var origin = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func draw(r *rapid.T) *simulation {
	s := &simulation{now: origin}
	millis := func(most int, name string) time.Duration {
		return time.Duration(rapid.IntRange(0, most).Draw(r, name)) * time.Millisecond
	}
	for i := range rapid.IntRange(1, 24).Draw(r, "writes") {
		s.writes = append(s.writes, &write{
			id:      publication.OperationID(fmt.Sprint("publish/autora/", i)),
			creates: rapid.SampledFrom([]Creates{CreatesRoot, CreatesRoot, CreatesComment, ""}).Draw(r, "creates"),
			asks:    origin.Add(millis(20_000, "comes")), latency: millis(28_000, "latency"),
			unknown: rapid.IntRange(0, 7).Draw(r, "unknown") == 0,
			gone:    rapid.IntRange(0, 7).Draw(r, "gone") == 0,
		})
	}
	return s
}

// hits tells whether TabNews could place three creations of a kind so that its firewall fires: each anywhere between
// its start and the latest possible time, which for one without an answer is its deadline and what TabNews may wait.
func (s *simulation) hits() string {
	for _, kind := range []Creates{CreatesRoot, CreatesComment} {
		var those []*write
		for _, w := range s.started {
			if w.creates == kind {
				those = append(those, w)
			}
		}
		for i, a := range those {
			for j, b := range those[:i] {
				for _, c := range those[:j] {
					// The latest of the three starts leaves the least room: the others are as late as they can be.
					lasts := []time.Time{a.latestOf(), b.latestOf(), c.latestOf()}
					begin := latestOf(latestOf(a.start, b.start), c.start)
					if inWindow := func(t time.Time) bool { return t.Add(measured.Window).After(begin) }; inWindow(lasts[0]) && inWindow(lasts[1]) && inWindow(lasts[2]) {
						return fmt.Sprintf("%s, %s and %s (%s) may fall into one window", c.id, b.id, a.id, kind)
					}
				}
			}
		}
	}
	return ""
}

// free is when the creations before a write let it start, now that all is known.
func (s *simulation) free(w *write) time.Time {
	l := lane{pace: measured}
	for _, done := range s.started[:slices.Index(s.started, w)] {
		if done.creates != "" {
			l.creations = append(l.creations, creation{creates: done.creates, latest: done.latestOf()})
		}
	}
	return l.earliest(w.creates)
}

// latestOf is the truth that the lane cannot know before the answer.
func (w *write) latestOf() time.Time {
	if w.unknown {
		return w.start.Add(simSendTimeout + measured.QuietTime)
	}
	return w.start.Add(w.latency)
}

// Must show 1 of the lane: whatever the latencies, the unknown ones and the crashes, TabNews can never see three
// creations of a kind in its window, starts keep their distance, and nobody who waits is
// delayed by one that came later.
func TestTheFirewallNeverFiresWhateverTheLatency(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := draw(r)
		s.run(r)
		if hit := s.hits(); hit != "" {
			r.Fatalf("%s", hit)
		}
		for i, w := range s.started[min(1, len(s.started)):] {
			if gap := w.start.Sub(s.started[i].start); gap < measured.Interval {
				r.Fatalf("%s started %s after %s", w.id, gap, s.started[i].id)
			}
		}
		for _, w := range s.writes {
			if !w.gone && w.start.IsZero() {
				r.Fatalf("%s never started", w.id)
			}
			for _, at := range w.passed {
				if !w.gone && s.free(w).Before(at.Add(measured.Interval)) {
					r.Fatalf("%s could have started %s after the origin, and was passed at %s", w.id, s.free(w).Sub(origin), at.Sub(origin))
				}
			}
		}
	})
}

// The rule is tight: with instant answers starts are exactly the interval apart, whoever asks when.
func TestWithInstantAnswersStartsAreExactlyTheIntervalApart(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := draw(r)
		for _, w := range s.writes {
			w.latency, w.unknown, w.gone, w.asks = 0, false, false, origin.Add(w.asks.Sub(origin)/10_000)
		}
		s.run(r)
		for i, w := range s.started[min(1, len(s.started)):] {
			if gap := w.start.Sub(s.started[i].start); gap != measured.Interval {
				r.Fatalf("start %d came %s after the one before, want exactly %s", i+2, gap, measured.Interval)
			}
		}
	})
}

// Unlike an unknown one, an answer in flight is asked about again, and costs no time.
func TestAStartComesOneWindowAfterTheAnswer(t *testing.T) {
	first := &write{id: "a", creates: CreatesRoot, asks: origin, latency: 3 * time.Second}
	second := &write{id: "b", creates: CreatesRoot, asks: origin, latency: 20 * time.Second}
	third := &write{id: "c", creates: CreatesRoot, asks: origin, latency: 0}
	s := &simulation{now: origin, writes: []*write{first, second, third}}
	s.run(t)
	if got := third.start.Sub(origin); got != 8*time.Second {
		t.Errorf("the third started after %s, want a window (5s) after the first one's answer (3s)", got)
	}
}

func TestAnEditGoesAheadWhereItDelaysNobody(t *testing.T) {
	l := lane{pace: measured, now: origin.Add(2600 * time.Millisecond), lastStart: origin,
		creations: []creation{{CreatesRoot, origin.Add(2 * time.Second), false}, {CreatesRoot, origin.Add(2500 * time.Millisecond), false}},
		queue:     []reservation{{"publish/autora/a", CreatesRoot, origin.Add(7 * time.Second)}}}
	if !l.mayStart("") || l.mayStart(CreatesRoot) {
		t.Errorf("an edit may start: %v, want true; a root: %v, want false", l.mayStart(""), l.mayStart(CreatesRoot))
	}
	l.queue[0].creates = CreatesComment // could start now
	if l.mayStart("") {
		t.Error("an edit passed a comment that could start")
	}
}
