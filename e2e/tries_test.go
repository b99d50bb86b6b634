package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// giveUp makes a change whose request never arrived, and abandons it.
func (s *story) giveUp(args ...string) publication.Snapshot {
	s.t.Helper()
	s.fault("update", "drop_before_store", 0)
	doubt := s.run(exitUnknown, args...)
	return s.decide(exitAbandoned, doubt.Operation, "--abandon")
}

// wantTry checks that a change was made by the second try of what was abandoned.
func (s *story) wantTry(snap, abandoned publication.Snapshot) {
	s.t.Helper()
	if snap.Operation != abandoned.Operation.WithTry(2) || snap.State != publication.StateAccepted || snap.Verification != publication.VerificationMatched {
		s.t.Errorf("after %s: %+v", abandoned.Operation, snap)
	}
	if first := s.statusOf(abandoned.Operation); first.State != publication.StateAbandoned {
		s.t.Errorf("the first try became %s", first.State)
	}
}

func TestAnAbandonedEditCanBeMadeAgain(t *testing.T) {
	s := newStory(t, shared, "edicao-abandonada")
	s.publish(exitAccepted)
	s.write("Título novo")
	abandoned := s.giveUp("edit", s.reference(), s.file, "--yes", "--by", "bea")
	s.wantWrites(1, 1, 1)
	code, _, talk := s.command("starter", "edit", s.reference(), s.file, "--yes", "--by", "bea", "--no-wait")
	if code != exitWaiting || !strings.Contains(talk, "was abandoned") || !strings.Contains(talk, "another try") {
		t.Errorf("exit %d: %s", code, talk)
	}
	s.wantTry(s.edit(exitAccepted), abandoned) // the one that was started is followed
	s.wantText("Título novo", firstText)
	s.wantWrites(1, 2, 1)
}

// A try does not overtake the request of the one before, which may be on its way yet.
func TestATryWaitsForTheRequestOfTheAbandonedOne(t *testing.T) {
	s := newStory(t, own(t, "POSTONCE_SEND_TIMEOUT=8s", "POSTONCE_QUIET_TIME=4s"), "tentativa-que-espera")
	s.worker()
	s.publish(exitAccepted)
	s.write("Título novo")
	abandoned := s.giveUp("edit", s.reference(), s.file, "--yes", "--by", "bea")
	sendBy := *abandoned.Attempts[0].SendBy
	started := s.change(exitWaiting, "edit", s.reference(), s.file, "--no-wait")
	s.untilOf(started.Operation, "the words about the wait", func(snap publication.Snapshot) bool {
		return strings.Contains(snap.WaitingFor, "may have an effect until")
	})
	s.wantTry(s.edit(exitAccepted), abandoned)
	if second := s.patches()[1]; second.At.Before(sendBy.Add(4 * time.Second)) {
		t.Errorf("the second request arrived at %s, the first one may have had an effect until %s", second.At, sendBy.Add(4*time.Second))
	}
	s.wantWrites(1, 2, 1)
}

// A person gave up an edit that is with TabNews yet. What is ordered next waits for it too, and so meets what it made.
func TestNoOtherChangeOvertakesAnAbandonedOne(t *testing.T) {
	s := newStory(t, own(t, "POSTONCE_SEND_TIMEOUT=3s", "POSTONCE_QUIET_TIME=6s"), "abandonada-a-caminho")
	s.worker()
	s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "stall_before_store", 7*time.Second) // the send ends after 3 s, the quiet time after 9 s
	doubt := s.edit(exitUnknown)
	s.decide(exitAbandoned, doubt.Operation, "--abandon")
	removal := s.run(exitWaiting, "remove", s.reference(), "--confirm", s.slug, "--by", "bea", "--no-wait")
	s.untilOf(removal.Operation, "the words about the wait", func(snap publication.Snapshot) bool {
		return strings.Contains(snap.WaitingFor, "was abandoned, and its request may have an effect")
	})
	snap := s.untilOf(removal.Operation, "the removal's end", func(snap publication.Snapshot) bool { return snap.State.Settled() })
	if snap.State != publication.StateRejected {
		t.Errorf("got %+v", snap)
	}
	s.wantText("Título novo", firstText)
	s.wantWrites(1, 1, 1)
}

