package ledger

import (
	"context"
	"testing"
	"time"

	"postonce/publication"
)

func (f fixture) history(filter HistoryFilter) []HistoryEntry {
	f.t.Helper()
	entries, err := f.History(context.Background(), filter)
	f.must(err)
	return entries
}

func TestTheHistoryOfOneOperationIsItsOwnAndWhole(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeAccepted)
	f.open(request(publication.PublishID("autora", "outro"), payload("outro"), "run-2", ""))
	history := f.history(HistoryFilter{Operation: op})
	if want := f.count(`select count(*) from journal where operation = $1`, op); len(history) != want {
		t.Fatalf("%d entries, the journal has %d", len(history), want)
	}
	for i, h := range history {
		if h.Operation != op || i > 0 && h.ID <= history[i-1].ID {
			t.Errorf("entry %d is %+v", i, h)
		}
	}
	f.legal(op, publication.StateAccepted)
}

func TestTheHistoryOfAllIsCutToTheNewestAndReadsForward(t *testing.T) {
	f := newFixture(t)
	f.reach(op, publication.OutcomeUnknown)
	other := request("publish/outra/ola", payload("texto"), "run-2", "ana")
	other.Account = "outra"
	f.open(other)
	all := f.history(HistoryFilter{})
	newest := f.history(HistoryFilter{Limit: 2})
	if len(newest) != 2 || newest[1].ID != all[len(all)-1].ID || newest[0].ID != all[len(all)-2].ID {
		t.Errorf("the newest two are %+v of %+v", newest, all)
	}
	for _, h := range f.history(HistoryFilter{Account: "outra"}) {
		if h.Operation != other.Operation {
			t.Errorf("%s is not of the account", h.Operation)
		}
	}
	since := f.history(HistoryFilter{Since: all[2].At})
	if len(since) != len(all)-2 || since[0].ID != all[2].ID {
		t.Errorf("since the third entry there are %d of %d", len(since), len(all))
	}
	if none := f.history(HistoryFilter{Since: time.Now().Add(time.Hour)}); len(none) != 0 {
		t.Errorf("the future holds %+v", none)
	}
}

func TestUnrecordedAreAcceptedOnesThatNoWorkflowWroteDown(t *testing.T) {
	f := newFixture(t)
	f.reach(slugOp("a"), publication.OutcomeAccepted)
	f.reach(slugOp("b"), publication.OutcomeUnknown)
	f.reach(slugOp("c"), publication.OutcomeAccepted)
	rec := f.get(slugOp("c"))
	f.must(f.Record(context.Background(), RecordRequest{Account: "autora", Lane: "home", Payload: rec.Payload, Snapshot: rec.Snapshot()}))
	found, err := f.List(context.Background(), Filter{Unrecorded: true})
	f.must(err)
	if len(found) != 1 || found[0].Operation != slugOp("a") {
		t.Errorf("got %+v", found)
	}
}
