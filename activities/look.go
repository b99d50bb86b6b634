package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
)

// Watching is what the drift watch needs of the ledger.
type Watching interface {
	DueWatches(ctx context.Context, account string, after []time.Duration, limit int) ([]ledger.Watched, error)
	WatchedBy(ctx context.Context, account string, after []time.Duration, op publication.OperationID) (ledger.Watched, error)
	Sight(ctx context.Context, s ledger.Sighting) (ledger.Sighted, error)
	SightFailed(ctx context.Context, content, problem string) error
	SightLater(ctx context.Context, content string, by time.Duration) error
	SightMissing(ctx context.Context, content string, by time.Duration) error
	AnnounceWatch(ctx context.Context, account string) (*time.Duration, error)
	RecentDrift(ctx context.Context, account string, limit int) ([]ledger.DriftEntry, error)
	TakeProbeSlot(ctx context.Context, req ledger.ProbeSlotRequest) (ledger.ProbeSlot, error)
	GiveProbeSlotBack(ctx context.Context, slot ledger.ProbeSlot) error
	ProbeMetFirewall(ctx context.Context, op publication.OperationID, slot ledger.ProbeSlot, pause time.Duration) error
}

// Drift is how the worker watches what was accepted.
type Drift struct {
	Ledger Watching
	After  []time.Duration // POSTONCE_DRIFT_AFTER: the steps after an acceptance or a change; none: the watch is off
	Probe  bool            // POSTONCE_DRIFT_PROBE: a slug may be asked for, to tell hidden from deleted
	// Pause lies between two reads, so that a long list is read gently, and before a change is read a second time.
	Pause time.Duration
}

// Bounds of one round, so that its result stays small.
const (
	lookBatch   = 20
	lookChanges = 10
	lookDiff    = 1000 // bytes of a change's diff; the ledger has all of it
	answerDiff  = 8000 // bytes of an answer's
)

// How long a look is put off while a change of ours is under way, or unknown until a person decides.
const (
	untilSent    = 10 * time.Second
	untilDecided = time.Hour
)

// Look reads what is due, one after another, and says when it is to be called again. It may be repeated: what a round
// saw is in the ledger as soon as it was seen. A content that cannot be read is tried again later, and holds up no other.
func (a *Activities) Look(ctx context.Context, in api.LookInput) (api.Looked, error) {
	defer beat(ctx)()
	l := &looking{Activities: a, deadline: roundEnd(activity.GetInfo(ctx).Deadline)}
	if err := l.answerAll(ctx, in.Asks); err != nil {
		return l.out, err
	}
	due, err := a.Drift.Ledger.DueWatches(ctx, a.Account, a.Drift.After, lookBatch)
	if err != nil {
		return l.out, err
	}
	if err := l.lookAll(ctx, due); err != nil {
		return l.out, err
	}
	if err := l.recall(ctx); err != nil {
		return l.out, err
	}
	l.out.Wait, err = a.Drift.Ledger.AnnounceWatch(ctx, a.Account)
	return l.out, err
}

// beat says that the process lives until it is stopped: a round of a dead worker is taken over soon.
func beat(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		ticker := time.NewTicker(api.LookHeartbeat)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return cancel
}

// recall gives the newest changes from the journal.
func (l *looking) recall(ctx context.Context) error {
	told, err := l.Drift.Ledger.RecentDrift(ctx, l.Account, lookChanges)
	if err != nil {
		return err
	}
	for _, d := range told {
		d.Diff = publication.Clip(d.Diff, lookDiff)
		l.out.Changes = append(l.out.Changes, api.Change{Operation: d.Operation, Reference: d.Reference, Before: d.Before, Drift: d.Drift})
	}
	return nil
}

// looking is one round.
type looking struct {
	*Activities
	out      api.Looked
	deadline time.Time // no read begins after it
}

// roundEnd leaves half of the activity's time for the read that is under way then.
func roundEnd(deadline time.Time) time.Time {
	return time.Now().Add(time.Until(deadline) / 2)
}

