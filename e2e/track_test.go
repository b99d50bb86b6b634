package e2e

import (
	"testing"

	"postonce/publication"
)

func TestTrackedContentCanBeEditedAndRemoved(t *testing.T) {
	s := newStory(t, shared, "adotado")
	made := s.createByHand("published")
	snap := s.run(exitAccepted, "track", s.reference(), "--by", "ana")
	if snap.Operation != publication.TrackID("autora", s.slug) || snap.State != publication.StateAccepted || len(snap.Attempts) != 0 || snap.LocalRecord != publication.LocalRecorded {
		t.Errorf("got %+v", snap)
	}
	if snap.Identity == nil || *snap.Identity != made || snap.RemoteStatus != publication.StatusPublished {
		t.Errorf("identity %+v, made %+v", snap.Identity, made)
	}
	s.wantWrites(1, 0, 1) // the one by hand

	again := s.run(exitAccepted, "track", s.reference(), "--by", "ana")
	if again.Operation != snap.Operation || *again.Identity != made {
		t.Errorf("got %+v", again)
	}

	s.rewrite("À mão, e revisto", "Um texto escrito à mão.")
	edited := s.edit(exitAccepted)
	if *edited.Identity != made || edited.Verification != publication.VerificationMatched {
		t.Errorf("got %+v", edited)
	}
	s.wantText("À mão, e revisto", "Um texto escrito à mão.")
	s.wantRemoved(s.remove(exitAccepted), made.ID)
	s.wantWrites(1, 2, 1)
}

// Also without tracking, an edit works for content that postonce did not create.
func TestContentMadeByHandCanBeEdited(t *testing.T) {
	s := newStory(t, shared, "feito-a-mao")
	made := s.createByHand("published")
	s.rewrite("Corrigido", "Um texto escrito à mão.")
	if edited := s.edit(exitAccepted); *edited.Identity != made {
		t.Errorf("got %+v", edited)
	}
	s.wantText("Corrigido", "Um texto escrito à mão.")
	s.wantWrites(1, 1, 1)
}

func TestWhatIsNotThereIsNotTracked(t *testing.T) {
	s := newStory(t, shared, "nada-aqui")
	s.refused(s.reference(), "track", s.reference(), "--by", "ana")
	if code, snap := s.starter("status", string(publication.TrackID("autora", s.slug))); code != exitUsage {
		t.Errorf("exit %d, %+v", code, snap)
	}
	s.wantWrites(0, 0, 0)
}
