package main

import (
	"encoding/json"
	"strings"
	"testing"

	"postonce/publication"
)

// endedRun is a run of opOla that Temporal closed before it settled.
func endedRun() *execution {
	return &execution{Operation: opOla, Failed: true, Status: "terminated", State: publication.StatePlanned}
}

// What was terminated while it waited for its time is not sent: nothing says that it will be, and what is named works.
func TestWhatHasNoWorkflowSaysThatNothingRuns(t *testing.T) {
	for state, known := range map[publication.State]string{publication.StatePlanned: "approved this exact payload", publication.StateProposed: "Nobody approved"} {
		for name, run := range map[string]*execution{"terminated": endedRun(), "forgotten": nil} {
			t.Run(string(state)+" and "+name, func(t *testing.T) {
				s := scheduledOla(t)
				s.State, s.WaitingFor, s.Digest = state, "", olaPayload().Digest()
				b := newBench(t, &fakeEngine{run: run})
				b.withLedger(s)
				b.mustRun(t, 6, "status", "ana/ola")
				for _, word := range []string{known, "nothing runs", "not sent by itself, also not at its time", "starter publish FILE\n", "starter publish FILE --propose"} {
					if !strings.Contains(b.out.String(), word) {
						t.Errorf("standard output lacks %q:\n%s", word, &b.out)
					}
				}
				for _, word := range []string{"starter approve", "starter reschedule", "starter cancel", "wait for its time", "It is to be sent at"} {
					if strings.Contains(b.out.String(), word) {
						t.Errorf("standard output has %q:\n%s", word, &b.out)
					}
				}
				b.out.Reset()
				b.mustRun(t, 6, "status", "ana/ola", "--json")
				if got := b.document(t); !got.Closed || got.State != state {
					t.Errorf("got %+v", got)
				}
			})
		}
	}
}

func TestListTellsWhatHasNoWorkflow(t *testing.T) {
	runs := scheduledOla(t)
	runs.Operation = "publish/ana/outra"
	e := &fakeEngine{run: endedRun(), listed: []execution{*endedRun(), {Operation: runs.Operation, Open: true, State: publication.StatePlanned}}}
	b := newBench(t, e)
	b.withLedger(scheduledOla(t), runs)
	b.mustRun(t, 0, "list", "--json")
	var listed []publication.Snapshot
	if err := json.Unmarshal(b.out.Bytes(), &listed); err != nil || len(listed) != 2 || !listed[0].Closed || listed[1].Closed {
		t.Errorf("%v, got %+v", err, listed)
	}
	b.out.Reset()
	b.mustRun(t, 0, "list")
	if strings.Count(b.out.String(), "nothing runs") != 1 || strings.Count(b.out.String(), bothZones) != 1 {
		t.Errorf("got\n%s", &b.out)
	}
}

// A send that was cut off is taken up without an approval: nothing new is ordered.
func TestACutOffSendIsTakenUpWithoutAnApproval(t *testing.T) {
	b := newBench(t, &fakeEngine{run: endedRun()})
	b.withLedger(ola(publication.StateSending))
	b.mustRun(t, 6, "status", "ana/ola")
	if got := b.out.String(); !strings.Contains(got, "starter publish FILE --propose") || strings.Contains(got, "--watch") {
		t.Errorf("got\n%s", got)
	}
}

func TestTheRefusedCancelOfAClosedOneNamesWhatDoesNotSendIt(t *testing.T) {
	b := newBench(t, &fakeEngine{run: endedRun()})
	b.withLedger(scheduledOla(t))
	b.mustRun(t, 6, "cancel", "ana/ola")
	b.saysOnStderr(t, "refused: its workflow is closed", "`starter publish FILE --propose` takes it up again where it stands, and leaves it to an approval")
}
