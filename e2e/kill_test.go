package e2e

import (
	"context"
	"syscall"
	"testing"
	"time"

	"postonce/internal/devstack"
	"postonce/publication"
)

// own starts a stack of the story's own, without workers, for stories that break parts that others need. Such stories
// disturb nobody, and wait more than they work: they run beside each other, after those that share a stack.
func own(t *testing.T, env ...string) *devstack.Stack {
	t.Helper()
	t.Parallel()
	return alone(t, env...)
}

// alone is own for a story that a busy machine would disturb: it runs beside no other.
func alone(t *testing.T, env ...string) *devstack.Stack {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	stack, err := start(ctx, 0, env...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := stack.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return stack
}

func (s *story) worker(env ...string) *devstack.Process {
	s.t.Helper()
	w, err := s.stack.StartWorker(s.context(), env...)
	if err != nil {
		s.t.Fatal(err)
	}
	return w
}

// launch starts the publication and does not wait for it.
func (s *story) launch() {
	s.t.Helper()
	if code, snap := s.starter("publish", "--yes", "--by", "ana", "--no-wait", s.file); code != exitWaiting {
		s.t.Fatalf("publish --no-wait: exit %d, %+v", code, snap)
	}
}

// A worker dies after TabNews stored the content and before the answer is processed; another takes over.
func TestKilledWorkerNeverSendsTwice(t *testing.T) {
	s := newStory(t, own(t), "morto-depois")
	first := s.worker()
	s.fault("create", "stall_after_store", time.Minute)
	s.launch()
	s.untilPosts(1)
	if err := first.Kill(); err != nil {
		t.Fatal(err)
	}
	s.worker()
	snap := s.until("the end of doubt", func(s publication.Snapshot) bool {
		return s.State == publication.StateAccepted || s.State == publication.StateUnknown && s.Parked
	})
	s.want(1, 1)
	if snap.State == publication.StateUnknown {
		code, adopted := s.starter("resolve", s.operation(), "--adopt", snap.Reference, "--attempt", "1", "--by", "ana", "--reason", "seen")
		if code != exitAccepted {
			t.Fatalf("exit %d", code)
		}
		snap = adopted
	}
	s.wantAccepted(snap)
	s.want(1, 1)
}

// A worker dies before it claimed anything: the publication goes on by itself.
func TestKilledBeforeTheClaimGoesOnByItself(t *testing.T) {
	s := newStory(t, own(t), "morto-antes")
	first := s.worker()
	s.fault("read", "stall_after_store", time.Minute) // it hangs in the check before the send
	s.launch()
	s.until("the workflow's start", func(s publication.Snapshot) bool { return s.State == publication.StatePlanned })
	if err := first.Kill(); err != nil {
		t.Fatal(err)
	}
	s.worker()
	s.wantAccepted(s.until("the acceptance", matched))
	s.want(1, 1)
}

// T05: the server answers late, and the worker is asked to stop meanwhile.
func TestStoppingWorkerFinishesItsSend(t *testing.T) {
	s := newStory(t, own(t), "parado")
	w := s.worker("POSTONCE_SEND_TIMEOUT=20s")
	s.fault("create", "stall_after_store", 3*time.Second)
	s.launch()
	s.untilPosts(1)
	if err := w.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(s.context()); err != nil {
		t.Errorf("the worker ended with %v:\n%s", err, w.Log())
	}
	s.worker()
	s.wantAccepted(s.until("the acceptance", matched))
	s.want(1, 1)
}

// A reset makes Temporal run the whole workflow again; the ledger knows better.
func TestResetAfterAcceptanceSendsNothing(t *testing.T) {
	s := newStory(t, shared, "de-novo")
	before := s.publish(exitAccepted)
	if code, out, talk := s.command("temporal", "workflow", "reset", "--workflow-id", s.operation(), "--type", "FirstWorkflowTask", "--reason", "an operator's button"); code != 0 {
		t.Fatalf("reset: %s%s", out, talk)
	}
	after := s.until("the second run's end", matched)
	s.wantAccepted(after)
	if *after.Identity != *before.Identity || len(after.Attempts) != 1 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	s.want(1, 1)
}

// T29: parked, then everything is restarted, then decided.
func TestAParkedPublicationSurvivesRestarts(t *testing.T) {
	s := newStory(t, own(t), "estacionado")
	first := s.worker()
	s.fault("create", "drop_after_store", 0)
	s.publish(exitUnknown)
	if err := first.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := s.stack.StopTemporal(s.context()); err != nil {
		t.Fatal(err)
	}
	if err := s.stack.Postgres().Restart(s.context()); err != nil {
		t.Fatal(err)
	}
	if err := s.stack.StartTemporal(s.context()); err != nil {
		t.Fatal(err)
	}
	s.worker()
	snap := s.until("the park", parked)
	code, snap := s.starter("resolve", s.operation(), "--adopt", snap.Reference, "--attempt", "1", "--by", "ana", "--reason", "seen")
	if code != exitAccepted {
		t.Fatalf("exit %d, %+v", code, snap)
	}
	s.wantAccepted(snap)
	s.want(1, 1)
}

// The same for a change: a worker dies after TabNews stored it, and another settles it by reading.
func TestKilledWorkerNeverChangesTwice(t *testing.T) {
	s := newStory(t, own(t), "morto-na-mudanca")
	first := s.worker()
	s.wantAccepted(s.publish(exitAccepted))
	s.write("Um título novo")
	s.fault("update", "stall_after_store", time.Minute)
	_, snap := s.starter("edit", "autora/"+s.slug, s.file, "--yes", "--by", "ana", "--no-wait")
	s.untilPatches(1)
	if err := first.Kill(); err != nil {
		t.Fatal(err)
	}
	s.worker()
	s.untilOf(snap.Operation, "the acceptance", matched)
	if n := len(s.patches()); n != 1 {
		t.Errorf("%d changes arrived", n)
	}
}
