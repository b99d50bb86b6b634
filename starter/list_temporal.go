package main

import (
	"context"
	"errors"
	"slices"
	"sync"

	"postonce/publication"
)

// listFresh lists what Temporal has and the ledger has not.
func (a *app) listFresh(ctx context.Context, f filter, recorded []publication.Snapshot) ([]publication.Snapshot, error) {
	e, err := a.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	runs, err := e.List(ctx, f)
	if err != nil {
		return nil, err
	}
	known := map[publication.OperationID]bool{}
	for i, s := range recorded {
		known[s.Operation] = true
		if closed(ctx, e, s, runs) {
			recorded[i] = s.WithoutRun()
		}
	}
	var fresh []execution
	for _, run := range runs {
		// A row beyond the limit, or in another state by now, is in the ledger although it was not listed.
		if !known[run.Operation] && !a.inLedger(ctx, run.Operation) {
			fresh = append(fresh, run)
		}
	}
	return matching(askAll(ctx, e, fresh), f), nil
}

// closed reports whether nothing runs for an operation that is not settled. Temporal's list lags behind, and so it is
// asked about each that the list does not show as running; where it does not answer, nothing is said.
func closed(ctx context.Context, e engine, s publication.Snapshot, runs []execution) bool {
	if s.State.Settled() || slices.ContainsFunc(runs, func(r execution) bool { return r.Open && r.Operation == s.Operation }) {
		return false
	}
	run, err := e.Describe(ctx, s.Operation)
	return errors.Is(err, errNotKnown) || err == nil && !run.Open
}

// askers is how many workflows are asked at a time.
const askers = 8

// askAll asks each workflow what is known, all within one queryTimeout; those that do not answer are described from
// outside.
func askAll(ctx context.Context, e engine, runs []execution) []publication.Snapshot {
	asking, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	snapshots := make([]publication.Snapshot, len(runs))
	turns := make(chan struct{}, askers)
	var all sync.WaitGroup
	for i, run := range runs {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			ask := e.Status
			if !run.Open {
				ask = e.Result
			}
			s, err := ask(asking, run.Operation)
			if err != nil {
				s = fromExecution(ctx, e, run)
			}
			if !run.Open {
				s = s.WithoutRun()
			}
			snapshots[i] = s
		})
	}
	all.Wait()
	return snapshots
}

// matching drops what changed its state since Temporal listed it: its list lags behind.
func matching(snapshots []publication.Snapshot, f filter) []publication.Snapshot {
	var kept []publication.Snapshot
	for _, s := range snapshots {
		if f.State == "" || s.State == f.State {
			kept = append(kept, s)
		}
	}
	return kept
}
