package main

import (
	"context"
	"time"

	"postonce/ledger"
	"postonce/publication"
)

// fakeChronicle plays what the ledger remembers, and keeps what it was asked for.
type fakeChronicle struct {
	entries    []ledger.HistoryEntry
	used       []ledger.Usage
	unrecorded []publication.Snapshot
	wanted     ledger.HistoryFilter
	from, to   time.Time
}

func (f *fakeChronicle) History(_ context.Context, filter ledger.HistoryFilter) ([]ledger.HistoryEntry, error) {
	f.wanted = filter
	return f.entries, nil
}

func (f *fakeChronicle) Usage(_ context.Context, from, to time.Time) ([]ledger.Usage, error) {
	f.from, f.to = from, to
	return f.used, nil
}

func (f *fakeChronicle) Unrecorded(context.Context, string, int) ([]publication.Snapshot, error) {
	return f.unrecorded, nil
}
