package main

import (
	"context"
	"time"

	"postonce/activities"
	"postonce/internal/watchclient"
	"postonce/workflows"
)

// readPause lies between two reads of the drift watch.
const readPause = 500 * time.Millisecond

func (w *worker) drift() activities.Drift {
	return activities.Drift{Ledger: w.ledger, After: w.cfg.DriftAfter, Probe: w.cfg.DriftProbe, Pause: readPause}
}

// latePause lies between two tries to wake a watch that does not do what it announced: its own backoff may be why.
const latePause = time.Minute

// describePause lies between two questions whether the watch still runs.
const describePause = time.Minute

// driftWaker remembers when a watch that was late was woken last, and when Temporal was asked for one that sleeps.
type driftWaker struct{ late, described time.Time }

// wakeWatch starts or wakes the account's drift watch where something is due and nobody looks: after a new acceptance, an
// incident of the lane, or the loss of the watch itself. It is asked of the ledger beside the work, every few seconds, and
// never from inside a send: starting a workflow there could fail the activity after the answer.
func (w *worker) wakeWatch(ctx context.Context, waker *driftWaker) {
	if len(w.cfg.DriftAfter) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, watchInterval)
	defer cancel()
	needed, late, err := w.ledger.WatchNeeded(ctx, w.tabnews.Account(), w.cfg.DriftAfter)
	if err != nil {
		w.log.Warn("it is not known whether the drift watch is needed; asked again", "error", oneLine(err), "in", watchInterval)
		return
	}
	if !needed {
		w.reviveWatch(ctx, waker)
		return
	}
	if late && time.Since(waker.late) < latePause {
		return
	}
	if late {
		waker.late = time.Now()
	}
	if err := watchclient.Look(ctx, w.temporal, w.tabnews.Account(), workflows.LookRequest{}); err != nil {
		w.log.Warn("the drift watch was not woken; tried again", "error", oneLine(err))
	}
}

// reviveWatch starts a watch that sleeps no more because somebody terminated it: what is due in a day would be read no
// sooner than it is overdue.
func (w *worker) reviveWatch(ctx context.Context, waker *driftWaker) {
	if time.Since(waker.described) < describePause {
		return
	}
	waker.described = time.Now()
	sleeps, err := w.ledger.WatchSleeps(ctx, w.tabnews.Account())
	if err == nil && !sleeps {
		return
	}
	started := false
	if err == nil {
		started, err = watchclient.Revive(ctx, w.temporal, w.tabnews.Account())
	}
	switch {
	case err != nil:
		w.log.Warn("it is not known whether the drift watch runs; asked again", "error", oneLine(err), "in", describePause)
	case started:
		w.log.Warn("the drift watch did not run any more; it was started again", "account", w.tabnews.Account())
	}
}
