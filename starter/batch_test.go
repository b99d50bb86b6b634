package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
	"postonce/workflows"
)

func rejectedOla() publication.Snapshot { return ola(publication.StateRejected) }

func divergedOla() publication.Snapshot {
	s := acceptedOla()
	s.Verification, s.Parked = publication.VerificationDiverged, true
	return s
}

func proposedOla() publication.Snapshot {
	s := ola(publication.StateProposed)
	s.Parked = true
	return s
}

func TestAFolderIsPublishedInTheOrderOfItsNames(t *testing.T) {
	f := newFleet()
	b := newBench(t, f)
	dir := articles(t, "c", "a", "b")
	for name, text := range map[string]string{"notas.txt": "no article", ".rascunho.md": "hidden", "mais/d.md": "deeper"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.mustRun(t, 0, "publish", "--yes", "--json", dir)
	if diff := cmp.Diff([]string{"a", "b", "c"}, f.slugs()); diff != "" {
		t.Error(diff)
	}
	d := b.batch(t)
	if diff := cmp.Diff([]string{"accepted", "accepted", "accepted"}, d.states()); diff != "" {
		t.Error(diff)
	}
	if d.Summary.Started != 3 || d.Summary.States[publication.StateAccepted] != 3 || d.Summary.ExitCode != 0 {
		t.Errorf("summary %+v", d.Summary)
	}
	if item := d.Items[0]; item.Publication == nil || item.Publication.Identity == nil || item.Digest != payloadOf("a").Digest() || !item.Started {
		t.Errorf("item %+v", item)
	}
}

func TestFilesArePublishedInTheOrderInWhichTheyAreNamed(t *testing.T) {
	f := newFleet()
	dir := articles(t, "a", "b")
	newBench(t, f).mustRun(t, 0, "publish", "--yes", filepath.Join(dir, "b.md"), filepath.Join(dir, "a.md"))
	if diff := cmp.Diff([]string{"b", "a"}, f.slugs()); diff != "" {
		t.Error(diff)
	}
}

func TestEveryProblemOfEveryFileIsToldAndNothingStarts(t *testing.T) {
	f := newFleet()
	b := newBench(t, f)
	dir := articles(t, "a", "b")
	for name, text := range map[string]string{"c.md": "---\ntitle: C\nslug: A b\n---\nTexto.\n", "d.md": "---\ntitle: D\n---\n", "e.md": "---\ntitle: E\nslug: a\n---\nOutro texto.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.mustRun(t, 2, "publish", "--yes", "--json", dir, "missing.md", filepath.Join(dir, "b.md"))
	b.saysOnStderr(t, "c.md:3: slug: must be", "d.md", "body: is required", `e.md: slug: "a" is that of`, "missing.md: there is no such file", "b.md: is named twice",
		"5 problems, so nothing was started")
	if d := b.failure(t); len(f.order) != 0 || len(d.Problems) != 5 || d.ExitCode != 2 {
		t.Errorf("started %s, printed %+v", f.order, d)
	}
}

// One that somebody has to look at holds the rest, and --continue goes on past it. The exit code is the worst.
func TestOneThatNeedsAPersonHoldsTheRest(t *testing.T) {
	for name, c := range map[string]struct {
		end   publication.Snapshot
		state string
		code  int
	}{
		"unknown":   {unknownOla(), "unknown", 3},
		"rejected":  {rejectedOla(), "rejected", 4},
		"diverged":  {divergedOla(), "accepted", 5},
		"abandoned": {ola(publication.StateAbandoned), "abandoned", 7},
		"proposed":  {proposedOla(), "proposed", 6},
	} {
		t.Run(name, func(t *testing.T) {
			dir := articles(t, "a", "b", "c", "d")
			for _, goOn := range []bool{false, true} {
				f := newFleet()
				f.ends["b"] = c.end
				b := newBench(t, f)
				args, starts, want := []string{"publish", "--yes", "--json", dir}, []string{"a", "b"}, []string{"accepted", c.state, "held", "held"}
				if goOn {
					args, starts, want = append(args, "--continue"), []string{"a", "b", "c", "d"}, []string{"accepted", c.state, "accepted", "accepted"}
				}
				b.mustRun(t, c.code, args...)
				d := b.batch(t)
				if diff := cmp.Diff(starts, f.slugs()); diff != "" {
					t.Errorf("--continue %v: %s", goOn, diff)
				}
				if diff := cmp.Diff(want, d.states()); diff != "" {
					t.Errorf("--continue %v: %s", goOn, diff)
				}
				if held := d.Summary.HeldBy == "publish/ana/b"; held == goOn || d.Items[1].WayOut == "" || d.Summary.ExitCode != c.code {
					t.Errorf("--continue %v: %+v, way out %q", goOn, d.Summary, d.Items[1].WayOut)
				}
			}
		})
	}
}

// The same command again: what was attempted is never sent again, whatever became of it.
func TestARepeatedBatchStartsOnlyWhatWasNeverAttempted(t *testing.T) {
	dir := articles(t, "a", "b", "c", "d")
	for state, s := range map[string]publication.Snapshot{"unknown": unknownOla(), "rejected": rejectedOla(), "abandoned": ola(publication.StateAbandoned), "accepted": divergedOla()} {
		for _, goOn := range []bool{false, true} {
			f := newFleet()
			f.was("a", acceptedOla())
			f.was("b", s)
			f.was("c", acceptedOla())
			b := newBench(t, f)
			args, starts, last := []string{"publish", "--yes", "--json", dir}, []string{}, "held"
			if goOn {
				args, starts, last = append(args, "--continue"), []string{"d"}, "accepted"
			}
			b.mustRun(t, exitCode(s), args...)
			if diff := cmp.Diff(starts, f.slugs()); diff != "" {
				t.Errorf("%s, --continue %v: %s", state, goOn, diff)
			}
			if diff := cmp.Diff([]string{"accepted", state, "accepted", last}, b.batch(t).states()); diff != "" {
				t.Errorf("%s, --continue %v: %s", state, goOn, diff)
			}
		}
	}
}

func TestWhatIsUnderWayIsFollowedBeforeTheRest(t *testing.T) {
	f := newFleet()
	f.was("a", ola(publication.StateSending))
	looks := 0
	f.atLook = func(op publication.OperationID) {
		if looks++; op == "publish/ana/a" && looks == 4 {
			f.comesTo("a", acceptedOla())
		}
	}
	f.atStart = func(op publication.OperationID) {
		if f.runs["publish/ana/a"].snapshot.State != publication.StateAccepted {
			t.Errorf("%s was started while the one before it is sending", op)
		}
	}
	b := newBench(t, f)
	b.mustRun(t, 0, "publish", "--yes", "--json", articles(t, "a", "b"))
	if d := b.batch(t); d.Items[0].Started || !d.Items[1].Started {
		t.Errorf("%+v", d)
	}
	b.saysOnStderr(t, "[1/2] ", "a.md: sending")
}

// A workflow that was cancelled before the first attempt left nothing: it is taken up. After one, a person decides.
func TestACancelledOneIsTakenUpOnlyIfItWasNeverAttempted(t *testing.T) {
	for name, c := range map[string]struct {
		attempts []publication.Attempt
		starts   []string
		code     int
	}{
		"never attempted": {nil, []string{"a", "b"}, 0},
		"proven unsent":   {[]publication.Attempt{{Number: 1, Outcome: publication.OutcomeNotSent}}, []string{"a", "b"}, 0},
		"attempted":       {[]publication.Attempt{{Number: 1, Outcome: publication.OutcomeNotCreated}}, []string{}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			s := of("a", ola(publication.StatePlanned))
			s.Attempts = c.attempts
			f := newFleet()
			run := runOf(s)
			run.closed, run.failed = true, true
			f.runs[s.Operation] = run
			b := newBench(t, f)
			b.withLedger(s)
			b.mustRun(t, c.code, "publish", "--yes", "--json", articles(t, "a", "b"))
			if diff := cmp.Diff(c.starts, f.slugs()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The ledger alone remembers what Temporal forgot, the refused too.
func TestABatchAsksTheLedgerForWhatTemporalForgot(t *testing.T) {
	f := newFleet()
	b := newBench(t, f)
	b.withLedger(of("a", acceptedOla()), of("b", rejectedOla()))
	b.mustRun(t, 4, "publish", "--yes", "--continue", "--json", articles(t, "a", "b", "c"))
	if diff := cmp.Diff([]string{"c"}, f.slugs()); diff != "" {
		t.Error(diff)
	}
}

// One that was refused while the ones before it were awaited, by another caller's doing, is not sent again.
func TestABatchLooksOnceMoreBeforeEachStart(t *testing.T) {
	f := newFleet()
	f.atStart = func(op publication.OperationID) {
		if op == "publish/ana/a" {
			f.was("b", rejectedOla())
		}
	}
	b := newBench(t, f)
	b.mustRun(t, 4, "publish", "--yes", "--json", articles(t, "a", "b", "c"))
	if diff := cmp.Diff([]string{"a"}, f.slugs()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"accepted", "rejected", "held"}, b.batch(t).states()); diff != "" {
		t.Error(diff)
	}
}

// Another caller published another text under the slug meanwhile: that is no success of this one.
func TestASlugThatIsTakenMeanwhileHoldsTheRest(t *testing.T) {
	f := newFleet()
	f.atStart = func(op publication.OperationID) {
		if op == "publish/ana/a" {
			other := of("b", acceptedOla())
			other.Digest = "sha256:other"
			f.runs[other.Operation] = runOf(other)
		}
	}
	b := newBench(t, f)
	b.mustRun(t, 1, "publish", "--yes", "--json", articles(t, "a", "b", "c"))
	if diff := cmp.Diff([]string{"accepted", "accepted", "held"}, b.batch(t).states()); diff != "" {
		t.Error(diff)
	}
	b.saysOnStderr(t, "with another payload")
}

func TestAnotherTextUnderAPublishedSlugIsRefusedBeforeAnythingStarts(t *testing.T) {
	f := newFleet()
	f.was("b", acceptedOla())
	run := f.runs["publish/ana/b"]
	run.snapshot.Digest = "sha256:other"
	f.runs["publish/ana/b"] = run
	b := newBench(t, f)
	b.mustRun(t, 2, "publish", "--yes", "--continue", articles(t, "a", "b"))
	b.saysOnStderr(t, "b.md: publish/ana/b was started with another payload, sha256:other, and is accepted; leave the file out")
	if len(f.order) != 0 {
		t.Errorf("started %s", f.order)
	}
}

func TestOneApprovalListsEveryDigest(t *testing.T) {
	for _, yes := range []bool{true, false} {
		f := newFleet()
		f.was("a", acceptedOla())
		b := newBench(t, f)
		person := &fakePerson{yes: yes}
		b.prompt = person
		code, starts := 0, 2
		if !yes {
			code, starts = 1, 0
		}
		b.mustRun(t, code, "publish", articles(t, "a", "b", "c"))
		if len(person.asked) != 1 || len(f.order) != starts {
			t.Fatalf("asked %q, started %s", person.asked, f.order)
		}
		for _, slug := range []string{"b", "c"} {
			if !strings.Contains(person.details[0], string(payloadOf(slug).Digest())) {
				t.Errorf("the question lacks the digest of %s: %q", slug, person.details)
			}
		}
		if strings.Contains(person.details[0], string(payloadOf("a").Digest())) {
			t.Errorf("the question names what is not sent: %q", person.details)
		}
		b.saysOnStderr(t, "SO FAR", string(payloadOf("a").Digest()), "skip")
	}
}

func TestABatchThatHasNothingToSendAsksNobody(t *testing.T) {
	f := newFleet()
	f.was("a", unknownOla())
	b := newBench(t, f)
	person := &fakePerson{yes: true}
	b.prompt = person
	b.mustRun(t, 3, "publish", articles(t, "a", "b"))
	if len(person.asked) != 0 || len(f.order) != 0 {
		t.Errorf("asked %q, started %s", person.asked, f.order)
	}
	b.saysOnStderr(t, "holds the rest", "1 not started, for publish/ana/a holds the rest", "--continue")
	if !strings.Contains(b.out.String(), "starter resolve publish/ana/a --attempt 1 --adopt ana/ola") {
		t.Errorf("standard output lacks the way out:\n%s", &b.out)
	}
}

// What needs a person holds nothing where nothing is left to start.
func TestABatchThatIsThroughIsHeldByNothing(t *testing.T) {
	f := newFleet()
	f.was("a", unknownOla())
	f.was("b", acceptedOla())
	b := newBench(t, f)
	b.mustRun(t, 3, "publish", "--yes", "--json", articles(t, "a", "b"))
	if d := b.batch(t); d.Summary.HeldBy != "" || d.Summary.NotStarted != 0 || d.Items[0].WayOut == "" {
		t.Errorf("got %+v", d.Summary)
	}
	b.saysOnStderr(t, "left as it is")
}

func TestABatchIsProposedAsAWhole(t *testing.T) {
	for _, flags := range [][]string{{"--propose"}, {"--propose", "--no-wait"}} {
		f := newFleet()
		f.ends["a"], f.ends["b"] = proposedOla(), proposedOla()
		b := newBench(t, f)
		b.mustRun(t, 6, append([]string{"publish", "--json", articles(t, "a", "b")}, flags...)...)
		if len(f.started) != 2 || f.started[0].ApprovedBy != "" {
			t.Errorf("%q: started %+v", flags, f.started)
		}
		if diff := cmp.Diff([]string{"proposed", "proposed"}, b.batch(t).states()); diff != "" {
			t.Errorf("%q: %s", flags, diff)
		}
	}
}

func TestABatchOfDrafts(t *testing.T) {
	f := newFleet()
	newBench(t, f).mustRun(t, 0, "publish", "--yes", "--draft", "--by", "rui", articles(t, "a", "b"))
	for _, in := range f.started {
		if in.Payload.Status != publication.StatusDraft || in.ApprovedBy != "rui" {
			t.Errorf("started with %+v", in)
		}
	}
}

func TestWhatHasNoMeaningForABatchIsRefused(t *testing.T) {
	for _, flags := range [][]string{{"--again"}, {"--no-wait"}, {"--propose"}, {"--at", "2099-12-24T09:00Z"}, {"--tz", "UTC"}, {"--late", "1h"}} {
		f := newFleet()
		b := newBench(t, f)
		b.mustRun(t, 2, append([]string{"publish", "--yes", articles(t, "a", "b")}, flags...)...)
		b.saysOnStderr(t, flags[0])
		if len(f.order) != 0 {
			t.Errorf("%q: started %s", flags, f.order)
		}
	}
}

func TestContinueHasNoEffectOnOneFile(t *testing.T) {
	b := newBench(t, &fakeEngine{result: &ending{snapshot: acceptedOla()}})
	b.mustRun(t, 0, "publish", "--yes", "--continue", olaFile(t))
	b.saysOnStderr(t, "--continue has no effect")
}

func TestADryRunOfABatchShowsEveryRequestAndSpeaksToNobody(t *testing.T) {
	b := newBench(t, nil)
	b.dial = func(context.Context) (engine, error) { return nil, errors.New("Temporal was asked") }
	dir := articles(t, "a", "b")
	b.mustRun(t, 0, "publish", "--dry-run", dir)
	for _, slug := range []string{"a", "b"} {
		if !strings.Contains(b.out.String(), string(payloadOf(slug).CanonicalJSON())) {
			t.Errorf("the request of %s is not shown:\n%s", slug, &b.out)
		}
	}
}

// Ctrl-C ends the waiting: what is under way goes on, what is not started is left, and all are told.
func TestCtrlCLeavesABatchWhereItIs(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	f := newFleet()
	f.ends["b"] = ola(publication.StateSending)
	f.atLook = func(op publication.OperationID) {
		if op == "publish/ana/b" {
			interrupt()
		}
	}
	b := newBench(t, f)
	if code := b.run(ctx, []string{"publish", "--yes", "--json", articles(t, "a", "b", "c")}); code != 6 {
		t.Errorf("exit code %d, want 6", code)
	}
	if diff := cmp.Diff([]string{"accepted", "sending", "held"}, b.batch(t).states()); diff != "" {
		t.Error(diff)
	}
	b.saysOnStderr(t, "publish/ana/b goes on by itself", "starter status publish/ana/b", "the same command takes up what is under way")
}

func TestAStartThatIsNotConfirmedHoldsTheRest(t *testing.T) {
	f := newFleet()
	b := newBench(t, f)
	b.dial = func(context.Context) (engine, error) { return deaf{f}, nil }
	b.mustRun(t, 1, "publish", "--yes", "--json", articles(t, "a", "b"))
	d := b.batch(t)
	if !strings.Contains(d.Items[0].Error, "may be under way") || !d.Items[1].Held {
		t.Errorf("%+v", d.Items)
	}
}

// deaf is a Temporal that confirms no start.
type deaf struct{ *fleet }

func (deaf) Start(context.Context, workflows.PublishInput) error {
	return errors.New("Temporal: deadline exceeded")
}

func TestTheExitCodeOfABatchIsTheWorst(t *testing.T) {
	all := []int{exitAccepted, exitOther, exitUsage, exitUnknown, exitRejected, exitUnproven, exitWaiting, exitAbandoned}
	worstFirst := []int{exitUnknown, exitRejected, exitUnproven, exitOther, exitUsage, exitAbandoned, exitWaiting, exitAccepted}
	for len(all) > 0 {
		if got := worst(all); got != worstFirst[0] {
			t.Fatalf("the worst of %v is %d, want %d", all, got, worstFirst[0])
		}
		all = slices.DeleteFunc(all, func(code int) bool { return code == worstFirst[0] })
		worstFirst = worstFirst[1:]
	}
}
