package main

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
)

func repairs(t *testing.T, b *bench) map[publication.OperationID]bool {
	t.Helper()
	var pending []pendingRecord
	if err := json.Unmarshal(b.out.Bytes(), &pending); err != nil {
		t.Fatalf("%v in %s", err, &b.out)
	}
	found := map[publication.OperationID]bool{}
	for _, p := range pending {
		found[p.Operation] = p.Repairing
	}
	return found
}

func unrecordedOla() publication.Snapshot {
	s := acceptedOla()
	s.LocalRecord = publication.LocalPending
	return s
}

func TestListRepairJoinsTheLedgerAndTheRepairsThatRun(t *testing.T) {
	e := &fakeEngine{repairs: []publication.OperationID{opOla, "publish/ana/outra"}, run: closedRun(), result: &ending{snapshot: unrecordedOla()}}
	b := newBench(t, e)
	r := &fakeRecords{}
	waiting := unrecordedOla()
	waiting.Operation = "publish/ana/espera"
	r.unrecorded = []publication.Snapshot{unrecordedOla(), waiting}
	other := unrecordedOla()
	other.Operation = "publish/ana/outra"
	e.closed = map[publication.OperationID]publication.Snapshot{other.Operation: other}
	b.withRecords(r)
	b.mustRun(t, 0, "list", "--repair", "--json")
	want := map[publication.OperationID]bool{opOla: true, "publish/ana/espera": false, "publish/ana/outra": true}
	if diff := cmp.Diff(want, repairs(t, b)); diff != "" {
		t.Error(diff)
	}
}

// While the ledger is away, which is what repairs are for, Temporal tells.
func TestListRepairWhileTheLedgerIsAway(t *testing.T) {
	b := newBench(t, &fakeEngine{repairs: []publication.OperationID{opOla}, run: closedRun(), result: &ending{snapshot: unrecordedOla()}})
	b.openLedger = func(context.Context) (records, error) { return nil, errors.New("PostgreSQL: connection refused") }
	b.mustRun(t, 0, "list", "--repair", "--json")
	b.saysOnStderr(t, "connection refused", "the repairs that run")
	if diff := cmp.Diff(map[publication.OperationID]bool{opOla: true}, repairs(t, b)); diff != "" {
		t.Error(diff)
	}
}

func TestListRepairTakesNoState(t *testing.T) {
	b := newBench(t, &fakeEngine{})
	b.mustRun(t, 2, "list", "--repair", "--state", "unknown")
	b.saysOnStderr(t, "--repair is about accepted operations")
}
