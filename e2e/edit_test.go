package e2e

import (
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

const firstText = "Texto exemplo contendo palavras suficientes para receber moedas iniciais."

// edit changes the story's content to what its file says.
func (s *story) edit(want int) publication.Snapshot {
	s.t.Helper()
	return s.change(want, "edit", s.reference(), s.file)
}

// baseOf is the operation that changes the version which a row has now.
func baseOf(row content) publication.OperationID {
	return publication.ReviseID("autora", row.Slug, publication.Base{UpdatedAt: row.UpdatedAt}.Version())
}

// wantText checks title and body that TabNews holds.
func (s *story) wantText(title, body string) {
	s.t.Helper()
	if row := s.stored(); row.Title != title || row.Body != body {
		s.t.Errorf("TabNews holds %q and %q, want %q and %q", row.Title, row.Body, title, body)
	}
}

func TestTwoEditsInARow(t *testing.T) {
	s := newStory(t, shared, "duas-edicoes")
	created := s.publish(exitAccepted)
	for i, title := range []string{"Título novo", "Título mais novo"} {
		want := baseOf(s.stored())
		s.write(title)
		snap := s.edit(exitAccepted)
		if snap.Operation != want || snap.State != publication.StateAccepted || snap.Verification != publication.VerificationMatched || *snap.Identity != *created.Identity {
			t.Errorf("edit %d of %s: %+v", i+1, want, snap)
		}
		s.wantText(title, firstText)
		s.wantWrites(1, i+1, 1)
	}
	t.Run("nothing to change", func(t *testing.T) {
		code, _, talk := s.command("starter", "edit", s.reference(), s.file, "--yes", "--by", "bea")
		if code != exitUsage && code != exitAccepted {
			t.Errorf("exit %d: %s", code, talk)
		}
		s.wantWrites(1, 2, 1)
	})
}

// Two edits of one version are one operation: the second, with another text, changes nothing.
func TestTwoEditsOfOneVersion(t *testing.T) {
	s := newStory(t, shared, "uma-versao")
	s.publish(exitAccepted)
	s.write("Título da ana")
	first := s.run(exitWaiting, "edit", s.reference(), s.file, "--propose", "--by", "ana")
	s.write("Título da bea")
	code, out, talk := s.command("starter", "edit", s.reference(), s.file, "--yes", "--by", "bea")
	if code == exitAccepted || !strings.Contains(out+talk, string(first.Digest)) {
		t.Errorf("exit %d; the digest that counts is not named in:\n%s%s", code, out, talk)
	}
	s.wantWrites(1, 0, 1)
	s.run(exitAccepted, "approve", string(first.Operation), "--by", "bea", "--wait")
	s.wantText("Título da ana", firstText)
	s.wantWrites(1, 1, 1)
}

// A lost answer to an edit is settled by reading, or parks with what reading shows.
func TestALostAnswerToAnEdit(t *testing.T) {
	s := newStory(t, shared, "edicao-perdida")
	s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "drop_after_store", 0)
	if snap := s.edit(exitAccepted); snap.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", snap)
	}
	s.wantWrites(1, 1, 1)
	s.write("Título que se perde")
	s.fault("update", "drop_before_store", 0)
	snap := s.edit(exitUnknown)
	if !snap.Parked {
		t.Errorf("got %+v", snap)
	}
	s.wantWords(snap, "not applied as far as can be seen")
	s.wantText("Título novo", firstText)
	s.wantWrites(1, 2, 1)
	if snap = s.decide(exitAccepted, snap.Operation, "--not-created", "--wait"); snap.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", snap)
	}
	s.wantText("Título que se perde", firstText)
	s.wantWrites(1, 3, 1)
}

// The change is made after we stopped waiting for it: what reads like the base at first is read once more, when TabNews
// can no longer be working on it.
func TestALateEditIsSettledByReadingOnceMore(t *testing.T) {
	s := newStory(t, shared, "edicao-tardia")
	s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "stall_before_store", 2500*time.Millisecond) // the send ends after 2 s, the quiet time after 3 s
	op := baseOf(s.stored())
	s.command("starter", "edit", s.reference(), s.file, "--yes", "--by", "bea") // its exit code is that of the moment
	s.ops.add(op)
	snap := s.untilOf(op, "the settlement", inState(publication.StateAccepted))
	if snap.Identity == nil || snap.Identity.ID != s.stored().ID {
		t.Errorf("got %+v", snap)
	}
	s.wantText("Título novo", firstText)
	s.wantWrites(1, 1, 1)
}
