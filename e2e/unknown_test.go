package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// T01, T11 to T13: the content is stored, and the answer is lost in one way or another.
func TestLostAnswersParkAsUnknown(t *testing.T) {
	for _, fault := range []string{
		"drop_after_store", "stall_after_store", "cut_body", "status_502_after_store", "status_500_after_store",
		"status_504_after_store", "status_520_after_store", "garbage_201", "empty_200", "wrong_owner_201",
	} {
		t.Run(fault, func(t *testing.T) {
			s := newStory(t, shared, "perdido-"+strings.ReplaceAll(fault, "_", "-"))
			s.fault("create", fault, 10*time.Second)
			snap := s.publish(exitUnknown)
			if snap.State != publication.StateUnknown || !snap.Parked || snap.Attempts[0].Evidence == nil || snap.Attempts[0].Evidence.Summary == "" {
				t.Fatalf("got %+v", snap)
			}
			if strings.Contains(strings.ToLower(snap.Known+snap.NextAction), "failed") {
				t.Errorf("unknown is worded as a failure: %q, %q", snap.Known, snap.NextAction)
			}
			candidates := snap.Attempts[0].Candidates
			if len(candidates) == 0 || candidates[0].Reference != snap.Reference || !candidates[0].Equal {
				t.Errorf("the content is not shown as candidate: %+v", candidates)
			}
			s.want(1, 1)
			if again := s.publish(exitUnknown); again.State != publication.StateUnknown {
				t.Errorf("publishing again: %+v", again)
			}
			code, snap := s.starter("resolve", s.operation(), "--adopt", snap.Reference, "--attempt", "1", "--by", "ana", "--reason", "seen on the site")
			if code != exitAccepted {
				t.Fatalf("adopt: exit %d, %+v", code, snap)
			}
			s.wantAccepted(snap)
			s.want(1, 1)
		})
	}
}

func TestNotCreatedOpensExactlyOneAttempt(t *testing.T) {
	s := newStory(t, shared, "nao-criado")
	s.fault("create", "drop_before_store", 0)
	s.publish(exitUnknown)
	s.want(1, 0)
	code, snap := s.starter("resolve", s.operation(), "--not-created", "--attempt", "1", "--by", "ana", "--reason", "not on the site", "--wait")
	if code != exitAccepted {
		t.Fatalf("exit %d, %+v", code, snap)
	}
	s.wantAccepted(snap)
	if len(snap.Attempts) != 2 || snap.Attempts[0].Outcome != publication.OutcomeNotCreated {
		t.Errorf("attempts %+v", snap.Attempts)
	}
	s.want(2, 1)
}

func TestNotCreatedIsRefusedWhileTheContentCanBeRead(t *testing.T) {
	s := newStory(t, shared, "foi-criado")
	s.fault("create", "drop_after_store", 0)
	s.publish(exitUnknown)
	code, _, talk := s.command("starter", "resolve", s.operation(), "--not-created", "--attempt", "1", "--by", "ana", "--reason", "I did not look")
	if code != exitUnknown || !strings.Contains(talk, "can be read") {
		t.Errorf("exit %d: %s", code, talk)
	}
	s.want(1, 1)
}

func TestAbandonedSendsNothingMore(t *testing.T) {
	s := newStory(t, shared, "abandonado")
	s.fault("create", "drop_before_store", 0)
	s.publish(exitUnknown)
	if code, snap := s.starter("resolve", s.operation(), "--abandon", "--attempt", "1", "--by", "ana", "--reason", "no longer wanted"); code != exitAbandoned {
		t.Fatalf("exit %d, %+v", code, snap)
	}
	s.publish(exitAbandoned)
	s.want(1, 0)
}

// T15: a transport error parks too, and says what is proven.
func TestARefusedConnectionSaysThatNothingWasWritten(t *testing.T) {
	s := newStory(t, shared, "sem-conexao")
	s.fault("create", "refuse", 0)
	snap := s.publish(exitUnknown)
	if e := snap.Attempts[0].Evidence; len(s.posts()) == 0 && (e == nil || e.HTTPStatus != 0) {
		t.Errorf("evidence %+v", e)
	}
	s.want(0, 0)
	code, snap := s.starter("resolve", s.operation(), "--not-created", "--attempt", "1", "--by", "ana", "--reason", "nothing left", "--wait")
	if code != exitAccepted {
		t.Fatalf("exit %d, %+v", code, snap)
	}
	s.want(1, 1)
}

// T28, with the official binary.
func TestSignalsOfTheOfficialBinary(t *testing.T) {
	s := newStory(t, shared, "sinais")
	s.fault("create", "drop_after_store", 0)
	s.publish(exitUnknown)
	signal := func(input string) {
		t.Helper()
		if code, out, talk := s.command("temporal", "workflow", "signal", "--workflow-id", s.operation(), "--name", "resolve", "--input", input); code != 0 {
			t.Fatalf("signal %s: %s%s", input, out, talk)
		}
	}
	for i, input := range []string{`"adopt"`, `{"by":"ana","attempt":"one"}`, `{"by":"ana","attempt":1,"decision":"send again","reason":"x"}`, `{"by":"ana","attempt":7,"decision":"abandon","reason":"x"}`} {
		signal(input)
		snap := s.until("the refusal", func(s publication.Snapshot) bool { return len(s.Decisions) == i+2 })
		if last := snap.Decisions[i+1]; last.Taken || last.Refusal == "" || snap.State != publication.StateUnknown || !snap.Parked {
			t.Errorf("%s: %+v", input, snap)
		}
	}
	signal(fmt.Sprintf(`{"by":"ana","attempt":1,"decision":"adopt","reference":"autora/%s","reason":"seen"}`, s.slug))
	s.wantAccepted(s.until("the adoption", inState(publication.StateAccepted)))
	s.want(1, 1)
}
