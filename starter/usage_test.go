package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"postonce/ledger"
)

func withUsage(t *testing.T, used ...ledger.Usage) (*bench, *fakeRecords) {
	t.Helper()
	b, r := newBench(t, nil), &fakeRecords{}
	r.used = used
	b.withRecords(r)
	return b, r
}

func TestUsageInThreeForms(t *testing.T) {
	day := ledger.Usage{Account: "ana", Lane: "home", Day: "2026-12-24", Attempts: 4, Creations: 2, Refusals: 1, Unknowns: 1}
	b, _ := withUsage(t, day)
	b.mustRun(t, 0, "usage", "--csv")
	want := "day,account,lane,attempts,creations,edits,removals,refusals,unknowns,not_created,unsent\n2026-12-24,ana,home,4,2,0,0,1,1,0,0\n"
	if got := b.out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	b, _ = withUsage(t, day)
	b.mustRun(t, 0, "usage", "--json")
	var got []ledger.Usage
	if err := json.Unmarshal(b.out.Bytes(), &got); err != nil || len(got) != 1 || got[0] != day {
		t.Errorf("got %+v, %v", got, err)
	}
	b, _ = withUsage(t, day)
	b.mustRun(t, 0, "usage")
	if lines := strings.Split(b.out.String(), "\n"); !strings.HasPrefix(lines[0], "day") || !strings.HasPrefix(lines[1], "2026-12-24  ana") {
		t.Errorf("got %s", &b.out)
	}
}

func TestUsageOfNothingIsAListToo(t *testing.T) {
	b, _ := withUsage(t)
	b.mustRun(t, 0, "usage", "--json")
	if got := strings.TrimSpace(b.out.String()); got != "[]" {
		t.Errorf("got %q", got)
	}
}

func TestUsageAsksForTheDaysThatWereNamed(t *testing.T) {
	b, r := withUsage(t)
	b.mustRun(t, 0, "usage", "--from", "2026-12-01", "--to", "2026-12-31")
	if r.from != time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) || r.to != time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC) {
		t.Errorf("asked from %s to %s", r.from, r.to)
	}
}

func TestUsageRefusesWhatIsNoRange(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--from", "2026-02-30"}, `--from: "2026-02-30" is no day of the calendar; write it as YYYY-MM-DD`},
		{[]string{"--to", "24/12/2026"}, `--to: "24/12/2026" is no day`},
		{[]string{"--from", "2026-12-02", "--to", "2026-12-01"}, "--to: 2026-12-01 is before --from, 2026-12-02"},
		{[]string{"--csv", "--json"}, "--csv and --json"},
	} {
		b, _ := withUsage(t)
		b.mustRun(t, 2, append([]string{"usage"}, c.args...)...)
		b.saysOnStderr(t, c.says)
	}
}

func TestWhatOnlyTheLedgerKnowsNeedsTheLedger(t *testing.T) {
	for _, command := range []string{"usage", "history", "lane", "lane resume", "lane pause --for 1h --reason x", "export", "import -"} {
		b := newBench(t, nil)
		b.mustRun(t, 2, strings.Fields(command)...)
		command, _, _ = strings.Cut(strings.TrimSuffix(command, " -"), " --")
		b.saysOnStderr(t, "starter: "+command+": needs the ledger, and DATABASE_URL is not set; set DATABASE_URL")
	}
}
