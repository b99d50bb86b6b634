package e2e

import (
	"testing"
	"time"

	"postonce/internal/devstack"
	"postonce/publication"
)

// T03: PostgreSQL is stopped right after the 201 left TabNews. The identity is told at once, and the record is
// repaired when the database is back.
func TestPostgresStoppedAfterTheAnswer(t *testing.T) {
	s := newStory(t, own(t), "sem-banco")
	s.worker("POSTONCE_SEND_TIMEOUT=20s")
	s.fault("create", "stall_after_store", 3*time.Second)
	s.launch()
	s.untilPosts(1)
	if err := s.stack.Postgres().Kill(); err != nil {
		t.Fatal(err)
	}
	code, snap := s.starter("status", s.operation(), "--watch")
	if code != exitAccepted || snap.Identity == nil || snap.State != publication.StateAccepted {
		t.Fatalf("exit %d, %+v", code, snap)
	}
	if snap.LocalRecord != publication.LocalPending {
		t.Errorf("local record %s while PostgreSQL is away", snap.LocalRecord)
	}
	if err := s.stack.Postgres().Restart(s.context()); err != nil {
		t.Fatal(err)
	}
	if code, out, talk := s.command("temporal", "workflow", "result", "--workflow-id", "repair/"+s.operation()); code != 0 {
		t.Errorf("the repair: %s%s", out, talk)
	}
	s.want(1, 1)
	if again := s.publish(exitAccepted); again.Identity == nil || *again.Identity != *snap.Identity {
		t.Errorf("published again: %+v", again)
	}
	s.want(1, 1)
}

// PostgreSQL is away before the claim: nothing is sent, and it goes on by itself when it is back.
func TestPostgresAwayBeforeTheClaim(t *testing.T) {
	s := newStory(t, own(t), "banco-volta")
	s.worker()
	if err := s.stack.Postgres().Kill(); err != nil {
		t.Fatal(err)
	}
	s.launch()
	s.until("the words about it", func(s publication.Snapshot) bool { return s.WaitingFor != "" })
	s.want(0, 0)
	if err := s.stack.Postgres().Restart(s.context()); err != nil {
		t.Fatal(err)
	}
	snap := s.until("the acceptance", matched)
	s.wantAccepted(snap)
	s.want(1, 1)
}

// Temporal is away while TabNews answers: the result is offered until it is back.
func TestTemporalAwayWhileTheAnswerArrives(t *testing.T) {
	s := newStory(t, own(t), "sem-temporal")
	s.worker("POSTONCE_SEND_TIMEOUT=20s")
	s.fault("create", "stall_after_store", 3*time.Second)
	s.launch()
	s.untilPosts(1)
	if err := s.stack.StopTemporal(s.context()); err != nil {
		t.Fatal(err)
	}
	s.untilAnswered()
	if err := s.stack.StartTemporal(s.context()); err != nil {
		t.Fatal(err)
	}
	s.wantAccepted(s.until("the acceptance", matched))
	s.want(1, 1)
}

// untilAnswered waits until the emulator has answered the creation.
func (s *story) untilAnswered() {
	s.t.Helper()
	s.tick("TabNews' answer", func() bool { return s.posts()[0].Status != 0 })
}

// T34: the worker is there before Temporal, and goes on by itself.
func TestAWorkerWaitsForTemporal(t *testing.T) {
	s := newStory(t, own(t), "cedo-demais")
	if err := s.stack.StopTemporal(s.context()); err != nil {
		t.Fatal(err)
	}
	w := s.startUnready()
	if err := w.WaitLog(s.context(), "waiting for Temporal"); err != nil {
		t.Fatal(err)
	}
	if err := s.stack.StartTemporal(s.context()); err != nil {
		t.Fatal(err)
	}
	if err := w.WaitLog(s.context(), "worker ready"); err != nil {
		t.Fatal(err)
	}
	s.wantAccepted(s.publish(exitAccepted))
	s.want(1, 1)
}

// startUnready starts a worker that cannot be ready yet.
func (s *story) startUnready() *devstack.Process {
	s.t.Helper()
	before := len(s.stack.Workers())
	go func() { _, _ = s.stack.StartWorker(s.context()) }()
	s.tick("the worker's start", func() bool { return len(s.stack.Workers()) > before })
	return s.stack.Workers()[before]
}
