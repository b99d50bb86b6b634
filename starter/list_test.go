package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
)

func named(op string, state publication.State) publication.Snapshot {
	return publication.Snapshot{Operation: publication.OperationID(op), State: state}
}

func operations(t *testing.T, b *bench) []string {
	t.Helper()
	var snapshots []publication.Snapshot
	if err := json.Unmarshal(b.out.Bytes(), &snapshots); err != nil {
		t.Fatalf("%v in %s", err, &b.out)
	}
	ops := []string{}
	for _, s := range snapshots {
		ops = append(ops, string(s.Operation)+" "+string(s.State))
	}
	return ops
}

func TestListMergesWhatOnlyTemporalHas(t *testing.T) {
	e := &fakeEngine{
		listed: []execution{{Operation: "publish/ana/nova", Open: true}, {Operation: "publish/ana/velha", Open: true, State: publication.StateSending}},
		steps:  []step{{snapshot: named("publish/ana/nova", publication.StatePlanned)}},
	}
	b := newBench(t, e)
	b.withLedger(named("publish/ana/velha", publication.StateUnknown), named("publish/ana/antiga", publication.StateAccepted))
	b.mustRun(t, 0, "list", "--json")
	want := []string{"publish/ana/nova planned", "publish/ana/velha unknown", "publish/ana/antiga accepted"}
	if diff := cmp.Diff(want, operations(t, b)); diff != "" {
		t.Error(diff)
	}
}

// Temporal's list lags behind: an operation that the ledger knows in another state is not in the asked one.
func TestListBelievesTheLedgerAboutTheState(t *testing.T) {
	e := &fakeEngine{listed: []execution{{Operation: opOla, Open: true, State: publication.StateUnknown}}}
	b := newBench(t, e)
	b.withLedger(acceptedOla())
	b.mustRun(t, 0, "list", "--state", "unknown", "--json")
	if got := operations(t, b); len(got) != 0 {
		t.Errorf("got %q, want none", got)
	}
}

func TestListWithOneSourceAway(t *testing.T) {
	b := newBench(t, nil)
	b.dial = func(context.Context) (engine, error) { return nil, errors.New("Temporal: nobody answers") }
	b.withLedger(acceptedOla())
	b.mustRun(t, 0, "list", "--json")
	b.saysOnStderr(t, "nobody answers", "the ledger's record")
	if got := operations(t, b); len(got) != 1 {
		t.Errorf("got %q", got)
	}

	b = newBench(t, &fakeEngine{listed: []execution{*closedRun()}, result: &ending{snapshot: acceptedOla()}})
	b.openLedger = func(context.Context) (records, error) { return nil, errors.New("PostgreSQL: connection refused") }
	b.mustRun(t, 0, "list")
	b.saysOnStderr(t, "connection refused", "what Temporal still knows")
	if !strings.Contains(b.out.String(), "publish/ana/ola") {
		t.Errorf("standard output:\n%s", &b.out)
	}
}

func TestListWithoutAnySource(t *testing.T) {
	b := newBench(t, nil)
	b.dial = func(context.Context) (engine, error) { return nil, errors.New("Temporal: nobody answers") }
	b.mustRun(t, 1, "list")
	b.saysOnStderr(t, "nobody answers")
}

func TestEmptyListIsAListToo(t *testing.T) {
	b := newBench(t, &fakeEngine{})
	b.mustRun(t, 0, "list", "--json")
	if got := strings.TrimSpace(b.out.String()); got != "[]" {
		t.Errorf("got %q", got)
	}
}

func TestListKeepsItsLimit(t *testing.T) {
	b := newBench(t, &fakeEngine{})
	b.withLedger(named("publish/ana/a", publication.StateAccepted), named("publish/ana/b", publication.StateAccepted))
	b.mustRun(t, 0, "list", "--json", "--limit", "1")
	if got := operations(t, b); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}