// lookAll looks at as many as the round has time for, and at least at one, however long what people asked for took.
func (l *looking) lookAll(ctx context.Context, due []ledger.Watched) error {
	for i, w := range due {
		if stopping(ctx) || i > 0 && l.over(ctx) {
			return nil
		}
		if _, err := l.look(ctx, w); err != nil {
			return err
		}
		l.pause(ctx)
	}
	return nil
}

// answerAll answers as many asks as half of the round has time for, and at least one; the others are for the next.
func (l *looking) answerAll(ctx context.Context, asks []api.LookAsk) error {
	until := time.Now().Add(time.Until(l.deadline) / 2)
	for i, ask := range asks {
		if stopping(ctx) || i > 0 && time.Now().After(until) {
			l.out.Unasked = asks[i:]
			return nil
		}
		if err := l.answer(ctx, ask); err != nil {
			return err
		}
	}
	return nil
}

// over reports whether the round ends early: the rest is due still, and the next round reads it.
func (l *looking) over(ctx context.Context) bool {
	return stopping(ctx) || time.Now().After(l.deadline)
}

func stopping(ctx context.Context) bool {
	select {
	case <-activity.GetWorkerStopChannel(ctx):
		return true
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

// pause waits between two requests; false: the worker stops.
func (l *looking) pause(ctx context.Context) bool { return sleep(ctx, l.Drift.Pause) }

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-activity.GetWorkerStopChannel(ctx):
	case <-ctx.Done():
	}
	return false
}

// answer reads what a person asks for.
func (l *looking) answer(ctx context.Context, ask api.LookAsk) error {
	answer := api.LookAnswer{LookAsk: ask}
	w, err := l.Drift.Ledger.WatchedBy(ctx, l.Account, l.Drift.After, ask.Operation)
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		answer.Problem = fmt.Sprintf("%s is about nothing that is watched: a draft, a removal, an acceptance that is too old, or content that was neither published nor tracked through postonce", ask.Operation)
	case err != nil:
		return err
	default:
		before := len(l.out.Problems)
		if answer.Drift, err = l.look(ctx, w); err != nil {
			return err
		}
		if len(l.out.Problems) > before {
			answer.Problem = l.out.Problems[before]
		}
		answer.Diff = publication.Clip(answer.Diff, answerDiff)
	}
	l.out.Answers = append(l.out.Answers, answer)
	return nil
}

// look reads one content and notes what it shows. Its error is the ledger's.
func (l *looking) look(ctx context.Context, w ledger.Watched) (publication.Drift, error) {
	if w.Busy != "" {
		l.problem(w, fmt.Sprintf("a change of ours is %s", w.Busy))
		return publication.Drift{}, l.Drift.Ledger.SightLater(ctx, w.Content, putOff(w.Busy))
	}
	s, err := l.sight(ctx, w)
	var missing *missingError
	if errors.As(err, &missing) {
		l.problem(w, err.Error())
		return publication.Drift{}, l.Drift.Ledger.SightMissing(ctx, w.Content, missing.by)
	}
	if err != nil {
		l.problem(w, err.Error())
		return publication.Drift{}, l.Drift.Ledger.SightFailed(ctx, w.Content, err.Error())
	}
	s.After = l.Drift.After
	seen, err := l.Drift.Ledger.Sight(ctx, s)
	if err != nil {
		return publication.Drift{}, err
	}
	if seen.Outdated {
		l.problem(w, "a change of ours came in between")
	}
	if seen.Told {
		l.Log.WarnContext(ctx, "accepted content changed elsewhere", "operation", w.Operation, "reference", s.Identity.Reference(), "seen", seen.Seen, "before", seen.Before, "because", seen.Because)
	}
	return seen.Drift, nil
}

func putOff(busy publication.State) time.Duration {
	if busy == publication.StateSending {
		return untilSent
	}
	return untilDecided
}

// problem tells people what holds a look up.
func (l *looking) problem(w ledger.Watched, what string) {
	l.out.Problems = append(l.out.Problems, publication.Clip(fmt.Sprintf("%s: %s", lastSeen(w), what), 300))
}