func TestAnAbandonedPublishingOfADraftCanBeMadeAgain(t *testing.T) {
	s := newStory(t, shared, "rascunho-abandonado")
	draft := s.draft()
	abandoned := s.giveUp("publish-draft", s.reference(), "--yes", "--by", "bea")
	snap := s.change(exitAccepted, "publish-draft", s.reference())
	s.wantTry(snap, abandoned)
	if row := s.stored(); row.ID != draft.Identity.ID || row.Status != "published" {
		t.Errorf("TabNews holds %+v", row)
	}
	if first := s.status(); first.RemoteStatus != publication.StatusPublished {
		t.Errorf("the draft's operation does not tell that it is public: %+v", first)
	}
	s.wantWrites(1, 2, 1)
}

func TestAnAbandonedRemovalCanBeMadeAgain(t *testing.T) {
	s := newStory(t, shared, "remocao-abandonada")
	created := s.publish(exitAccepted)
	abandoned := s.giveUp("remove", s.reference(), "--confirm", s.slug, "--by", "bea")
	s.refused("was abandoned", "publish", s.file, "--yes", "--by", "ana", "--again")
	removed := s.remove(exitAccepted)
	s.wantTry(removed, abandoned)
	s.wantRemoved(removed, created.Identity.ID)
	s.wantWrites(1, 2, 1)
	if first := s.status(); first.RemoteStatus != publication.StatusDeleted {
		t.Errorf("the publication does not tell that it was removed: %+v", first)
	}
	s.refused(string(removed.Operation), "publish", s.file, "--yes", "--by", "ana")
	again := s.publish(exitAccepted, "--again")
	if again.Operation != publication.PublishAgainID("autora", s.slug, 2) {
		t.Errorf("got %+v", again)
	}
	s.wantWrites(2, 2, 2)
	t.Run("a reference means the newest publication", func(t *testing.T) {
		if _, newest := s.starter("status", s.reference()); newest.Operation != again.Operation {
			t.Errorf("got %s", newest.Operation)
		}
	})
}

// The abandoned removal happened. Nothing shows that to the public, so nothing is sent again; once the deletion is known,
// the slug is free.
func TestAnAbandonedRemovalThatDidHappen(t *testing.T) {
	s := newStory(t, shared, "remocao-aconteceu")
	s.publish(exitAccepted)
	s.fault("update", "drop_after_store", 0)
	doubt := s.remove(exitUnknown)
	s.refused("not known yet", "publish", s.file, "--yes", "--by", "ana", "--again")
	s.decide(exitAbandoned, doubt.Operation, "--abandon")
	code, _, talk := s.command("starter", "remove", s.reference(), "--confirm", s.slug, "--by", "bea")
	if code != exitAbandoned || !strings.Contains(talk, "removed, or hidden") {
		t.Errorf("exit %d: %s", code, talk)
	}
	s.refused("is not known", "publish", s.file, "--yes", "--by", "ana", "--again")
	s.deletedElsewhere()
	code, _, talk = s.command("starter", "remove", s.reference(), "--confirm", s.slug, "--by", "bea")
	if code != exitAccepted || !strings.Contains(talk, "is gone already") {
		t.Errorf("exit %d: %s", code, talk)
	}
	s.refused("deleted elsewhere", "publish", s.file, "--yes", "--by", "ana")
	s.wantWrites(1, 1, 1)
	s.publish(exitAccepted, "--again")
	s.wantWrites(2, 1, 2)
}

