package e2e

import (
	"net/http"
	"strings"
	"testing"

	"postonce/publication"
)

// T23: somebody edits between proposal and approval. Nothing is sent, and both changes are shown.
func TestAForeignEditBeforeTheSendIsAConflict(t *testing.T) {
	s := newStory(t, shared, "conflito")
	s.publish(exitAccepted)
	s.write("Título nosso")
	proposed := s.run(exitWaiting, "edit", s.reference(), s.file, "--propose", "--by", "ana")
	if proposed.State != publication.StateProposed {
		t.Fatalf("got %+v", proposed)
	}
	s.edited("body", firstText+"\n\nUma linha deles.")
	snap := s.run(exitRejected, "approve", string(proposed.Operation), "--by", "bea", "--wait")
	if snap.State != publication.StateRejected || len(s.patches()) != 0 {
		t.Errorf("%+v; arrived: %+v", snap, s.patches())
	}
	s.wantWords(snap, "conflict", "nothing was sent", "+Uma linha deles.", "+Título nosso")
	_, out, talk := s.command("starter", "status", string(proposed.Operation))
	for _, line := range []string{"+Uma linha deles.", "+Título nosso"} {
		if !strings.Contains(out+talk, line) {
			t.Errorf("%q is not shown to people in:\n%s%s", line, out, talk)
		}
	}
	s.wantText("Um artigo sobre conflito", firstText+"\n\nUma linha deles.")

	t.Run("the edit starts anew from what is there", func(t *testing.T) {
		s.rewrite("Título nosso", firstText+"\n\nUma linha deles.")
		again := s.edit(exitAccepted)
		if again.Operation == proposed.Operation || again.Verification != publication.VerificationMatched {
			t.Errorf("got %+v", again)
		}
		s.wantWrites(1, 1, 1)
	})
}

// T23: somebody edits between our last reading and our PATCH. TabNews cannot prevent it; it is told, and can be undone.
func TestAForeignEditDuringTheSendIsTold(t *testing.T) {
	s := newStory(t, shared, "edicao-no-meio")
	created := s.publish(exitAccepted)
	s.write("Título nosso")
	s.fault("update", "edit_between", 0)
	snap := s.edit(exitUnproven)
	if snap.State != publication.StateAccepted || snap.Verification != publication.VerificationDiverged || *snap.Identity != *created.Identity {
		t.Fatalf("got %+v", snap)
	}
	if !strings.Contains(snap.Divergence, "Editado por outra pessoa.") {
		t.Errorf("their change is not in the difference:\n%s", snap.Divergence)
	}
	if _, out, talk := s.command("starter", "status", string(snap.Operation)); !strings.Contains(out+talk, "starter restore "+string(snap.Operation)) {
		t.Errorf("restoring is not offered in:\n%s%s", out, talk)
	}
	s.wantText("Título nosso", firstText+"\n\nEditado por outra pessoa.")
	s.wantWrites(1, 1, 1)

	restored := s.change(exitAccepted, "restore", string(snap.Operation))
	if restored.Operation == snap.Operation || restored.Operation.Kind() != publication.KindRevise || restored.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", restored)
	}
	s.wantText("Um artigo sobre edicao-no-meio", firstText)
	s.wantWrites(1, 2, 1)
}

// T18, T23: a shared cache goes on telling the old version. No edit starts from it, and none is taken for unchanged.
func TestNoStaleBaseIsAccepted(t *testing.T) {
	s := newStory(t, shared, "versao-velha")
	s.control(http.MethodPost, "settings", map[string]any{"cache": true}, nil)
	t.Cleanup(func() { s.control(http.MethodPost, "settings", map[string]any{"cache": false}, nil) })
	s.publish(exitAccepted)
	inCache := func() any { return s.ask(http.MethodGet, "/api/v1/contents/autora/"+s.slug, "", nil)["title"] }
	inCache()
	s.edited("title", "Título deles")
	if title := inCache(); title != "Um artigo sobre versao-velha" {
		t.Fatalf("the cache tells %v: it is not in front", title)
	}
	fresh := baseOf(s.stored())
	s.write("Título nosso")
	proposed := s.run(exitWaiting, "edit", s.reference(), s.file, "--propose", "--by", "ana")
	if proposed.Operation != fresh {
		t.Errorf("it starts from %s, want %s", proposed.Operation, fresh)
	}
	s.edited("title", "Outro título deles")
	snap := s.run(exitRejected, "approve", string(proposed.Operation), "--by", "bea", "--wait")
	s.wantWords(snap, "conflict", "Outro título deles")
	s.wantWrites(1, 0, 1)
	if snap = s.edit(exitAccepted); snap.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", snap)
	}
	s.wantText("Título nosso", firstText)
	s.wantWrites(1, 1, 1)
}

// T23: somebody edits while an approved edit waits for its turn in the lane: the last look is the one that counts.
func TestAForeignEditWhileItWaitsForItsTurn(t *testing.T) {
	s := newStory(t, own(t, "POSTONCE_LANE_INTERVAL=10s"), "na-fila")
	s.worker()
	s.publish(exitAccepted)
	s.write("Título nosso")
	started := s.change(exitWaiting, "edit", s.reference(), s.file, "--no-wait")
	s.untilOf(started.Operation, "the wait for the lane", func(snap publication.Snapshot) bool { return strings.Contains(snap.WaitingFor, "lane") })
	s.edited("title", "Título deles")
	s.untilOf(started.Operation, "the conflict", func(snap publication.Snapshot) bool { return snap.State.Settled() })
	s.wantText("Título deles", firstText)
	s.wantWrites(1, 0, 1)
}
