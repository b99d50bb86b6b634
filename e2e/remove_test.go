package e2e

import (
	"regexp"
	"strings"
	"testing"

	"postonce/publication"
)

// remove removes the story's content, confirmed by its slug.
func (s *story) remove(want int) publication.Snapshot {
	s.t.Helper()
	return s.run(want, "remove", s.reference(), "--confirm", s.slug, "--by", "bea")
}

// wantRemoved checks a removal, and that TabNews holds nothing living any more.
func (s *story) wantRemoved(snap publication.Snapshot, id string) {
	s.t.Helper()
	if snap.State != publication.StateAccepted || snap.RemoteStatus != publication.StatusDeleted || snap.Identity == nil || snap.Identity.ID != id {
		s.t.Errorf("not removed: %+v", snap)
	}
	for _, c := range s.contents() {
		if c.Slug == s.slug && c.Status != "deleted" {
			s.t.Errorf("TabNews still holds %+v", c)
		}
	}
}

func TestRemoveNeedsTheSlugAndSendsOneChange(t *testing.T) {
	s := newStory(t, shared, "removido")
	created := s.publish(exitAccepted)
	s.comment(exitAccepted, s.reference(), s.commentFile("Um comentário que fica sem artigo."))
	s.refused("--confirm", "remove", s.reference(), "--by", "bea")
	s.refused("slug", "remove", s.reference(), "--confirm", "outro", "--by", "bea")
	s.refused("--yes", "remove", s.reference(), "--confirm", s.slug, "--by", "bea", "--yes")
	s.wantWrites(1, 0, 1)
	if s.stored().Status != "published" {
		t.Fatal("it was removed without a confirmation")
	}

	code, out, talk := s.command("starter", "remove", s.reference(), "--confirm", s.slug, "--by", "bea")
	if code != exitAccepted {
		t.Fatalf("exit %d: %s%s", code, out, talk)
	}
	for _, words := range []string{`comments +1\b`, `tabcoins +1\b`, `costs .*TabCoins`} {
		if !regexp.MustCompile(words).MatchString(talk) {
			t.Errorf("what goes, and what it costs, is not told: no %q in:\n%s", words, talk)
		}
	}
	op := publication.RemoveID("autora", s.slug, 1)
	s.ops.add(op)
	s.wantRemoved(s.statusOf(op), created.Identity.ID)
	s.wantWrites(1, 1, 1)

	t.Run("removing it again sends nothing", func(t *testing.T) {
		if code, _, talk := s.command("starter", "remove", s.reference(), "--confirm", s.slug, "--by", "bea"); code != exitUsage && code != exitAccepted {
			t.Errorf("exit %d: %s", code, talk)
		}
		s.wantWrites(1, 1, 1)
	})
}

func TestPublishAgainAfterARemoval(t *testing.T) {
	s := newStory(t, shared, "de-volta")
	first := s.publish(exitAccepted)
	s.refused("--again", "publish", s.file, "--yes", "--by", "ana", "--again") // nothing was removed yet
	s.wantRemoved(s.remove(exitAccepted), first.Identity.ID)
	s.refused("--again", "publish", s.file, "--yes", "--by", "ana")
	s.wantWrites(1, 1, 1)

	second := s.publish(exitAccepted, "--again")
	if second.Operation != publication.PublishAgainID("autora", s.slug, 2) || second.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", second)
	}
	if row := s.stored(); row.ID == first.Identity.ID || second.Identity.ID != row.ID {
		t.Errorf("first %+v, second %+v, TabNews holds %+v", first.Identity, second.Identity, row)
	}
	s.wantWrites(2, 1, 2) // the deleted one stays stored, as at TabNews

	t.Run("again is the same operation until it is removed too", func(t *testing.T) {
		if again := s.publish(exitAccepted); again.Operation != second.Operation {
			t.Errorf("got %+v", again)
		}
		s.wantWrites(2, 1, 2)
	})
	removed := s.remove(exitAccepted)
	if removed.Operation != publication.RemoveID("autora", s.slug, 2) {
		t.Errorf("operation %s", removed.Operation)
	}
	s.wantRemoved(removed, second.Identity.ID)
	s.wantWrites(2, 2, 2)
}

// The removal is made, and its answer is lost: reading shows that it is gone, which a person takes for what it is.
func TestALostAnswerToARemovalParks(t *testing.T) {
	s := newStory(t, shared, "remocao-perdida")
	created := s.publish(exitAccepted)
	s.fault("update", "drop_after_store", 0)
	snap := s.remove(exitUnknown)
	if snap.State != publication.StateUnknown || !snap.Parked {
		t.Fatalf("got %+v", snap)
	}
	s.wantWords(snap, "cannot be read any more")
	s.wantWrites(1, 1, 1)
	snap = s.decide(exitAccepted, snap.Operation, "--adopt", s.reference())
	s.wantRemoved(snap, created.Identity.ID)
	s.wantWrites(1, 1, 1)
	s.publish(exitAccepted, "--again")
	s.wantWrites(2, 1, 2)
}

func TestARemovalThatNeverArrived(t *testing.T) {
	s := newStory(t, shared, "remocao-nao-enviada")
	created := s.publish(exitAccepted)
	s.fault("update", "drop_before_store", 0)
	snap := s.remove(exitUnknown)
	s.wantWords(snap, "not applied as far as can be seen")
	code, _, talk := s.command("starter", "resolve", string(snap.Operation), "--adopt", s.reference(), "--attempt", "1", "--by", "ana", "--reason", "I did not look")
	if code != exitUnknown || !strings.Contains(talk, "can still be read") {
		t.Errorf("adopting a removal of what is still there: exit %d: %s", code, talk)
	}
	s.wantWrites(1, 1, 1)
	s.wantRemoved(s.decide(exitAccepted, snap.Operation, "--not-created", "--wait"), created.Identity.ID)
	s.wantWrites(1, 2, 1)
}

// T24: what was shown to the person is not what is there any more.
func TestARemovalNeedsTheFreshVersion(t *testing.T) {
	s := newStory(t, own(t), "editado-antes")
	s.createByHand("published")
	started := s.run(exitWaiting, "remove", s.reference(), "--confirm", s.slug, "--by", "bea", "--no-wait") // no worker is there yet
	s.edited("body", "Um texto escrito à mão, e um parágrafo que ninguém viu.")
	s.worker()
	snap := s.untilOf(started.Operation, "the conflict", inState(publication.StateRejected))
	s.wantWords(snap, "conflict", "nothing was sent", "um parágrafo que ninguém viu")
	s.wantWrites(1, 0, 1)
	if s.stored().Status != "published" {
		t.Error("it was removed all the same")
	}
	s.remove(exitAccepted) // of what is there now
	s.wantWrites(1, 1, 1)
}
