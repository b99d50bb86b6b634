package main

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"postonce/internal/postgres"
	"postonce/internal/postgrestest"
	"postonce/ledger"
	"postonce/publication"
)

// realLedger is a migrated ledger in a database of its own.
func realLedger(t *testing.T, cluster *postgres.Cluster, name string) (*ledger.Ledger, string) {
	t.Helper()
	if err := cluster.CreateDatabase(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(t.Context(), cluster.URL(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	if err := l.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l, cluster.URL(name)
}

// plan opens an approved publication.
func plan(t *testing.T, l *ledger.Ledger, p publication.Payload) {
	t.Helper()
	_, err := l.OpenOperation(t.Context(), ledger.OpenRequest{
		Operation: publication.PublishID("ana", p.Slug), Account: "ana", Lane: "home", Payload: p, Digest: p.Digest(), ProposedBy: "=eva", RunID: "run of " + p.Slug,
		Approval: &publication.Decision{ID: "approval of " + p.Slug, Signal: "start", By: "eva", Digest: p.Digest()},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestExportAndImport(t *testing.T) {
	cluster := postgrestest.Cluster(t)
	l, url := realLedger(t, cluster, "before")
	plan(t, l, olaPayload())
	_, empty := realLedger(t, cluster, "after")
	dir := t.TempDir()
	file := filepath.Join(dir, "ledger.jsonl")

	b := newBench(t, nil)
	b.env["DATABASE_URL"] = url
	b.mustRun(t, 0, "export", "--out", file)
	b.mustRun(t, 0, "export")
	if text, err := os.ReadFile(file); err != nil || afterHeader(string(text)) != afterHeader(b.out.String()) {
		t.Errorf("the file (%v) and standard output differ:\n%s\n%s", err, text, &b.out)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("left in the folder: %v", left)
	}
	b.mustRun(t, exitUsage, "import", file) // into the ledger that it came from
	b.saysOnStderr(t, "not empty")

	b.env["DATABASE_URL"] = empty
	b.mustRun(t, 0, "import", file, "--by", "rui")
	b.saysOnStderr(t, string(opOla)+" was approved and not sent", "imported 1 operations")
	b.out.Reset()
	b.mustRun(t, 0, "export")
	if text := b.out.String(); !strings.Contains(text, `"event":"imported","by":"rui"`) {
		t.Errorf("the import is not in the journal:\n%s", text)
	}
}

func afterHeader(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}

func TestExportForSpreadsheets(t *testing.T) {
	l, url := realLedger(t, postgrestest.Cluster(t), "ledger")
	plan(t, l, olaPayload())
	b := newBench(t, nil)
	b.env["DATABASE_URL"] = url
	dir := filepath.Join(t.TempDir(), "folder")
	b.mustRun(t, 0, "export", "--format", "csv", "--out", dir)
	for table, want := range map[string]int{"operations": 2, "decisions": 2, "attempts": 1, "journal": 3, "lanes": 1, "incidents": 1} {
		text, err := os.ReadFile(filepath.Join(dir, table+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil || len(rows) != want {
			t.Errorf("%s: %d lines, want %d (%v)", table, len(rows), want, err)
		}
	}
	b.mustRun(t, 0, "export", "--format", "csv", "--table", "operations")
	rows, err := csv.NewReader(strings.NewReader(b.out.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if by := rows[1][slices.Index(rows[0], "proposed_by")]; by != "'=eva" {
		t.Errorf("a spreadsheet would reckon with %q", by)
	}
	b.mustRun(t, exitUsage, "export", "--format", "csv", "--table", "users")
	b.saysOnStderr(t, `--table: "users" is none; the tables are `)
}

// What is wrong with the file is bad input; a database that is away is not.
func TestAnImportOfABadFileIsBadInput(t *testing.T) {
	cluster := postgrestest.Cluster(t)
	l, url := realLedger(t, cluster, "whole")
	plan(t, l, olaPayload())
	_, empty := realLedger(t, cluster, "empty")
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.jsonl")
	b := newBench(t, nil)
	b.env["DATABASE_URL"] = url
	b.mustRun(t, 0, "export", "--out", whole)
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	b.env["DATABASE_URL"] = empty
	for words, bad := range map[string]string{
		"is not the header of an export": "{}\n",
		"the header is missing":          "",
		"line 4: it is not a row":        strings.Join(lines[:3], "") + lines[3][:10],
		"ends early":                     strings.Join(lines[:len(lines)-2], ""),
		"sha256":                         strings.ReplaceAll(string(text), "Um texto.", "Outro texto."),
	} {
		file := filepath.Join(dir, "bad.jsonl")
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		b.err.Reset()
		b.mustRun(t, exitUsage, "import", file)
		b.saysOnStderr(t, words)
	}
	b.env["DATABASE_URL"] = "postgres://nobody@127.0.0.1:1/none?connect_timeout=1"
	b.mustRun(t, exitOther, "import", whole)
}

func TestExportAndImportSayWhatIsMissing(t *testing.T) {
	for words, args := range map[string][]string{
		"export: needs the ledger":         {"export"},
		`--format: "xml" is none`:          {"export", "--format", "xml"},
		"--table: jsonl has all tables":    {"export", "--table", "journal"},
		"--out: csv is one file per table": {"export", "--format", "csv"},
		"import: needs exactly one FILE":   {"import"},
		"FILE: open nowhere":               {"import", "nowhere"},
		"import: needs the ledger":         {"import", "-"},
	} {
		b := newBench(t, nil)
		b.mustRun(t, exitUsage, args...)
		b.saysOnStderr(t, words)
	}
}

// A database that forgot everything, or another one, is no empty record.
func TestADatabaseWithoutTablesIsSaid(t *testing.T) {
	cluster := postgrestest.Cluster(t)
	if err := cluster.CreateDatabase(t.Context(), "bare"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"history"}, {"usage"}, {"list", "--repair"}, {"export"}} {
		b := newBench(t, nil)
		b.env["DATABASE_URL"] = cluster.URL("bare")
		b.openLedger = func(ctx context.Context) (records, error) { return openLedger(ctx, b.getenv) }
		b.dial = func(context.Context) (engine, error) { return nil, errors.New("Temporal is away") }
		b.mustRun(t, exitUsage, args...)
		b.saysOnStderr(t, "the ledger has no tables yet")
	}
}
