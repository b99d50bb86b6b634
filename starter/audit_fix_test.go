package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/starter/audit"
)

// fixable is a ledger that holds what it holds, whatever is written, and a worker.
type fixable struct {
	held ledger.Record
	err  error
}

func (f fixable) Migrate(context.Context) error { return nil }

func (f fixable) Load(context.Context, publication.OperationID) (ledger.Record, error) {
	return f.held, nil
}

func (f fixable) repair(context.Context, api.RecordInput) error { return f.err }

func (f fixable) Close() {}

// What --fix says is what the ledger holds afterwards, not what was to be written.
func TestAFixSaysWhatTheLedgerHolds(t *testing.T) {
	doubt := []publication.Attempt{{Number: 1, Outcome: publication.OutcomeUnknown, RunID: "run"}}
	identity := &publication.Identity{ID: "5b1f6a0e-4f0c-4b8e-9a40-6cf4a4dc54a1"}
	for name, c := range map[string]struct {
		told  publication.Snapshot
		held  ledger.Record
		err   error
		words string
	}{
		"all of it":         {publication.Snapshot{State: publication.StateUnknown, Attempts: doubt}, ledger.Record{State: publication.StateUnknown, Attempts: doubt}, nil, "recorded; the ledger holds it as unknown"},
		"another state":     {publication.Snapshot{State: publication.StateUnknown}, ledger.Record{State: publication.StateRejected}, nil, "knows otherwise; the ledger holds it as rejected"},
		"without attempt":   {publication.Snapshot{State: publication.StateUnknown, Attempts: doubt}, ledger.Record{State: publication.StateUnknown}, nil, "attempt 1, which may have created something, was not taken"},
		"without identity":  {publication.Snapshot{State: publication.StateAccepted, Identity: identity}, ledger.Record{State: publication.StateUnknown}, nil, "the identity 5b1f6a0e-4f0c-4b8e-9a40-6cf4a4dc54a1 was not taken"},
		"no worker answers": {publication.Snapshot{State: publication.StateUnknown}, ledger.Record{}, errors.New("no worker wrote it"), "not recorded yet: no worker wrote it"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			c.told.Operation = opOla
			f := fixable{c.held, c.err}
			done, err := b.fix(t.Context(), &worlds{ledger: f, engine: f}, audit.Report{Differences: []audit.Difference{{Operation: opOla, Repair: &api.RecordInput{Snapshot: c.told}}}})
			if err != nil || len(done) != 1 || done[0].State != c.held.State || (done[0].Problem == "") != (name == "all of it") {
				t.Errorf("got %+v, %v", done, err)
			}
			if !strings.Contains(b.err.String(), c.words) {
				t.Errorf("%q is not in %s", c.words, b.err.String())
			}
		})
	}
}
