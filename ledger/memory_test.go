package ledger

import (
	"context"
	"errors"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"postonce/internal/postgres"
	"postonce/publication"
)

func (f fixture) memory() string {
	f.t.Helper()
	memory, err := f.Memory(context.Background())
	f.must(err)
	return memory
}

// pgTool runs a program of PostgreSQL on the fixture's schema.
func (f fixture) pgTool(name string, args ...string) {
	f.t.Helper()
	bindir, err := postgres.Find()
	f.must(err)
	if out, err := exec.Command(filepath.Join(bindir, name), args...).CombinedOutput(); err != nil {
		f.t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// dump keeps the fixture's schema in a file, and gives its name and the address without it.
func (f fixture) dump() (file, address, schema string) {
	f.t.Helper()
	f.must(f.pool.QueryRow(context.Background(), `select current_schema()::text`).Scan(&schema))
	u, err := url.Parse(f.url)
	f.must(err)
	u.RawQuery = ""
	file = filepath.Join(f.t.TempDir(), "ledger.dump")
	f.pgTool("pg_dump", "--format=custom", "--schema="+schema, "--file="+file, u.String())
	return file, u.String(), schema
}

// restore puts the dump in the place of what is there.
func (f fixture) restore(file, address, schema string) {
	f.t.Helper()
	_, err := f.pool.Exec(context.Background(), `drop schema `+schema+` cascade`)
	f.must(err)
	f.pgTool("pg_restore", "--single-transaction", "--exit-on-error", "--dbname="+address, file)
}

// A restart, a migration and every write keep the memory; a dump that is put back, an import, an emptied table and a
// rebuilt one are another.
func TestAnotherMemoryIsSeen(t *testing.T) {
	f := newFixture(t)
	before := f.memory()
	if rec := f.planned(); rec.Memory != before {
		t.Errorf("opened in %q, want %q", rec.Memory, before)
	}
	f.must(f.Migrate(context.Background()))
	f.unknownClaimed()
	if got := openPool(t, f.url).memory(t); got != before {
		t.Errorf("another worker sees %q, want %q", got, before)
	}
	file, address, schema := f.dump()
	if got := f.memory(); got != before {
		t.Errorf("after a dump it is %q, want %q", got, before)
	}
	f.restore(file, address, schema)
	restored := f.memory()
	g := empty(t)
	g.imports(f.exported())
	_, err := f.pool.Exec(context.Background(), `truncate attempts`)
	f.must(err)
	seen := map[string]bool{before: true}
	for name, memory := range map[string]string{"restored": restored, "imported": g.memory(), "emptied": f.memory()} {
		if seen[memory] || strings.Count(memory, "/") != 4 {
			t.Errorf("%s: %q, before: %q", name, memory, before)
		}
		seen[memory] = true
	}
}

func (l *Ledger) memory(t *testing.T) string { return fixture{l, t, ""}.memory() }

// unknownClaimed lets the first attempt of what is planned end in doubt.
func (f fixture) unknownClaimed() {
	f.t.Helper()
	f.claim(1)
	f.finish(1, publication.OutcomeUnknown)
}

// The claim was made after the dump: that it is missing is no proof, and nothing is sent until run and ledger agree.
func TestARestoredLedgerProvesNothingAboutWhatItLacks(t *testing.T) {
	f := newFixture(t)
	opened := f.planned()
	file, address, schema := f.dump()
	f.claim(1)
	f.restore(file, address, schema)
	req := settleRequest(1)
	req.Memory = opened.Memory
	if _, err := f.Settle(context.Background(), req); !errors.Is(err, ErrNotFound) {
		t.Errorf("settled: %v", err)
	}
	claim := claimRequest(1)
	claim.Memory = opened.Memory
	if got, err := f.Claim(context.Background(), claim); err != nil || got.Claimed || got.Refusal == "" {
		t.Errorf("claimed: %+v, %v", got, err)
	}
	if n := f.count(`select count(*) from attempts`); n != 0 {
		t.Errorf("%d attempts were written", n)
	}
	known := opened.Snapshot()
	known.State = publication.StateUnknown
	known.Attempts = []publication.Attempt{{Number: 1, Outcome: publication.OutcomeUnknown, Digest: known.Digest, RunID: "run-1"}}
	f.must(f.Record(context.Background(), recordRequest(known)))
	f.wantState(publication.StateUnknown)
	claim = claimRequest(2)
	claim.Memory = f.memory()
	if got, err := f.Claim(context.Background(), claim); err != nil || got.Claimed {
		t.Errorf("the old approval let attempt 2 be claimed: %+v, %v", got, err)
	}
}

// The sender itself says that nothing left: that holds in any memory.
func TestATestimonyHoldsInAnotherMemory(t *testing.T) {
	f := newFixture(t)
	f.planned()
	req := settleRequest(1)
	req.Memory, req.NotSentToken = "another", "token-1"
	if got := f.settle(req).Attempt; got.Outcome != publication.OutcomeNotSent {
		t.Errorf("it is %+v", got)
	}
}

// A copy of a disk that is put back has the same memory: a run that knows of the claim shows that the ledger forgot it.
func TestAnAttemptThatARunKnowsOfIsNotBuried(t *testing.T) {
	f := newFixture(t)
	req := settleRequest(1)
	req.Memory, req.Known = f.planned().Memory, true
	if _, err := f.Settle(context.Background(), req); !errors.Is(err, ErrNotFound) {
		t.Errorf("settled: %v", err)
	}
	if n := f.count(`select count(*) from attempts`); n != 0 {
		t.Errorf("%d attempts were written", n)
	}
}

// What is told of an attempt uses up the approval that an older ledger still has: it waits for a person then, who could
// approve nothing that is planned.
func TestAnApprovalThatAToldAttemptUsedUpPlansNothing(t *testing.T) {
	f := newFixture(t)
	known := f.planned().Snapshot()
	known.Decisions = nil
	known.Attempts = []publication.Attempt{{Number: 1, Outcome: publication.OutcomeNotCreated, Digest: known.Digest, RunID: "run-1"}}
	f.must(f.Record(context.Background(), recordRequest(known)))
	f.wantState(publication.StateProposed)
}
