package main

import (
	"context"
	"errors"
	"slices"

	"postonce/internal/terminal"
	"postonce/publication"
)

// pendingRecord is an operation whose record in the ledger is not complete.
type pendingRecord struct {
	publication.Snapshot
	Repairing bool `json:"repairing"` // its repair runs in Temporal
}

// listRepairs shows what was accepted and is not fully recorded, and what a repair is at work on. One of the two sources
// may be away: while the ledger is, the repairs in Temporal are what there is to see.
func (a *app) listRepairs(ctx context.Context, f filter) error {
	recorded, ledgerErr := a.unrecorded(ctx, f)
	pending, temporalErr := a.withRepairs(ctx, f, recorded)
	switch {
	case noTables(ledgerErr) && len(pending) == 0:
		return asFailure(ledgerErr)
	case temporalErr != nil && ledgerErr != nil:
		return withoutTemporal(temporalErr, ledgerErr)
	case temporalErr != nil:
		a.say("%s; which repairs run cannot be told", temporalErr)
	case ledgerErr != nil && !errors.Is(ledgerErr, errNoLedger):
		a.say("the ledger could not be asked (%s); what follows are the repairs that run", ledgerErr)
	}
	return a.showRepairs(pending[:min(len(pending), f.Limit)])
}

func (a *app) unrecorded(ctx context.Context, f filter) ([]pendingRecord, error) {
	r, err := a.ledger(ctx)
	if err != nil {
		return nil, err
	}
	snapshots, err := r.Unrecorded(ctx, f.Account, f.Limit)
	var pending []pendingRecord
	for _, s := range snapshots {
		pending = append(pending, pendingRecord{Snapshot: s})
	}
	return pending, err
}

// withRepairs adds the operations whose repair runs, and marks those that are there already.
func (a *app) withRepairs(ctx context.Context, f filter, pending []pendingRecord) ([]pendingRecord, error) {
	e, err := a.dial(ctx)
	if err != nil {
		return pending, err
	}
	defer e.Close()
	running, err := e.Repairs(ctx, f)
	if err != nil {
		return pending, err
	}
	for _, op := range running {
		at := slices.IndexFunc(pending, func(p pendingRecord) bool { return p.Operation == op })
		if at >= 0 {
			pending[at].Repairing = true
			continue
		}
		s, err := a.lookup(ctx, e, op)
		if err != nil { // its history is gone: the repair is all that is known
			s = publication.Snapshot{Operation: op, Reference: op.Reference().String(), LocalRecord: publication.LocalPending}
		}
		pending = append(pending, pendingRecord{s, true})
	}
	return pending, nil
}

func (a *app) showRepairs(pending []pendingRecord) error {
	if a.json {
		documents := []pendingRecord{}
		for _, p := range pending {
			documents = append(documents, pendingRecord{complete(p.Snapshot), p.Repairing})
		}
		return a.printJSON(documents)
	}
	if len(pending) == 0 {
		a.say("nothing to repair")
		return nil
	}
	rows := [][]string{{"STATE", "AT TABNEWS", "RECORD", "REPAIR", "OPERATION", "TITLE"}}
	for _, p := range pending {
		repair := "none: the workflow records by itself while it runs"
		if p.Repairing {
			repair = "runs"
		}
		rows = append(rows, []string{string(p.State), orDash(string(p.RemoteStatus)), string(p.LocalRecord), repair,
			string(p.Operation), publication.Clip(p.Title, 60)})
	}
	terminal.Print(a.stdout, terminal.Table(rows))
	return nil
}
