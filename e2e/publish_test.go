package e2e

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"postonce/publication"
)

func TestPublishOnceWithOneCommand(t *testing.T) {
	s := newStory(t, shared, "uma-vez")
	snap := s.publish(exitAccepted)
	s.wantAccepted(snap)
	if snap.LocalRecord != publication.LocalRecorded || snap.Reference != "autora/uma-vez" || len(snap.Attempts) != 1 || len(snap.Decisions) != 1 || snap.Decisions[0].By != "ana" {
		t.Errorf("got %+v", snap)
	}
	s.want(1, 1)

	t.Run("a second publish starts nothing and shows the first", func(t *testing.T) {
		again := s.publish(exitAccepted)
		if again.Identity == nil || *again.Identity != *snap.Identity {
			t.Errorf("got %+v", again)
		}
		s.want(1, 1)
	})
	t.Run("another payload under the same slug is told and not sent", func(t *testing.T) {
		s.write("Outro título")
		code, out, talk := s.command("starter", "publish", "--yes", "--by", "ana", s.file)
		if code == 1 || !strings.Contains(out+talk, string(snap.Digest)) {
			t.Errorf("exit %d; the digest that counts is not named in:\n%s%s", code, out, talk)
		}
		s.want(1, 1)
	})
}

func TestProposedWaitsForTheApprovalOfExactlyThisPayload(t *testing.T) {
	s := newStory(t, shared, "proposto")
	code, snap := s.starter("publish", "--propose", s.file)
	if code != exitWaiting || snap.State != publication.StateProposed {
		t.Fatalf("exit %d, %+v", code, snap)
	}
	s.want(0, 0)
	wrong := "sha256:" + strings.Repeat("0", 64)
	if code, out, talk := s.command("temporal", "workflow", "signal", "--workflow-id", s.operation(), "--name", "approve", "--input", `{"by":"bea","digest":"`+wrong+`"}`); code != 0 {
		t.Fatalf("signal: %s%s", out, talk)
	}
	snap = s.until("the refusal", func(s publication.Snapshot) bool { return len(s.Decisions) == 1 })
	if snap.State != publication.StateProposed || snap.Decisions[0].Taken {
		t.Errorf("got %+v", snap)
	}
	if code, snap = s.starter("approve", s.operation(), "--by", "bea", "--wait"); code != exitAccepted {
		t.Fatalf("approve: exit %d, %+v", code, snap)
	}
	s.wantAccepted(snap)
	s.want(1, 1)
}

func TestDryRunSendsNothing(t *testing.T) {
	s := newStory(t, shared, "ensaio")
	code, out, _ := s.command("starter", "publish", "--dry-run", s.file)
	if code != 0 || !strings.Contains(out, `"slug":"ensaio"`) {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if code, _ := s.starter("status", s.operation()); code != exitUsage {
		t.Errorf("status of what was never started: exit %d", code)
	}
	s.want(0, 0)
}

// T08
func TestManySubmitsOfOnePayloadAreOneOperation(t *testing.T) {
	s := newStory(t, shared, "vinte")
	var wg sync.WaitGroup
	codes, said := make([]int, 8), make([]string, 8)
	for i := range codes {
		wg.Go(func() { codes[i], said[i] = s.quiet("starter", "publish", "--yes", "--by", "ana", "--json", s.file) })
	}
	wg.Wait()
	for i, code := range codes {
		if code != exitAccepted {
			t.Errorf("caller %d: exit %d\n%s", i, code, said[i])
		}
	}
	s.want(1, 1)
}

// A draft holds the slug, which no public route shows: TabNews refuses, and the correction goes on with the same ID.
func TestRejectedIsCorrectedAndPublishedUnderTheSameID(t *testing.T) {
	s := newStory(t, shared, "recusado")
	s.createByHand("draft")
	snap := s.publish(exitRejected)
	if snap.State != publication.StateRejected || !snap.Attempts[0].Evidence.APIError.SlugTaken() {
		t.Fatalf("got %+v", snap)
	}
	s.want(2, 1) // one by hand, one refused
	s.control(http.MethodPost, "moderate", map[string]string{"owner": "autora", "slug": s.slug, "action": "delete"}, nil)
	s.write("Um título melhor")
	snap = s.publish(exitAccepted)
	if len(snap.Attempts) != 2 || snap.Attempts[0].Outcome != publication.OutcomeRejected || snap.Identity == nil {
		t.Errorf("the earlier refusal is not visible: %+v", snap.Attempts)
	}
	s.want(3, 2) // the deleted one stays stored, as at TabNews
}

func TestASlugThatIsTakenStopsBeforeTheSend(t *testing.T) {
	s := newStory(t, shared, "ocupado")
	s.createByHand("published")
	snap := s.publish(exitRejected)
	if !strings.Contains(snap.Known, "exists already") {
		t.Errorf("known: %q", snap.Known)
	}
	s.want(1, 1) // the one made by hand
}

func TestDraftIsAcceptedAndNotReadBack(t *testing.T) {
	s := newStory(t, shared, "rascunho")
	s.writeDraft()
	snap := s.publish(exitAccepted)
	if snap.Verification != publication.VerificationNotApplicable || snap.RemoteStatus != publication.StatusDraft || snap.Identity == nil {
		t.Errorf("got %+v", snap)
	}
	s.want(1, 1)
}
