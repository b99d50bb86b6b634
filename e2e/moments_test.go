package e2e

import (
	"testing"
	"time"

	"postonce/publication"
)

// wholeAgain is how long a record may take to be whole once the database is back, with room for a busy machine.
const wholeAgain = 30 * time.Second

// PostgreSQL is killed at every moment of a publication: one request, no identity lost, and the end comes without a
// person; the record is whole a few seconds after the database is back.
func TestPostgresKilledAtEveryMoment(t *testing.T) {
	stack := own(t)
	newStory(t, stack, "o-trabalhador").worker("POSTONCE_SEND_TIMEOUT=20s")
	for _, c := range []struct {
		name, slug string
		kill       func(*story)
		posts      int // before the database is back
		accepted   bool
	}{
		{"before prepare", "antes-de-tudo", func(s *story) {
			s.closeGate(atOpening)
			s.launch()
			s.untilAtGate()
			s.killPostgres()
		}, 0, false},
		{"between prepare and claim", "antes-da-reserva", func(s *story) {
			s.fault("read", "stall_after_store", 2*time.Second)
			s.launch()
			s.untilPlanned()
			s.killPostgres()
			s.until("the words about it", func(s publication.Snapshot) bool { return s.WaitingFor != "" })
		}, 0, false},
		{"during the claim", "na-reserva", func(s *story) {
			s.closeGate(atClaim)
			s.launch()
			s.untilAtGate()
			s.killPostgres()
		}, 0, false},
		{"during the commit of the claim", "no-commit", func(s *story) {
			s.closeGate(atCommit)
			s.launch()
			s.untilAtGate()
			s.killPostgres()
		}, 0, false},
		{"after the claim", "depois-da-reserva", func(s *story) {
			s.fault("create", "stall_before_store", 2*time.Second)
			s.launch()
			s.untilPosts(1)
			s.killPostgres()
		}, 1, true},
		{"after the 201", "depois-do-201", func(s *story) {
			s.closeGate(atFinish)
			s.launch()
			s.untilAtGate()
			s.killPostgres()
		}, 1, true},
		{"during record", "no-registro", func(s *story) {
			s.closeGate(atRecord)
			s.launch()
			s.untilAtGate()
			s.killPostgres()
		}, 1, true},
		{"during repair", "no-reparo", func(s *story) {
			s.closeGate(atRecord)
			s.fault("create", "stall_after_store", 2*time.Second)
			s.launch()
			s.untilPosts(1)
			s.killPostgres()
			s.wantPending()
			s.restartPostgres()
			s.untilAtGate() // the repair has the row, and is killed with it
			s.killPostgres()
		}, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t, stack, c.slug)
			c.kill(s)
			if c.accepted {
				s.wantPending()
			}
			s.want(c.posts, c.posts)
			s.restartPostgres()
			back := time.Now()
			s.openGate()
			s.untilRecorded()
			took := time.Since(back)
			t.Logf("recorded %s after the database was back", seconds(took))
			if took > wholeAgain {
				t.Errorf("recorded %s after the database was back, want %s at most", seconds(took), seconds(wholeAgain))
			}
			s.wantAccepted(s.until("the end", matched))
			s.want(1, 1)
		})
	}
}

// wantPending holds that the identity is told while the ledger is away.
func (s *story) wantPending() {
	s.t.Helper()
	snap := s.until("the identity", func(s publication.Snapshot) bool {
		return s.Identity != nil && s.LocalRecord == publication.LocalPending && matched(s)
	})
	s.wantAccepted(snap)
}
