package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"postonce/publication"
	"postonce/starter/audit"
)

const exitDifferences = 9

// audit runs the audit and gives its report.
func (s *story) audit(want int, flags ...string) audit.Report {
	s.t.Helper()
	code, out, talk := s.command("starter", append([]string{"audit", "--json", "--pause", "1ms"}, flags...)...)
	var report audit.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != want {
		s.t.Fatalf("audit: exit %d, want %d (%v)\n%s%s", code, want, err, out, talk)
	}
	return report
}

// kinds are the differences about one operation.
func kinds(r audit.Report, op string) []audit.Kind {
	var found []audit.Kind
	for _, d := range r.Differences {
		if string(d.Operation) == op {
			found = append(found, d.Kind)
		}
	}
	return found
}

func (s *story) wantKinds(r audit.Report, want ...audit.Kind) {
	s.t.Helper()
	if got := kinds(r, s.operation()); !slices.Equal(got, want) {
		s.t.Errorf("%s: the audit names %v, want %v; %+v", s.operation(), got, want, r)
	}
}

// noted reports whether the audit names the operation as one that only the ledger remembers.
func noted(r audit.Report, op string) bool {
	return slices.ContainsFunc(r.Notes, func(n audit.Note) bool { return string(n.Operation) == op })
}

func (s *story) stopWorkers() {
	s.t.Helper()
	for _, w := range s.stack.Workers() {
		if err := w.Stop(s.context()); err != nil {
			s.t.Fatal(err)
		}
	}
}

// scene is a set with three publications: one accepted, one whose outcome is unknown, one that waits for an approval.
type scene struct{ accepted, parked, proposed *story }

func newScene(t *testing.T) scene {
	s := newStory(t, own(t), "aceito")
	s.worker()
	c := scene{s, s.another("duvidoso"), s.another("proposto")}
	c.accepted.wantAccepted(c.accepted.publish(exitAccepted))
	c.parked.fault("create", "drop_after_store", 0)
	c.parked.publish(exitUnknown)
	code, _ := c.proposed.starter("publish", "--propose", "--no-wait", "--by", "ana", c.proposed.file)
	if code != exitWaiting {
		t.Fatalf("propose: exit %d", code)
	}
	c.proposed.untilRows(1)
	return c
}

// untilRows waits until the ledger has the operation.
func (s *story) untilRows(n int) {
	s.t.Helper()
	conn := s.connect("postonce")
	defer conn.Close(s.context())
	s.tick("the operation in the ledger", func() bool {
		var rows int
		if err := conn.QueryRow(s.context(), `select count(*) from operations where operation = $1`, s.operation()).Scan(&rows); err != nil {
			s.t.Fatal(err)
		}
		return rows == n
	})
}

// wantOnce holds that nothing was sent twice: the accepted and the doubtful one once, the proposed one not at all.
func (c scene) wantOnce() {
	c.accepted.t.Helper()
	c.accepted.want(1, 1)
	c.parked.want(1, 1)
	c.proposed.want(0, 0)
}

