package main

import (
	"strings"
	"testing"

	"postonce/publication"
	"postonce/workflows"
)

func unknownDraft() publication.Snapshot {
	s := unknownOla()
	s.Draft, s.Attempts[0].Candidates = true, nil
	return s
}

func TestAProbeIsToldBeforeAndShowsWhatItFound(t *testing.T) {
	after := unknownDraft()
	after.Attempts[0].Candidates = []publication.Candidate{{Reference: "ana/ola", ID: "id-1", FoundBy: "probe"}}
	for _, args := range [][]string{{"--probe"}, {"--probe", "--yes"}} {
		e := deciding(unknownDraft(), after, "")
		b := newBench(t, e)
		person := &fakePerson{yes: true, line: "x"}
		if args[len(args)-1] == "--yes" {
			b.prompt = person
		}
		played, before := e.onSignal, ""
		e.onSignal = func(name string, input any) []step { before = b.err.String(); return played(name, input) }
		b.mustRun(t, 3, append([]string{"resolve", "ana/ola"}, args...)...)
		if !strings.Contains(before, `PATCH {"status":"draft"}`) || !strings.Contains(before, "updated_at") {
			t.Errorf("told before: %s", before)
		}
		in := e.signals[0].(workflows.ResolveInput)
		if in.Decision != publication.DecisionProbe || in.Attempt != 1 || in.Reason == "" || len(person.asked) != 0 {
			t.Errorf("sent %+v, asked %q", in, person.asked)
		}
		for _, word := range []string{"found by probe", "--adopt ana/ola"} {
			if !strings.Contains(b.out.String(), word) {
				t.Errorf("standard output lacks %q:\n%s", word, &b.out)
			}
		}
	}
}

func TestAProbeIsAskedForAtATerminal(t *testing.T) {
	e := deciding(unknownDraft(), unknownDraft(), "")
	b := newBench(t, e)
	person := &fakePerson{}
	b.prompt = person
	b.mustRun(t, 1, "resolve", "ana/ola", "--probe")
	if len(e.signals) != 0 || len(person.asked) != 1 || !strings.Contains(person.asked[0], "updated_at") {
		t.Errorf("sent %d, asked %q", len(e.signals), person.asked)
	}
}

// Content elsewhere that reads alike says nothing of the draft: what could is named first.
func TestAnUnknownDraftBesideSimilarContentOffersTheProbeFirst(t *testing.T) {
	s := unknownDraft()
	s.Attempts[0].Candidates = []publication.Candidate{{Reference: "ana/outra", ID: "id-2", FoundBy: "listing"}}
	commands := ownCommands(s)
	if commands[0] != "starter resolve publish/ana/ola --probe" || !strings.Contains(commands[1], "--adopt ana/outra") {
		t.Errorf("got %q", commands)
	}
	s.Attempts[0].Candidates = append(s.Attempts[0].Candidates, publication.Candidate{Reference: "ana/ola", ID: "id-1", FoundBy: publication.FoundByProbe})
	for _, command := range ownCommands(s) {
		if strings.Contains(command, "--probe") {
			t.Errorf("it was probed already: %q", command)
		}
	}
}

func TestAnUnknownDraftOffersTheProbe(t *testing.T) {
	b := newBench(t, &fakeEngine{run: openRun(), steps: []step{{snapshot: unknownDraft()}}})
	b.mustRun(t, 3, "status", "ana/ola")
	if !strings.Contains(b.out.String(), "starter resolve publish/ana/ola --probe") {
		t.Errorf("got %s", &b.out)
	}
}
