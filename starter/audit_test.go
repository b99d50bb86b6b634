package main

import (
	"strings"
	"testing"

	"postonce/starter/audit"
)

func TestAnAuditTellsEachDifferenceOnALineOfItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		report audit.Report
		code   int
		words  []string
	}{
		"nothing": {audit.Report{}, 0, []string{"differences: 0"}},
		"a difference": {audit.Report{Differences: []audit.Difference{{Kind: audit.Untracked, Reference: "ana/ola", Detail: "TabNews shows \"a\x1b[2Jb\"", Remedy: "track it"}},
			Incomplete: []string{"TabNews: ana/outra"}}, exitDifferences, []string{"ana/ola: untracked: ", "; track it\n", "not compared: TabNews: ana/outra", "differences: 1"}},
		"not all": {audit.Report{Incomplete: []string{"TabNews: ana/outra"}}, exitOther, []string{"not compared"}},
		"a note":  {audit.Report{Notes: []audit.Note{{Operation: opOla, Detail: "accepted"}}}, 0, []string{string(opOla) + ": accepted"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			if err := b.showAudit(c.report, nil); err != nil || b.code != c.code {
				t.Errorf("exit code %d, want %d (%v)", b.code, c.code, err)
			}
			text := b.out.String() + b.err.String()
			for _, word := range c.words {
				if !strings.Contains(text, word) {
					t.Errorf("%q is not in:\n%s", word, text)
				}
			}
			if strings.Contains(text, "\x1b[2J") || strings.Count(b.out.String(), "\n") != len(c.report.Differences) {
				t.Errorf("not one plain line each: %q", b.out.String())
			}
		})
	}
}

func TestAnAuditSaysWhatIsMissing(t *testing.T) {
	for words, args := range map[string][]string{
		"TABNEWS_URL: is not set":       {"audit"},
		"--limit, --pages and --pause:": {"audit", "--limit", "0"},
		"account: é is no TabNews user": {"audit", "--account", "é"},
	} {
		b := newBench(t, nil)
		b.mustRun(t, exitUsage, args...)
		b.saysOnStderr(t, words)
	}
	b := newBench(t, nil)
	b.env["TABNEWS_URL"] = "https://tabnews.example"
	b.mustRun(t, exitUsage, "audit")
	b.saysOnStderr(t, "audit: needs the ledger, and DATABASE_URL is not set")
}