// An export, the database dropped, an import: the three worlds agree as before, and the doubt can be decided.
func TestAnExportRebuildsTheLedger(t *testing.T) {
	c := newScene(t)
	s := c.accepted
	before := s.audit(exitDifferences) // the doubtful one's content is public, and nobody has adopted it yet
	file := filepath.Join(t.TempDir(), "ledger.jsonl")
	if code, _, talk := s.command("starter", "export", "--out", file); code != 0 {
		t.Fatalf("export: %d %s", code, talk)
	}
	s.dropLedger()
	if code, out, talk := s.command("starter", "import", file, "--by", "bea"); code != 0 {
		t.Fatalf("import: %d %s%s", code, out, talk)
	}
	after := s.audit(exitDifferences)
	if len(before.Differences) != 1 || len(after.Differences) != 1 || before.Differences[0].Kind != audit.Untracked || after.Differences[0].Detail != before.Differences[0].Detail {
		t.Errorf("the audit before: %+v, after: %+v", before.Differences, after.Differences)
	}
	snap := c.parked.status()
	code, _ := c.parked.starter("resolve", c.parked.operation(), "--adopt", snap.Reference, "--attempt", "1", "--by", "ana", "--reason", "seen")
	if code != exitAccepted {
		t.Errorf("adopting after the import: exit %d", code)
	}
	if report := s.audit(exitAccepted); len(report.Differences) != 0 || len(report.Incomplete) != 0 {
		t.Errorf("got %+v", report)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.said.Write(text) // no secret may be in an export
	c.wantOnce()
}

// Temporal's database is lost, the ledger is kept: the audit names every operation, and starting them again sends nothing
// and keeps the time of the one that has one.
func TestTemporalLostAndTheLedgerKept(t *testing.T) {
	c := newScene(t)
	s := c.accepted
	scheduled := s.another("agendado")
	set := scheduled.schedule(far...).Schedule
	s.stopWorkers()
	if err := s.stack.WipeTemporal(s.context()); err != nil {
		t.Fatal(err)
	}
	s.worker()
	report := s.audit(exitDifferences)
	if !noted(report, c.accepted.operation()) {
		t.Errorf("the accepted one is not named: %+v", report)
	}
	c.parked.wantKinds(report, audit.NoOpenRun, audit.Untracked)
	c.proposed.wantKinds(report, audit.NoOpenRun)
	scheduled.wantKinds(report, audit.NoOpenRun)

	s.publish(exitAccepted) // the ledger refuses, and tells the first
	if snap := c.parked.publish(exitUnknown); !snap.Parked || len(snap.Attempts) != 1 {
		t.Errorf("started again: %+v", snap)
	}
	code, snap := c.proposed.starter("publish", "--propose", "--no-wait", "--by", "ana", c.proposed.file)
	if code != exitWaiting || snap.State != publication.StateProposed {
		t.Errorf("proposed again: exit %d, %+v", code, snap)
	}
	if again := scheduled.schedule().Schedule; !publication.SameTime(again, set) { // without --at
		t.Errorf("the scheduled one is to be sent at %v, was %v", again, set)
	}
	scheduled.want(0, 0)
	c.wantOnce()
}

// The ledger is lost, Temporal is kept: what runs goes on without a second send, and what has ended comes back from its
// history.
func TestTheLedgerLostAndTemporalKept(t *testing.T) {
	c := newScene(t)
	s := c.accepted
	s.dropLedger()
	report := s.audit(exitDifferences)
	c.accepted.wantKinds(report, audit.NotInLedger, audit.Untracked)
	c.parked.wantKinds(report, audit.NotInLedger)
	c.proposed.wantKinds(report, audit.NotInLedger)
	after := s.audit(exitDifferences, "--fix")
	if len(after.Differences) != 1 || after.Differences[0].Kind != audit.Untracked {
		t.Errorf("after the fix: %+v", after)
	}
	s.eventually("the audit's repair, by its publication", func() (bool, any) {
		_, out, _ := s.command("temporal", "workflow", "list", "--query", "WorkflowType = 'RepairRecord' AND PublicationRef = 'autora/aceito'", "-o", "json")
		return strings.Contains(out, "repair/"+s.operation()), out
	})
	s.publish(exitAccepted)
	snap := c.parked.status()
	code, _ := c.parked.starter("resolve", c.parked.operation(), "--adopt", snap.Reference, "--attempt", "1", "--by", "ana", "--reason", "seen")
	if code != exitAccepted {
		t.Errorf("adopting after the fix: exit %d", code)
	}
	s.audit(exitAccepted)
	c.wantOnce()
}

// A dump that lacks three publications is restored: the audit finds them in Temporal and at TabNews, publishing one of
// them again sends nothing, also once Temporal has forgotten it.
func TestAnOlderDumpIsRestored(t *testing.T) {
	s := newStory(t, own(t), "antes-da-copia")
	s.worker()
	s.publish(exitAccepted)
	file := s.dump()
	later := []*story{s.another("depois-um"), s.another("depois-dois"), s.another("depois-tres")}
	for _, one := range later {
		one.publish(exitAccepted)
	}
	s.dropLedger()
	s.restore(file)
	report := s.audit(exitDifferences)
	s.wantKinds(report)
	for _, one := range later {
		one.wantKinds(report, audit.NotInLedger, audit.Untracked)
	}
	later[0].publish(exitAccepted) // Temporal's run is shown

	s.stopWorkers()
	if err := s.stack.WipeTemporal(s.context()); err != nil {
		t.Fatal(err)
	}
	s.worker()
	if snap := later[1].publish(exitRejected); len(snap.Attempts) != 0 || !strings.Contains(strings.Join(snap.Notes, " "), "exists already") {
		t.Errorf("the slug did not stop it: %+v", snap)
	}
	if report := s.audit(exitDifferences); len(report.Differences) != 3 {
		t.Errorf("want the three that nobody tracks, got %+v", report)
	}
	for _, one := range append(later, s) {
		one.want(1, 1)
	}
}

// The dump is older, and Temporal is kept: the audit brings the three back from their histories.
func TestAnOlderDumpIsRepairedFromTemporal(t *testing.T) {
	s := newStory(t, own(t), "na-copia")
	s.worker()
	s.publish(exitAccepted)
	file := s.dump()
	accepted, parked := s.another("voltou-aceito"), s.another("voltou-duvidoso")
	accepted.publish(exitAccepted)
	parked.fault("create", "drop_after_store", 0)
	parked.publish(exitUnknown)
	if code, out, talk := parked.command("temporal", "workflow", "terminate", "--workflow-id", parked.operation()); code != 0 {
		t.Fatalf("terminate: %s%s", out, talk)
	}
	s.dropLedger()
	s.restore(file)
	s.audit(exitDifferences, "--fix")
	if snap := accepted.status(); snap.State != publication.StateAccepted || snap.LocalRecord != publication.LocalRecorded {
		t.Errorf("got %+v", snap)
	}
	if snap := parked.publish(exitUnknown); len(snap.Attempts) != 1 { // never planned
		t.Errorf("got %+v", snap)
	}
	accepted.want(1, 1)
	parked.want(1, 1)
}
