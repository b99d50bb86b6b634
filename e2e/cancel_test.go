package e2e

import (
	"testing"
	"time"

	"postonce/publication"
)

// T24: a cancellation of what nobody approved yet ends it, and nothing is sent. The edit can be proposed again.
func TestCancelledBeforeTheApprovalSendsNothing(t *testing.T) {
	s := newStory(t, shared, "cancelada-antes")
	s.publish(exitAccepted)
	s.write("Título novo")
	proposed := s.run(exitWaiting, "edit", s.reference(), s.file, "--propose", "--by", "ana")
	s.cancel(proposed.Operation)
	s.untilClosed(proposed.Operation)
	s.wantWrites(1, 0, 1)
	if snap := s.edit(exitAccepted); snap.Operation != proposed.Operation {
		t.Errorf("got %+v", snap)
	}
	s.wantWrites(1, 1, 1)
}

// T24: approved, and cancelled before it was its turn. The same edit can be started again.
func TestCancelledBeforeTheSendSendsNothing(t *testing.T) {
	s := newStory(t, own(t), "cancelada-na-fila")
	s.createByHand("published")
	s.rewrite("Título novo", "Um texto escrito à mão.")
	started := s.change(exitWaiting, "edit", s.reference(), s.file, "--no-wait") // no worker is there yet
	s.cancel(started.Operation)
	s.worker()
	s.untilClosed(started.Operation)
	s.wantWrites(1, 0, 1)
	if snap := s.edit(exitAccepted); snap.Operation != started.Operation || snap.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", snap)
	}
	s.wantWrites(1, 1, 1)
}

// T24: a cancellation that comes while the call is on the wire is too late: the outcome is awaited and reported.
func TestCancelledWhileSendingReportsTheOutcome(t *testing.T) {
	s := newStory(t, shared, "cancelada-no-meio")
	created := s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "stall_after_store", 1500*time.Millisecond)
	started := s.change(exitWaiting, "edit", s.reference(), s.file, "--no-wait")
	s.untilPatches(1)
	s.cancel(started.Operation)
	snap := s.untilOf(started.Operation, "the outcome", matched)
	if snap.State != publication.StateAccepted || *snap.Identity != *created.Identity {
		t.Errorf("got %+v", snap)
	}
	s.wantWords(snap, "too late")
	s.wantWrites(1, 1, 1)
}

// T24: the same of a removal, whose answer is lost: cancelling decides nothing, and the ledger keeps the doubt.
func TestCancelledWhileParkedStaysUnknown(t *testing.T) {
	s := newStory(t, shared, "cancelada-depois")
	created := s.publish(exitAccepted)
	s.fault("update", "drop_after_store", 0)
	parked := s.remove(exitUnknown)
	s.cancel(parked.Operation)
	s.untilClosed(parked.Operation)
	if snap := s.statusOf(parked.Operation); snap.State != publication.StateUnknown {
		t.Errorf("got %+v", snap)
	}
	s.wantWrites(1, 1, 1)
	again := s.remove(exitUnknown)
	if again.Operation != parked.Operation || !again.Parked {
		t.Fatalf("got %+v", again)
	}
	s.wantWrites(1, 1, 1)
	s.wantRemoved(s.decide(exitAccepted, again.Operation, "--adopt", s.reference()), created.Identity.ID)
	s.wantWrites(1, 1, 1)
}
