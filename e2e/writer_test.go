package e2e

import (
	"testing"
	"time"

	"postonce/publication"
)

// One writer at a time: TabNews writes all columns of what it had read, so a removal that overtakes an edit would be
// undone by it. The second waits for the first, and then finds another version than the one that it was shown.
func TestARemovalDoesNotOvertakeAnEdit(t *testing.T) {
	s := newStory(t, shared, "um-de-cada-vez")
	s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "stall_before_store", 1500*time.Millisecond)
	edit := s.change(exitWaiting, "edit", s.reference(), s.file, "--no-wait")
	s.untilPatches(1)
	removal := s.run(exitWaiting, "remove", s.reference(), "--confirm", s.slug, "--by", "bea", "--no-wait")
	edited := s.untilOf(edit.Operation, "the edit's end", inState(publication.StateAccepted))
	removed := s.untilOf(removal.Operation, "the removal's end", func(snap publication.Snapshot) bool { return snap.State.Settled() })
	if edited.Identity == nil || removed.State != publication.StateRejected {
		t.Errorf("edit %+v\nremoval %+v", edited, removed)
	}
	s.wantText("Título novo", firstText)
	s.wantWrites(1, 1, 1)
}

// An edit in doubt may have left, and may still arrive: nobody else writes there until that is settled.
func TestNoOtherChangeWhileAnEditIsUnknown(t *testing.T) {
	s := newStory(t, shared, "em-duvida")
	s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "drop_before_store", 0)
	doubt := s.edit(exitUnknown)
	removal := s.run(exitWaiting, "remove", s.reference(), "--confirm", s.slug, "--by", "bea", "--no-wait")
	s.untilOf(removal.Operation, "the words about it", func(snap publication.Snapshot) bool {
		return snap.WaitingFor != "" || snap.State.Settled()
	})
	s.wantWrites(1, 1, 1)
	s.decide(exitAbandoned, doubt.Operation, "--abandon")
	s.untilOf(removal.Operation, "the removal", matched)
	s.wantWrites(1, 2, 1)
}

// A cancelled edit stays in doubt, also when somebody changed the content since: it can be taken up, and decided.
func TestACancelledEditInDoubtIsTakenUpAgain(t *testing.T) {
	s := newStory(t, shared, "retomada")
	s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "drop_before_store", 0)
	doubt := s.edit(exitUnknown)
	s.cancel(doubt.Operation)
	s.untilClosed(doubt.Operation)
	again := s.edit(exitUnknown)
	if again.Operation != doubt.Operation || !again.Parked {
		t.Fatalf("got %+v", again)
	}
	s.cancel(doubt.Operation)
	s.untilClosed(doubt.Operation)
	s.edited("body", firstText+"\n\nUma linha deles.")
	s.wantWrites(1, 1, 1)
	snap := s.decide(exitAbandoned, doubt.Operation, "--abandon")
	if snap.State != publication.StateAbandoned {
		t.Errorf("got %+v", snap)
	}
	s.wantWrites(1, 1, 1)
}
