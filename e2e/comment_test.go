package e2e

import (
	"net/http"
	"strings"
	"testing"

	"postonce/publication"
)

// comment answers a content.
func (s *story) comment(want int, on, file string, flags ...string) publication.Snapshot {
	s.t.Helper()
	return s.change(want, append([]string{"comment", "--on", on, file}, flags...)...)
}

// under are the comments below a content, in order.
func (s *story) under(id string) []content {
	s.t.Helper()
	var all []content
	for _, c := range s.contents() {
		if c.ParentID == id && c.Status != "deleted" {
			all = append(all, c)
		}
	}
	return all
}

func TestTheSameCommentTwiceIsOneComment(t *testing.T) {
	s := newStory(t, shared, "artigo-comentado")
	s.publish(exitAccepted)
	article := s.stored()
	file := s.commentFile("Obrigada pelo texto.")
	first := s.comment(exitAccepted, s.reference(), file)
	again := s.comment(exitAccepted, s.reference(), file)
	if first.State != publication.StateAccepted || first.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", first)
	}
	if first.Operation.Kind() != publication.KindPublish || again.Operation != first.Operation || *again.Identity != *first.Identity {
		t.Errorf("first %+v, again %+v", first, again)
	}
	rows := s.under(article.ID)
	if len(rows) != 1 || rows[0].ID != first.Identity.ID || rows[0].Title != "" || rows[0].Body != "Obrigada pelo texto." {
		t.Fatalf("first %+v; TabNews holds %+v", first.Identity, rows)
	}
	if posts := s.as(first).posts(); len(posts) != 1 {
		t.Errorf("creations %+v, want 1", posts)
	}

	t.Run("a second one is intended, and named", func(t *testing.T) {
		second := s.comment(exitAccepted, s.reference(), file, "--operation", "de-novo")
		if rows := s.under(article.ID); len(rows) != 2 || second.Operation == first.Operation || second.Identity.ID == first.Identity.ID {
			t.Errorf("second %+v; TabNews holds %+v", second, rows)
		}
		s.comment(exitAccepted, s.reference(), file, "--operation", "de-novo")
		if rows := s.under(article.ID); len(rows) != 2 {
			t.Errorf("the named one twice: TabNews holds %+v", rows)
		}
	})
}

// as is the story of what an operation made.
func (s *story) as(snap publication.Snapshot) *story {
	other := *s
	other.slug, other.began = snap.Operation.Reference().Slug, ""
	return &other
}

func TestAReplyUnderAReply(t *testing.T) {
	s := newStory(t, shared, "conversa")
	s.publish(exitAccepted)
	first := s.comment(exitAccepted, s.reference(), s.commentFile("Uma pergunta."))
	reply := s.comment(exitAccepted, first.Reference, s.commentFile("Uma resposta."))
	below := s.comment(exitAccepted, reply.Reference, s.commentFile("Outra pergunta."))
	for _, row := range []struct{ parent, child string }{
		{s.stored().ID, first.Identity.ID}, {first.Identity.ID, reply.Identity.ID}, {reply.Identity.ID, below.Identity.ID},
	} {
		if rows := s.under(row.parent); len(rows) != 1 || rows[0].ID != row.child {
			t.Errorf("under %s are %+v, want %s", row.parent, rows, row.child)
		}
	}
}

// What is answered is shown before: its title and its author.
func TestTheParentIsShownBeforeTheComment(t *testing.T) {
	s := newStory(t, shared, "de-outra-pessoa")
	parent := s.byHand("leitor", http.MethodPost, "", map[string]any{"title": "Um texto alheio", "slug": s.slug, "body": "Um texto escrito por outra pessoa.", "status": "published"})
	code, out, talk := s.command("starter", "comment", "--on", "leitor/"+s.slug, s.commentFile("Discordo em parte."), "--yes", "--by", "ana")
	if code != exitAccepted {
		t.Fatalf("exit %d: %s%s", code, out, talk)
	}
	for _, words := range []string{"Um texto alheio", "leitor", parent.ID} {
		if !strings.Contains(talk, words) {
			t.Errorf("%q is not shown in:\n%s", words, talk)
		}
	}
	if rows := s.under(parent.ID); len(rows) != 1 || rows[0].OwnerUsername != "autora" {
		t.Errorf("TabNews holds %+v", rows)
	}
}

func TestACommentOnNothingIsRefusedBeforeAnySend(t *testing.T) {
	s := newStory(t, shared, "nao-existe")
	before := len(s.creations())
	s.refused(s.reference(), "comment", "--on", s.reference(), s.commentFile("Olá?"), "--yes", "--by", "ana")
	if after := len(s.creations()); after != before {
		t.Errorf("%d creations arrived", after-before)
	}
}

// The rules that protect an article protect a comment.
func TestALostAnswerToACommentParksAndIsAdopted(t *testing.T) {
	s := newStory(t, shared, "comentario-perdido")
	s.publish(exitAccepted)
	file := s.commentFile("Um comentário cuja resposta se perde.")
	s.fault("create", "drop_after_store", 0)
	lost := s.comment(exitUnknown, s.reference(), file)
	if c := lost.Attempts[0].Candidates; len(c) == 0 || c[0].Reference != lost.Reference || !c[0].Equal {
		t.Errorf("candidates %+v", c)
	}
	s.comment(exitUnknown, s.reference(), file)
	adopted := s.decide(exitAccepted, lost.Operation, "--adopt", lost.Reference)
	rows := s.under(s.stored().ID)
	if len(rows) != 1 || adopted.Identity == nil || adopted.Identity.ID != rows[0].ID {
		t.Errorf("adopted %+v; TabNews holds %+v", adopted.Identity, rows)
	}
	if posts := s.as(lost).posts(); len(posts) != 1 {
		t.Errorf("creations %+v, want 1", posts)
	}
}