// deletedElsewhere writes into the ledger what a watch over published content would.
func (s *story) deletedElsewhere() {
	s.t.Helper()
	ctx := s.context()
	db, err := pgx.Connect(ctx, envValue(s.stack.Environ(), "DATABASE_URL"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close(ctx)
	if _, err := db.Exec(ctx, `update operations set remote_status = 'deleted' where operation = $1`, s.operation()); err != nil {
		s.t.Fatal(err)
	}
}

// The answer to a removal is the last that can be read of what went.
func TestARemovalTellsWhatOthersChangedJustBefore(t *testing.T) {
	s := newStory(t, shared, "remocao-no-meio")
	created := s.publish(exitAccepted)
	s.fault("update", "edit_between", 0)
	removed := s.remove(exitAccepted)
	s.wantRemoved(removed, created.Identity.ID)
	s.wantWords(removed, "that change went with it", "+Editado por outra pessoa.")
	if _, out, _ := s.command("starter", "status", string(removed.Operation)); !strings.Contains(out, "+Editado por outra pessoa.") {
		t.Errorf("it is not shown to people in:\n%s", out)
	}
}

// The edit never arrived, and somebody else changed the content: from its version nothing can be sent any more.
func TestNotCreatedOfAnEditThatOthersOvertook(t *testing.T) {
	s := newStory(t, shared, "edicao-ultrapassada")
	s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "drop_before_store", 0)
	doubt := s.edit(exitUnknown)
	s.edited("body", firstText+"\n\nUma linha deles.")
	code, out, talk := s.command("starter", "resolve", string(doubt.Operation), "--not-created", "--attempt", "1", "--by", "ana", "--reason", "I looked")
	if code != exitUnknown || !strings.Contains(talk, "refused") || !strings.Contains(talk, "neither as before the change nor as approved") || !strings.Contains(out, "+Uma linha deles.") {
		t.Errorf("exit %d: %s\n%s", code, talk, out)
	}
	s.decide(exitAbandoned, doubt.Operation, "--abandon")
	s.rewrite("Título novo", firstText+"\n\nUma linha deles.")
	s.edit(exitAccepted)
	s.wantWrites(1, 2, 1)
}

// Its text can be read before its answer came: that is followed, and called accepted only when it is.
func TestAnEditUnderWayIsFollowed(t *testing.T) {
	s := newStory(t, shared, "edicao-a-caminho")
	s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "stall_after_store", 1700*time.Millisecond)
	started := s.change(exitWaiting, "edit", s.reference(), s.file, "--no-wait")
	s.untilArrived("the change of the text", 1, func() []arrival {
		if s.stored().Title != "Título novo" {
			return nil
		}
		return s.patches()
	})
	code, snap := s.starter("edit", s.reference(), s.file, "--yes", "--by", "bea")
	if code != exitAccepted || snap.Operation != started.Operation || snap.Verification != publication.VerificationMatched {
		t.Errorf("exit %d, %+v", code, snap)
	}
	s.wantWrites(1, 1, 1)
}

// Only a person ends that wait, and elsewhere: the command line says so and ends; the operation goes on by itself.
func TestAChangeBehindAnUnknownOneEndsItsWait(t *testing.T) {
	s := newStory(t, shared, "espera-por-pessoa")
	s.publish(exitAccepted)
	s.write("Título novo")
	s.fault("update", "drop_before_store", 0)
	doubt := s.edit(exitUnknown)
	removal := s.remove(exitWaiting)
	if removal.BlockedBy != doubt.Operation || removal.State.Settled() {
		t.Errorf("got %+v", removal)
	}
	s.wantWords(removal, string(doubt.Operation)+" is unknown", "starter status "+string(doubt.Operation))
	s.wantWrites(1, 1, 1)
	s.decide(exitAbandoned, doubt.Operation, "--abandon")
	s.untilOf(removal.Operation, "the removal", matched)
	s.wantWrites(1, 2, 1)
}

// Content that stands under a slug by somebody else's doing is taken up as often as it changes, and can be removed.
func TestTrackingAnewTakesUpWhatIsThereNow(t *testing.T) {
	s := newStory(t, shared, "adotado-de-novo")
	first := s.createByHand("published")
	track := func() publication.Snapshot { return s.run(exitAccepted, "track", s.reference(), "--by", "ana") }
	track()
	s.edited("body", "Um texto revisto à mão.")
	if again := track(); *again.Identity != first || again.Digest == "" {
		t.Errorf("got %+v", again)
	}
	s.wantRemoved(s.remove(exitAccepted), first.ID)
	second := s.createByHand("published")
	s.refused("starter track", "remove", s.reference(), "--confirm", s.slug, "--by", "bea")
	if again := track(); *again.Identity != second || again.Operation != publication.TrackID("autora", s.slug) {
		t.Errorf("got %+v", again)
	}
	removed := s.remove(exitAccepted)
	if removed.Operation != publication.RemoveID("autora", s.slug, 2) {
		t.Errorf("got %+v", removed)
	}
	s.wantRemoved(removed, second.ID)
	s.wantWrites(2, 2, 2)
}
