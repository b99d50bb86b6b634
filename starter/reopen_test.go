package main

import (
	"testing"

	"postonce/publication"
	"postonce/workflows"
)

// A person who cancelled the workflow, or Temporal that forgot it, must not make the doubt undecidable.
func TestAClosedUnknownOneIsTakenUpToBeDecided(t *testing.T) {
	in := inputOf(olaPayload(), "ana", "eva")
	in.ApprovedBy = "eva"
	cancelled := closedRun()
	cancelled.Failed, cancelled.Status = true, "canceled"
	for name, run := range map[string]*execution{"cancelled": cancelled, "forgotten": nil} {
		t.Run(name, func(t *testing.T) {
			abandoned := unknownOla()
			abandoned.State, abandoned.Parked = publication.StateAbandoned, false
			e := deciding(unknownOla(), abandoned, "")
			e.run = run
			b := newBench(t, e)
			b.withRecords(&fakeRecords{snapshots: []publication.Snapshot{unknownOla()}, inputs: map[publication.OperationID]workflows.PublishInput{opOla: in}})
			b.mustRun(t, 7, "resolve", "ana/ola", "--attempt", "1", "--abandon", "--reason", "r")
			if len(e.started) != 1 || e.started[0].ApprovedBy != "" || e.started[0].Digest != in.Digest {
				t.Errorf("started %+v", e.started)
			}
			if len(e.signals) != 1 {
				t.Errorf("sent %+v", e.signals)
			}
			b.saysOnStderr(t, "taken up again where it stands")
		})
	}
}

// A new run of what was approved and never sent would send it: only the command that shows it may start it again.
func TestAClosedPlannedOneIsNotTakenUpByADecision(t *testing.T) {
	run := closedRun()
	run.Failed, run.State = true, publication.StateUnknown // Temporal lags behind
	e := &fakeEngine{run: run}
	b := newBench(t, e)
	b.withLedger(ola(publication.StatePlanned))
	b.mustRun(t, 6, "recheck", "ana/ola")
	b.saysOnStderr(t, "refused", "`starter publish FILE --propose` takes it up again")
	if len(e.started) != 0 {
		t.Errorf("started %+v", e.started)
	}
}

func TestWithoutALedgerNothingIsTakenUp(t *testing.T) {
	run := closedRun()
	run.Failed, run.State = true, publication.StateUnknown
	e := &fakeEngine{run: run}
	b := newBench(t, e)
	b.mustRun(t, 3, "recheck", "ana/ola")
	b.saysOnStderr(t, "refused", "DATABASE_URL")
	if len(e.started) != 0 {
		t.Errorf("started %+v", e.started)
	}
}
