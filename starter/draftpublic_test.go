package main

import (
	"testing"

	"postonce/publication"
)

// changed is the change that publishes the draft of draftWorld, in a state.
func changed(state publication.State) publication.Snapshot {
	s := publication.Snapshot{Operation: opDraft(), State: state, Reference: "ana/ola"}
	if state != publication.StateProposed && state != publication.StatePlanned && state != publication.StateRejected {
		s.Attempts = []publication.Attempt{{Number: 1, Outcome: publication.OutcomeUnknown}}
	}
	return s
}

// What was made public is no draft any more, also where it cannot be read: its removal would cost something.
func TestRemoveOfADraftThatWasMadePublicStartsNothing(t *testing.T) {
	for _, state := range []publication.State{publication.StateAccepted, publication.StateSending, publication.StateUnknown, publication.StateAbandoned, publication.StateRejected} {
		for _, source := range []string{"ledger", "Temporal"} {
			t.Run(string(state)+" in the "+source, func(t *testing.T) {
				e := draftWorld()
				b := newBench(t, e)
				b.withPages()
				if source == "ledger" {
					b.withLedger(changed(state))
				} else {
					e.closed[opDraft()] = changed(state)
				}
				b.mustRun(t, 2, "remove", "ana/ola", "--confirm", "ola")
				b.saysOnStderr(t, string(opDraft())+" is "+string(state), "nothing was started", "on TabNews, logged in")
				if state == publication.StateAccepted {
					b.saysOnStderr(t, "hidden or deleted", "starter recheck publish/ana/ola")
				}
				if len(e.started) != 0 {
					t.Errorf("started %+v", e.started)
				}
			})
		}
	}
}

// An abandoned removal of it does not make it a draft again either.
func TestAnAbandonedRemovalOfWhatWasADraftIsNotTriedAgain(t *testing.T) {
	const first = publication.OperationID("remove/ana/ola")
	e := draftWorld()
	e.closed[first] = abandoned(first)
	b := newBench(t, e)
	b.withPages()
	b.withRecords(&fakeRecords{tries: tries{first: publication.StateAbandoned}, snapshots: []publication.Snapshot{changed(publication.StateAccepted)}})
	b.mustRun(t, 7, "remove", "ana/ola", "--confirm", "ola")
	b.saysOnStderr(t, "was abandoned, and ana/ola cannot be read now")
	if len(e.started) != 0 {
		t.Errorf("started %+v", e.started)
	}
}

// A draft whose publication waits, or was refused by TabNews, is one still.
func TestRemoveOfADraftThatWasNotMadePublic(t *testing.T) {
	refused := changed(publication.StateRejected)
	refused.Attempts = []publication.Attempt{{Number: 1, Outcome: publication.OutcomeRejected}}
	for _, s := range []publication.Snapshot{changed(publication.StatePlanned), refused} {
		e := draftWorld()
		b := newBench(t, e)
		b.withPages()
		b.withLedger(s)
		b.mustRun(t, 6, "remove", "ana/ola", "--confirm", "ola", "--no-wait")
		if len(e.started) != 1 {
			t.Errorf("%s: started %+v", s.State, e.started)
		}
	}
}

// The change that made a draft public is shown again; another one beside it is not started.
func TestPublishDraftOfWhatIsPublic(t *testing.T) {
	e := draftWorld()
	e.closed[opDraft()] = changed(publication.StateAbandoned)
	earlier := changed(publication.StateAccepted)
	b := newBench(t, e)
	b.withRecords(&fakeRecords{tries: tries{opDraft(): publication.StateAbandoned}, snapshots: []publication.Snapshot{earlier}})
	b.mustRun(t, 2, "publish-draft", "ana/ola", "--yes")
	b.saysOnStderr(t, "was made public")
	if len(e.started) != 0 {
		t.Errorf("started %+v", e.started)
	}
}
