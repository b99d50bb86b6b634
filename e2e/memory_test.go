package e2e

import (
	"path/filepath"
	"testing"
	"time"

	"postonce/publication"
	"postonce/starter/audit"
)

// A draft is stored at TabNews, its worker is killed, and the ledger goes back to a dump, or to an export, from before the
// claim: the audit names it, nothing is sent again, and a person can decide.
func TestAnOlderLedgerUnderAnAttemptInFlight(t *testing.T) {
	for _, c := range []struct {
		name, slug string
		backUp     func(*story) (restore func())
	}{
		{"a dump", "copia-no-voo", func(s *story) func() {
			file := s.dump()
			return func() {
				s.dropLedger()
				s.restore(file)
			}
		}},
		{"an export", "exporta-no-voo", func(s *story) func() {
			file := filepath.Join(t.TempDir(), "ledger.jsonl")
			if code, _, talk := s.command("starter", "export", "--out", file); code != 0 {
				t.Fatalf("export: %d %s", code, talk)
			}
			return func() {
				s.dropLedger()
				if code, out, talk := s.command("starter", "import", file, "--by", "bea"); code != 0 {
					t.Fatalf("import: %d %s%s", code, out, talk)
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t, own(t), c.slug)
			first := s.worker("POSTONCE_SEND_TIMEOUT=5s")
			s.fault("read", "stall_after_store", 5*time.Second) // the backup is made while the slug is looked at
			s.fault("create", "stall_after_store", time.Minute)
			if code, snap := s.starter("publish", "--draft", "--yes", "--by", "ana", "--no-wait", s.file); code != exitWaiting {
				t.Fatalf("publish: exit %d, %+v", code, snap)
			}
			s.untilPlanned()
			restore := c.backUp(s)
			s.untilPosts(1)
			if err := first.Kill(); err != nil {
				t.Fatal(err)
			}
			restore()
			s.wantKinds(s.audit(exitDifferences), audit.NotRecorded)
			s.worker("POSTONCE_SEND_TIMEOUT=5s")
			snap := s.until("the park", parked)
			if len(snap.Attempts) != 1 || snap.Attempts[0].Outcome != publication.OutcomeUnknown {
				t.Errorf("got %+v", snap.Attempts)
			}
			code, snap := s.starter("resolve", s.operation(), "--abandon", "--attempt", "1", "--by", "ana", "--reason", "it is among the drafts")
			if snap.State != publication.StateAbandoned {
				t.Errorf("decided: exit %d, %+v", code, snap)
			}
			s.audit(exitAccepted)
			s.want(1, 1)
		})
	}
}
