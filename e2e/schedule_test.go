package e2e

import (
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// far is a time that no test will see.
var far = []string{"--at", "2099-12-24T09:00", "--tz", "America/Sao_Paulo"}

// schedule publishes the story's article at a time and wants it to wait for that.
func (s *story) schedule(flags ...string) publication.Snapshot {
	s.t.Helper()
	snap := s.publish(exitWaiting, flags...)
	if snap.State != publication.StatePlanned || snap.Schedule == nil || snap.Parked || !strings.HasPrefix(snap.WaitingFor, "its time, ") {
		s.t.Fatalf("it does not wait for its time: %+v, %+v", snap, snap.Schedule)
	}
	return snap
}

// soon is a time in some seconds, in whole ones.
func soon(d time.Duration) (time.Time, []string) {
	at := time.Now().UTC().Add(d).Truncate(time.Second)
	return at, []string{"--at", at.Format(time.RFC3339)}
}

// missed reports whether a person is asked since the time passed.
func missed(s publication.Snapshot) bool { return s.Missed() && s.Parked }

func (s *story) stopTemporal() {
	s.t.Helper()
	if err := s.stack.StopTemporal(s.context()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *story) startTemporal() {
	s.t.Helper()
	if err := s.stack.StartTemporal(s.context()); err != nil {
		s.t.Fatal(err)
	}
}

// T26: the time survives a restart of Temporal and of the workers, and fires once.
func TestAScheduleSurvivesRestarts(t *testing.T) {
	s := newStory(t, own(t), "agendada")
	first := s.worker()
	at, flags := soon(20 * time.Second)
	s.schedule(flags...)
	if err := first.Kill(); err != nil {
		t.Fatal(err)
	}
	s.stopTemporal()
	s.startTemporal()
	s.worker()
	s.want(0, 0)
	s.wantAccepted(s.until("the acceptance", matched))
	s.want(1, 1)
	if posts := s.posts(); posts[0].At.Before(at) {
		t.Errorf("it arrived at %s, before its time %s", posts[0].At, at)
	}
}

// T26: due while everything was down, for longer than it may be late: nothing is sent, and a person is asked.
func TestATimeMissedWhileAllWasDownAsksAPerson(t *testing.T) {
	s := newStory(t, own(t), "perdida")
	w := s.worker()
	began := time.Now()
	op := s.schedule(append(far, "--late", "1s")...).Operation
	at, flags := soon(4*time.Second + 4*time.Since(began)) // what this machine needs to move it is what it needed to set it
	s.run(exitWaiting, append([]string{"reschedule", string(op), "--by", "bea"}, flags...)...)
	if err := w.Kill(); err != nil {
		t.Fatal(err)
	}
	s.stopTemporal()
	if err := s.stack.Postgres().Kill(); err != nil {
		t.Fatal(err)
	}
	<-time.After(time.Until(at.Add(2 * time.Second))) // the time itself is the event
	if err := s.stack.Postgres().Restart(s.context()); err != nil {
		t.Fatal(err)
	}
	s.startTemporal()
	s.worker()
	snap := s.until("the question", missed)
	s.wantWords(snap, "planned", "not sent by itself any more", "--name reschedule")
	if again := s.publish(exitWaiting); !again.Missed() {
		t.Errorf("published again: %+v", again)
	}
	s.want(0, 0)
	s.wantAccepted(s.run(exitAccepted, "reschedule", s.operation(), "--now", "--by", "bea", "--wait"))
	s.want(1, 1)
}

// What Temporal forgot keeps the time that the ledger holds, also without --at.
func TestTheLedgerKeepsATimeThatTemporalForgot(t *testing.T) {
	s := newStory(t, shared, "esquecida")
	before := s.schedule(far...)
	if code, out, talk := s.command("temporal", "workflow", "terminate", "--workflow-id", s.operation()); code != 0 {
		t.Fatalf("terminate: %s%s", out, talk)
	}
	s.untilClosed(before.Operation)
	if code, out, talk := s.command("temporal", "workflow", "delete", "--workflow-id", s.operation()); code != 0 {
		t.Fatalf("delete: %s%s", out, talk)
	}
	if again := s.schedule(); !publication.SameTime(again.Schedule, before.Schedule) {
		t.Errorf("it has the time %v, want %v", again.Schedule, before.Schedule)
	}
	s.want(0, 0)
	at, _ := soon(time.Hour)
	moved := s.run(exitWaiting, "reschedule", s.operation(), "--at", at.Format(time.RFC3339), "--by", "bea")
	if !moved.Schedule.SendAt.Equal(at) {
		t.Errorf("it was moved to %v", moved.Schedule)
	}
	s.wantAccepted(s.run(exitAccepted, "reschedule", s.operation(), "--now", "--by", "bea", "--wait"))
	s.want(1, 1)
}

// lastTaken is the newest decision that was taken.
func lastTaken(snap publication.Snapshot) publication.Decision {
	for i := len(snap.Decisions) - 1; i >= 0; i-- {
		if snap.Decisions[i].Taken {
			return snap.Decisions[i]
		}
	}
	return publication.Decision{}
}

// A person withdraws what was not sent: its approval is void, and it takes another one to send it.
func TestCancelWithdrawsWhatWasNotSent(t *testing.T) {
	s := newStory(t, shared, "retirada")
	op := s.schedule(far...).Operation
	snap := s.run(exitWaiting, "cancel", string(op), "--by", "bea", "--reason", "not this year")
	s.wantWithdrawn(snap, "bea")
	s.untilClosed(op)
	s.wantWithdrawn(s.statusOf(op), "bea")
	s.refused("", "cancel", string(op)+"-nunca")
	if code, _ := s.starter("cancel", string(op), "--by", "bea"); code != exitWaiting {
		t.Errorf("withdrawn again: exit %d", code)
	}
	proposed := s.run(exitWaiting, "publish", "--propose", "--by", "ana", s.file)
	if proposed.State != publication.StateProposed || !proposed.Parked {
		t.Errorf("the approval that was withdrawn counts again: %+v", proposed)
	}
	s.run(exitWaiting, "approve", string(op), "--by", "bea")
	s.wantAccepted(s.run(exitAccepted, "reschedule", string(op), "--now", "--by", "bea", "--wait"))
	s.want(1, 1)
}

// The Cancel button of the Web UI withdraws the approval too.
func TestTheCancelButtonWithdrawsTheApproval(t *testing.T) {
	s := newStory(t, shared, "botao")
	op := s.schedule(far...).Operation
	s.cancel(op)
	s.untilClosed(op)
	s.wantWithdrawn(s.statusOf(op), "Temporal")
	proposed := s.run(exitWaiting, "publish", "--propose", "--by", "ana", s.file)
	if proposed.State != publication.StateProposed || !proposed.Parked {
		t.Errorf("the approval that was withdrawn counts again: %+v", proposed)
	}
	s.want(0, 0)
}

func (s *story) wantWithdrawn(snap publication.Snapshot, by string) {
	s.t.Helper()
	if d := lastTaken(snap); snap.State != publication.StateProposed || d.Kind != publication.DecisionCancel || d.By != by {
		s.t.Errorf("not withdrawn by %s: %s, %+v", by, snap.State, snap.Decisions)
	}
	s.want(0, 0)
}
