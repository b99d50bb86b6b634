package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// draft stores the story's article as a draft.
func (s *story) draft() publication.Snapshot {
	s.t.Helper()
	snap := s.publish(exitAccepted, "--draft")
	if snap.RemoteStatus != publication.StatusDraft || snap.Verification != publication.VerificationNotApplicable || snap.Identity == nil {
		s.t.Fatalf("the draft: %+v", snap)
	}
	return snap
}

// wantPublic checks that the draft became public under its own id.
func (s *story) wantPublic(draft, snap publication.Snapshot) {
	s.t.Helper()
	want := publication.ReviseID("autora", s.slug, publication.Base{ID: draft.Identity.ID}.Version())
	if snap.Operation != want {
		s.t.Errorf("operation %s, want %s", snap.Operation, want)
	}
	if snap.State != publication.StateAccepted || snap.Verification != publication.VerificationMatched || snap.RemoteStatus != publication.StatusPublished {
		s.t.Errorf("not accepted, matched and published: %+v", snap)
	}
	if row := s.stored(); snap.Identity == nil || snap.Identity.ID != draft.Identity.ID || row.ID != draft.Identity.ID || row.Status != "published" {
		s.t.Errorf("the draft was %+v, now %+v; TabNews holds %+v", draft.Identity, snap.Identity, row)
	}
}

func TestADraftIsPublishedByOneChangeOfTheSameContent(t *testing.T) {
	s := newStory(t, shared, "rascunho-vira-artigo")
	draft := s.draft()
	s.wantWrites(1, 0, 1)
	snap := s.change(exitAccepted, "publish-draft", string(draft.Operation))
	s.wantPublic(draft, snap)
	if len(snap.Decisions) == 0 || snap.Decisions[0].By != "bea" || snap.Digest == draft.Digest {
		t.Errorf("publishing needs an approval of its own: %+v", snap)
	}
	s.wantWrites(1, 1, 1)

	again := s.change(exitAccepted, "publish-draft", s.reference())
	if again.Operation != snap.Operation {
		t.Errorf("publishing it again is %s", again.Operation)
	}
	s.wantWrites(1, 1, 1)
}

// T17: the change is made, and its answer is lost or late. Reading settles it.
func TestALostAnswerToPublishingADraftIsSettledByReading(t *testing.T) {
	for _, fault := range []string{"drop_after_store", "stall_after_store", "status_504_after_store"} {
		t.Run(fault, func(t *testing.T) {
			s := newStory(t, shared, "rascunho-"+strings.ReplaceAll(fault, "_", "-"))
			draft := s.draft()
			s.fault("update", fault, 10*time.Second)
			snap := s.change(exitAccepted, "publish-draft", s.reference())
			s.wantPublic(draft, snap)
			if snap.Attempts[0].Evidence == nil || snap.Attempts[0].Evidence.Summary == "" {
				t.Errorf("the lost answer left no evidence: %+v", snap.Attempts)
			}
			s.wantWrites(1, 1, 1)
		})
	}
}

// T17: the change never got there. The public cannot read a draft, so a person decides; the next attempt is a PATCH too.
func TestPublishingADraftNeverCreates(t *testing.T) {
	s := newStory(t, shared, "rascunho-nao-enviado")
	draft := s.draft()
	s.fault("update", "drop_before_store", 0)
	snap := s.change(exitUnknown, "publish-draft", s.reference())
	if snap.State != publication.StateUnknown || !snap.Parked || len(snap.Attempts[0].Candidates) != 0 {
		t.Fatalf("got %+v", snap)
	}
	s.wantWrites(1, 1, 1)
	s.wantPublic(draft, s.decide(exitAccepted, snap.Operation, "--not-created", "--wait"))
	s.wantWrites(1, 2, 1)
}

