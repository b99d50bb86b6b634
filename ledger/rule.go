package ledger

import (
	"slices"
	"time"

	"postonce/publication"
)

// Creates is what TabNews' firewall counts together (TabNews API, "The firewall"). Empty: a change, which it does not
// count.
type Creates string

// What a write can create.
const (
	CreatesRoot    Creates = "root"
	CreatesComment Creates = "comment"
)

// createsOf tells what the operation's write creates.
func createsOf(op publication.OperationID, p publication.Payload) Creates {
	switch {
	case op.Kind() != publication.KindPublish:
		return ""
	case p.IsComment():
		return CreatesComment
	}
	return CreatesRoot
}

// Pace is what a lane keeps. The zero value keeps nothing.
type Pace struct {
	Interval  time.Duration // between two starts of any writes
	Window    time.Duration // in which TabNews counts creations of a kind
	Limit     int           // how many of a kind pass in a window; 0: no creation is counted
	QuietTime time.Duration // how long after its deadline TabNews may still begin a creation
}

// grace is how late the holder of a reservation may come. It lies clearly below the interval, so that a holder that
// died costs the others one slot.
func (p Pace) grace() time.Duration { return p.Interval / 4 }

// creation is a write that created content, or may have, or may still.
type creation struct {
	creates  Creates
	latest   time.Time // TabNews began it then at the latest
	inFlight bool      // its answer may come any time, and is then its latest
}

// reservation is the place of an operation in the lane's queue.
type reservation struct {
	operation publication.OperationID
	creates   Creates
	due       time.Time // its holder asks again then
}

// live tells whether the holder is still expected. A holder that missed its time blocks nobody.
func (r reservation) live(now time.Time, grace time.Duration) bool {
	return !now.After(r.due.Add(grace))
}

// lane is a lane at one moment, on one clock, before the write that asks: the rule of pacing in pure form.
//
// Three creations of a kind never lie in one window, whatever the latency. Take any three, and of them the one that was
// claimed last. When it was claimed, at most one of the other two could begin less than a window before, and it began
// no earlier than it was claimed.
type lane struct {
	pace      Pace
	now       time.Time
	lastStart time.Time // zero: nothing started yet
	creations []creation
	queue     []reservation // those with a place before the one that asks, in order
	paused    bool
	resumes   time.Time // of a paused lane; zero: when somebody says so
}

// earliest is when a write of this kind may start by the distance alone, as far as is known now.
func (l lane) earliest(creates Creates) time.Time { return l.after(creates, false) }

// hoped is earliest, should every answer that is still to come arrive now: nothing of this kind can start before it.
func (l lane) hoped(creates Creates) time.Time { return l.after(creates, true) }

func (l lane) after(creates Creates, hoping bool) time.Time {
	var at time.Time
	if !l.lastStart.IsZero() {
		at = l.lastStart.Add(l.pace.Interval)
	}
	if creates == "" || l.pace.Limit <= 0 {
		return at
	}
	var latest []time.Time
	for _, c := range l.creations {
		switch {
		case c.creates != creates:
		case hoping && c.inFlight && c.latest.After(l.now):
			latest = append(latest, l.now)
		default:
			latest = append(latest, c.latest)
		}
	}
	if len(latest) < l.pace.Limit {
		return at
	}
	slices.SortFunc(latest, func(a, b time.Time) int { return b.Compare(a) })
	if free := latest[l.pace.Limit-1].Add(l.pace.Window); free.After(at) {
		return free
	}
	return at
}

// mayStart tells whether a write of this kind may start now. It may go before one that came earlier only where that
// cannot delay it.
func (l lane) mayStart(creates Creates) bool {
	if l.paused || l.now.Before(l.earliest(creates)) {
		return false
	}
	for _, r := range l.queue {
		if r.live(l.now, l.pace.grace()) && l.hoped(r.creates).Before(l.now.Add(l.pace.Interval)) {
			return false
		}
	}
	return true
}

// slot is when the write that asks can start at the earliest: the queue is played to its turn, with instant answers.
// Zero while the lane is paused until somebody resumes it.
func (l lane) slot(creates Creates) time.Time {
	if l.paused && l.resumes.IsZero() {
		return time.Time{}
	}
	floor := l.now
	if l.paused && l.resumes.After(floor) {
		floor = l.resumes
	}
	waiting := slices.DeleteFunc(slices.Clone(l.queue), func(r reservation) bool { return !r.live(l.now, l.pace.grace()) })
	waiting = append(waiting, reservation{creates: creates, due: l.now})
	l.creations = slices.Clone(l.creations)
	for {
		next, at := l.next(waiting, floor)
		if next == len(waiting)-1 {
			return at
		}
		l.lastStart = at
		if kind := waiting[next].creates; kind != "" {
			l.creations = append(l.creations, creation{creates: kind, latest: at})
		}
		waiting = slices.Delete(waiting, next, next+1)
	}
}

// next tells which of those that wait starts first, and when.
func (l lane) next(waiting []reservation, floor time.Time) (index int, at time.Time) {
	free := map[Creates]time.Time{}
	for _, kind := range []Creates{"", CreatesRoot, CreatesComment} {
		free[kind] = latestOf(l.hoped(kind), floor)
	}
	var first time.Time // the earliest that one before could start
	for i, r := range waiting {
		start := latestOf(free[r.creates], r.due)
		if i == 0 || !first.Before(start.Add(l.pace.Interval)) && start.Before(at) {
			index, at = i, start
		}
		if i == 0 || free[r.creates].Before(first) {
			first = free[r.creates]
		}
	}
	return index, at
}

func latestOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Bounds of how long a holder is told to wait before it asks again.
const (
	askAtLeast = 50 * time.Millisecond
	askOften   = 30 * time.Second
	askSeldom  = 2 * time.Minute
)

// ask tells when the write that asks should ask again, from now. Who itself waits as long as patience comes at the slot;
// who has to go and come back comes lead before it, and once more some leads before that, for what must be done anew
// after a long wait takes time too. A far slot is asked about on the way, for those ahead may vanish.
func (l lane) ask(creates Creates, slot time.Time, patience, lead time.Duration) time.Duration {
	if !l.paused {
		return l.askAbout(creates, slot.Sub(l.now), patience, lead)
	}
	// All come back at the same moments: when the pause is lifted, the first in the queue is not the last to hear of it.
	tick := max(l.now.Truncate(askOften).Add(askOften).Sub(l.now), askAtLeast)
	if slot.IsZero() {
		return tick
	}
	return min(tick, l.askAbout(creates, slot.Sub(l.now), patience, lead))
}

// due is until when a holder is expected that was told to ask again after ask. In a pause all are told the same moments,
// and checks that are made anew before a claim take one of them longer than another: the first in the queue has lead for
// them before it counts as one that does not come.
func (l lane) due(ask, lead time.Duration) time.Time {
	if l.paused {
		ask += lead
	}
	return l.now.Add(ask)
}

func (l lane) askAbout(creates Creates, wait, patience, lead time.Duration) time.Duration {
	far := wait - 3*lead
	switch {
	case wait <= patience:
		return max(wait, time.Millisecond)
	case l.hoped(creates).Before(l.earliest(creates)) && wait <= askOften:
		return wait // an answer is still to come: it cannot be sooner, and will rather be later
	case far <= lead:
		return max(wait-lead, askAtLeast)
	case far <= askOften:
		return far
	}
	return min(max(far/2, askOften), askSeldom)
}