// T17: somebody deleted the draft. TabNews says 404, which proves that nothing was changed, and nothing is created.
func TestPublishingADraftThatIsGone(t *testing.T) {
	s := newStory(t, shared, "rascunho-apagado")
	s.draft()
	s.moderated("delete")
	snap := s.change(exitRejected, "publish-draft", s.reference())
	if e := snap.Attempts[0].Evidence; snap.State != publication.StateRejected || e == nil || e.HTTPStatus != http.StatusNotFound {
		t.Errorf("got %+v", snap)
	}
	s.wantWords(snap, "404")
	if said := strings.ToLower(snap.Known); strings.Contains(said, "creating") {
		t.Errorf("a change is worded as a creation: %q", snap.Known)
	}
	s.wantWrites(1, 1, 1)
}

// lostDraft publishes a draft whose answer is lost. Reading cannot settle it, and that is said.
func (s *story) lostDraft(fault string) publication.Snapshot {
	s.t.Helper()
	s.rewrite("Rascunho "+s.slug, "Um texto que só existe em "+s.slug+".") // else other stories' texts resemble it
	s.fault("create", fault, 0)
	snap := s.publish(exitUnknown, "--draft")
	if snap.State != publication.StateUnknown || !snap.Parked || len(snap.Attempts[0].Candidates) != 0 {
		s.t.Fatalf("got %+v", snap)
	}
	s.wantWords(snap, "reading cannot settle", "probe")
	return snap
}

// probe asks TabNews about the draft in doubt and says beforehand what that touches.
func (s *story) probe() publication.Snapshot {
	s.t.Helper()
	code, _, talk := s.command("starter", "resolve", s.operation(), "--probe", "--attempt", "1", "--by", "ana", "--reason", "no other way to see it", "--yes", "--wait")
	if code != exitUnknown || !strings.Contains(talk, "updated_at") {
		s.t.Fatalf("probe: exit %d, want %d and words about updated_at in:\n%s", code, exitUnknown, talk)
	}
	return s.until("the probe's answer", func(snap publication.Snapshot) bool {
		return snap.Parked && len(snap.Decisions) > 0 && snap.Decisions[len(snap.Decisions)-1].Kind == publication.DecisionProbe
	})
}

func TestALostDraftIsFoundByProbeAndAdopted(t *testing.T) {
	s := newStory(t, shared, "rascunho-sondado")
	s.lostDraft("drop_after_store")
	s.wantWrites(1, 0, 1)
	snap := s.probe()
	candidates := snap.Attempts[0].Candidates
	if len(candidates) != 1 || candidates[0].FoundBy != "probe" || candidates[0].ID != s.stored().ID {
		t.Fatalf("candidates %+v, TabNews holds %+v", candidates, s.stored())
	}
	s.wantWrites(1, 1, 1)
	snap = s.decide(exitAccepted, snap.Operation, "--adopt", s.reference())
	if snap.Verification != publication.VerificationNotApplicable || snap.RemoteStatus != publication.StatusDraft || snap.Identity.ID != s.stored().ID {
		t.Errorf("got %+v", snap)
	}
	s.wantWrites(1, 1, 1)
	s.wantPublic(snap, s.change(exitAccepted, "publish-draft", s.reference()))
	s.wantWrites(1, 2, 1)
}

// What a probe found was created: a new attempt is refused, and what was found is what can be adopted.
func TestADraftThatAProbeFoundIsNotSentAgain(t *testing.T) {
	s := newStory(t, shared, "rascunho-achado")
	s.lostDraft("drop_after_store")
	snap := s.probe()
	code, refused := s.starter("resolve", string(snap.Operation), "--not-created", "--attempt", "1", "--by", "ana", "--reason", "I did not look", "--wait")
	if code != exitUnknown {
		t.Errorf("exit %d", code)
	}
	if d := refused.Decisions[len(refused.Decisions)-1]; d.Taken || !strings.Contains(d.Refusal, "so it was created; adopt it") {
		t.Errorf("decision %+v", d)
	}
	s.wantWrites(1, 1, 1)

	// Another run, which has only the ledger to know it from, does not send it again either.
	s.cancel(snap.Operation)
	s.untilClosed(snap.Operation)
	if code, again := s.starter("resolve", string(snap.Operation), "--not-created", "--attempt", "1", "--by", "ana", "--reason", "I did not look", "--wait"); code != exitUnknown || len(again.Attempts) != 1 {
		t.Errorf("exit %d, %+v", code, again)
	}
	snap = s.decide(exitAccepted, snap.Operation, "--adopt", s.reference())
	if snap.Identity == nil || snap.Identity.ID != s.stored().ID {
		t.Errorf("got %+v", snap)
	}
	s.wantWrites(1, 1, 1)
}

func TestALostDraftThatIsNotThere(t *testing.T) {
	s := newStory(t, shared, "rascunho-perdido")
	s.lostDraft("drop_before_store")
	snap := s.probe()
	if len(snap.Attempts[0].Candidates) != 0 {
		t.Errorf("candidates %+v", snap.Attempts[0].Candidates)
	}
	s.wantWords(snap, "absent", "deleted", "hidden")
	snap = s.decide(exitAccepted, snap.Operation, "--not-created", "--wait")
	if snap.RemoteStatus != publication.StatusDraft || snap.Identity == nil || snap.Identity.ID != s.stored().ID {
		t.Errorf("got %+v", snap)
	}
	s.wantWrites(2, 1, 1)
}

// The probe of what somebody published meanwhile changes nothing, and shows that it is public.
func TestALostDraftThatIsPublicByNow(t *testing.T) {
	s := newStory(t, shared, "rascunho-publico")
	s.lostDraft("drop_after_store")
	s.byHand("autora", http.MethodPatch, "/autora/"+s.slug, map[string]any{"status": "published"})
	snap := s.probe()
	s.wantWords(snap, "published")
	if row := s.stored(); row.Status != "published" {
		t.Errorf("the probe un-published it: %+v", row)
	}
	s.wantWrites(1, 2, 1) // one by hand, one probe
}

// TabNews' PATCH names an address, not an id: an approval of an old draft must not publish a newer one under its slug.
func TestAnOldDraftsApprovalPublishesNothingNewer(t *testing.T) {
	s := newStory(t, shared, "rascunho-velho")
	s.writeDraft()
	s.publish(exitAccepted)
	if code, snap := s.starter("remove", s.reference(), "--confirm", s.slug, "--by", "ana"); code != exitAccepted {
		t.Fatalf("remove: exit %d, %+v", code, snap)
	}
	if gone := s.status(); gone.RemoteStatus != publication.StatusDeleted || !strings.Contains(gone.Known, "removed") {
		t.Errorf("after the removal: %s, %q", gone.RemoteStatus, gone.Known)
	}
	s.writeDraft()
	s.publish(exitAccepted, "--again")
	if code, snap := s.starter("publish-draft", s.operation(), "--yes", "--by", "ana"); code != exitRejected {
		t.Errorf("the old draft was published: exit %d, %+v", code, snap)
	}
	for _, row := range s.rows() {
		if row.Status == publication.StatusPublished {
			t.Errorf("TabNews holds %+v", row)
		}
	}
}

// What was made public is no draft any more, also where nobody can read it: removing it would not "cost nothing".
func TestRemovingWhatWasADraftAndIsHiddenStartsNothing(t *testing.T) {
	s := newStory(t, shared, "rascunho-escondido")
	draft := s.draft()
	s.wantPublic(draft, s.change(exitAccepted, "publish-draft", s.reference()))
	s.moderated("hide")
	s.refused("recheck "+s.operation(), "remove", s.reference(), "--confirm", s.slug, "--by", "bea")
	s.wantWrites(1, 1, 1)
	s.moderated("undo")
	if row := s.stored(); row.Status != "published" {
		t.Errorf("TabNews holds %+v", row)
	}
}
