package main

import (
	"strings"
	"testing"

	"postonce/publication"
	"postonce/workflows"
)

func abandoned(op publication.OperationID) publication.Snapshot {
	return publication.Snapshot{Operation: op, State: publication.StateAbandoned, Reference: op.Reference().String()}
}

// An abandoned change is made again as another try, which the person is told.
func TestAnAbandonedChangeIsAnotherTry(t *testing.T) {
	draft := opDraft()
	for name, c := range map[string]struct {
		args  []string
		first publication.OperationID
	}{
		"edit":          {[]string{"edit", "ana/ola", writeFile(t, "Outro."), "--yes", "--no-wait"}, opEdit},
		"restore":       {[]string{"restore", "revise/ana/ola/20200101T000000-000Z", "--yes", "--no-wait"}, opEdit},
		"publish-draft": {[]string{"publish-draft", "publish/ana/ola", "--yes", "--no-wait"}, draft},
		"remove":        {[]string{"remove", "ana/ola", "--confirm", "ola", "--no-wait"}, "remove/Ana/ola"},
	} {
		t.Run(name, func(t *testing.T) {
			e := draftWorld()
			e.closed[c.first] = abandoned(c.first)
			e.closed[c.first.WithTry(2)] = abandoned(c.first.WithTry(2))
			kept, _ := versionOf(olaPage())
			kept.Payload.Body = "Um texto antigo."
			const old = publication.OperationID("revise/ana/ola/20200101T000000-000Z")
			e.closed[old] = publication.Snapshot{Operation: old, State: publication.StateAccepted, Digest: publication.DigestOf(kept.Payload, &kept)}
			e.inputs[old] = changeOf(old, kept, kept.Payload, "eva")
			b := newBench(t, e)
			b.withPages(olaPage())
			b.withRecords(&fakeRecords{tries: tries{c.first: publication.StateAbandoned, c.first.WithTry(2): publication.StateAbandoned}})
			b.mustRun(t, 6, c.args...)
			if len(e.started) != 1 || e.started[0].Operation != c.first.WithTry(3) {
				t.Errorf("started %+v", e.started)
			}
			b.saysOnStderr(t, string(c.first.WithTry(2))+" was abandoned", "another try")
		})
	}
}

// opDraft is the operation that publishes the draft of draftWorld.
func opDraft() publication.OperationID {
	return publication.ReviseID("ana", "ola", publication.Base{ID: "id-1"}.Version())
}

// Without a ledger nobody can tell the next try: the abandoned one is shown, and nothing is started.
func TestWithoutALedgerAnAbandonedChangeIsShown(t *testing.T) {
	e := &fakeEngine{closed: map[publication.OperationID]publication.Snapshot{opEdit: abandoned(opEdit)}}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.mustRun(t, 7, "edit", "ana/ola", writeFile(t, "Outro."), "--yes")
	if len(e.started) != 0 || !strings.Contains(b.out.String(), "starter edit ana/ola FILE") && !strings.Contains(b.out.String(), "starter edit Ana/ola FILE") {
		t.Errorf("started %+v\n%s", e.started, &b.out)
	}
}

func TestAnAbandonedRemovalOfWhatCannotBeReadIsNotTriedAgain(t *testing.T) {
	const first = publication.OperationID("remove/ana/ola")
	e := &fakeEngine{closed: map[publication.OperationID]publication.Snapshot{first: abandoned(first), opOla: acceptedOla()}}
	b := newBench(t, e)
	b.withPages()
	b.withRecords(&fakeRecords{tries: tries{first: publication.StateAbandoned}})
	b.mustRun(t, 7, "remove", "ana/ola", "--confirm", "ola")
	b.saysOnStderr(t, "was abandoned, and ana/ola cannot be read now", "removed, or hidden", "nothing was started", "starter publish --again")
	if len(e.started) != 0 {
		t.Errorf("started %+v", e.started)
	}
}

// A second try that was refused says nothing of what the first one did.
func TestARefusedTryDoesNotHideTheAbandonedOne(t *testing.T) {
	const first = publication.OperationID("remove/ana/ola")
	refused := abandoned(first.WithTry(2))
	refused.State = publication.StateRejected
	e := &fakeEngine{closed: map[publication.OperationID]publication.Snapshot{first: abandoned(first), first.WithTry(2): refused, opOla: acceptedOla()}}
	b := newBench(t, e)
	b.withPages()
	b.withRecords(&fakeRecords{tries: tries{first: publication.StateAbandoned, first.WithTry(2): publication.StateRejected}})
	b.mustRun(t, 7, "remove", "ana/ola", "--confirm", "ola")
	b.saysOnStderr(t, string(first)+" was abandoned, and ana/ola cannot be read now")
}

// No route shows a draft: that it cannot be read says nothing against another try.
func TestAnAbandonedRemovalOfADraftIsTriedAgain(t *testing.T) {
	const first = publication.OperationID("remove/ana/ola")
	e := draftWorld()
	e.closed[first] = abandoned(first)
	b := newBench(t, e)
	b.withPages()
	b.withRecords(&fakeRecords{tries: tries{first: publication.StateAbandoned}})
	b.mustRun(t, 6, "remove", "ana/ola", "--confirm", "ola", "--no-wait")
	if len(e.started) != 1 || e.started[0].Operation != first.WithTry(2) {
		t.Errorf("started %+v", e.started)
	}
}

func TestRemoveOfWhatWasDeletedElsewhere(t *testing.T) {
	b := newBench(t, &fakeEngine{})
	b.withPages()
	b.withRecords(&fakeRecords{generation: 1, removed: true, gone: opOla, snapshots: []publication.Snapshot{acceptedOla()}})
	b.mustRun(t, 0, "remove", "ana/ola", "--confirm", "ola", "--json")
	b.saysOnStderr(t, "is gone already: it was deleted elsewhere")
	if got := b.document(t); got.RemoteStatus != publication.StatusDeleted || got.Operation != opOla {
		t.Errorf("got %+v", got)
	}
}

func TestRemoveOfWhatStandsWhereSomethingWasDeleted(t *testing.T) {
	ours := acceptedOla()
	same := ours
	same.Identity = &publication.Identity{ID: olaPage().ID, OwnerUsername: "Ana", Slug: "ola", Status: publication.StatusPublished}
	gone := removed("remove/Ana/ola")
	gone.Identity = same.Identity
	for name, c := range map[string]struct {
		records *fakeRecords
		code    int
		started publication.OperationID
		words   string
	}{
		"another content":                {&fakeRecords{removed: true, gone: opOla, snapshots: []publication.Snapshot{ours}}, 2, "", "starter track"},
		"the same, restored":             {&fakeRecords{removed: true, gone: opOla, snapshots: []publication.Snapshot{same}}, 6, "remove/Ana/ola", "started"},
		"the same, in spite of removing": {&fakeRecords{removed: true, snapshots: []publication.Snapshot{gone}}, 6, "remove/Ana/ola@2", "is there again"},
	} {
		t.Run(name, func(t *testing.T) {
			e := &fakeEngine{}
			b := newBench(t, e)
			b.withPages(olaPage())
			b.withRecords(c.records)
			b.mustRun(t, c.code, "remove", "ana/ola", "--confirm", "ola", "--no-wait")
			b.saysOnStderr(t, c.words)
			if len(e.started) > 1 || len(e.started) == 0 && c.started != "" || len(e.started) == 1 && e.started[0].Operation != c.started {
				t.Errorf("started %+v, want %q", e.started, c.started)
			}
		})
	}
}

// What was taken up once is taken up again as it is now: nothing is sent, so nothing can happen twice.
func TestTrackingAnewStartsAgain(t *testing.T) {
	const op = publication.OperationID("track/Ana/ola")
	first := publication.Snapshot{Operation: op, State: publication.StateAccepted, Verification: publication.VerificationMatched, Digest: "sha256:other"}
	e := &fakeEngine{closed: map[publication.OperationID]publication.Snapshot{op: first}}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.withLedger(first)
	b.mustRun(t, 6, "track", "ana/ola", "--no-wait")
	if len(e.started) != 1 || e.started[0].Payload.Body != olaPage().Body {
		t.Errorf("started %+v", e.started)
	}
}

// A wait that only another decision ends is no wait for a command line.
func TestAChangeBehindAnUnknownOneEndsTheWait(t *testing.T) {
	const other = publication.OperationID("remove/Ana/ola")
	waiting := publication.Snapshot{Operation: opEdit, State: publication.StatePlanned, Reference: "Ana/ola", BlockedBy: other,
		WaitingFor: "the ledger refused the claim: remove/Ana/ola is unknown"}
	e := &fakeEngine{steps: []step{{snapshot: publication.Snapshot{Operation: opEdit, State: publication.StateSending}}, {snapshot: waiting}}}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.mustRun(t, 6, "edit", "ana/ola", writeFile(t, "Outro."), "--yes")
	b.saysOnStderr(t, "remove/Ana/ola is unknown")
	if !strings.Contains(b.out.String(), "starter status remove/Ana/ola") {
		t.Errorf("the way out is not named in\n%s", &b.out)
	}
}

// That our text can be read is not yet the success of the edit that sent it.
func TestEditOfWhatIsUnderWayFollowsThat(t *testing.T) {
	page := olaPage()
	base, _ := versionOf(page)
	earlier := base
	earlier.Payload.Body = "Antes."
	sending := publication.Snapshot{Operation: opEdit, State: publication.StateSending, Reference: "Ana/ola"}
	e := &fakeEngine{run: &execution{Operation: opEdit, Open: true}, steps: []step{{snapshot: sending}, {snapshot: parkedEdit()}}}
	b := newBench(t, e)
	b.withPages(page)
	b.withRecords(&fakeRecords{underWay: []workflows.PublishInput{changeOf(opEdit, earlier, base.Payload, "eva")}})
	b.mustRun(t, 3, "edit", "ana/ola", writeFile(t, "Um texto."), "--yes")
	b.saysOnStderr(t, "made this change, and is not settled yet", "nothing was started or sent now")
	if len(e.started) != 0 {
		t.Errorf("started %+v", e.started)
	}
}

func TestAReferenceAloneIsTheNewestPublication(t *testing.T) {
	second := acceptedOla()
	second.Operation = publication.PublishAgainID("ana", "ola", 2)
	for name, c := range map[string]struct {
		records *fakeRecords
		arg     string
		want    publication.OperationID
	}{
		"the second":               {&fakeRecords{generation: 2, snapshots: []publication.Snapshot{acceptedOla(), second}}, "ana/ola", second.Operation},
		"the first, named":         {&fakeRecords{generation: 2, snapshots: []publication.Snapshot{acceptedOla(), second}}, "publish/ana/ola", opOla},
		"what follows was tracked": {&fakeRecords{generation: 2, snapshots: []publication.Snapshot{acceptedOla()}}, "ana/ola", opOla},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, &fakeEngine{})
			b.withRecords(c.records)
			b.mustRun(t, 0, "status", c.arg, "--json")
			if got := b.document(t); got.Operation != c.want {
				t.Errorf("got %s, want %s", got.Operation, c.want)
			}
		})
	}
}

// A decision is about the publication that is there now, however it is named.
func TestADecisionByReferenceMeansTheNewestPublication(t *testing.T) {
	second := scheduledOla(t)
	second.Operation = publication.PublishAgainID("ana", "ola", 2)
	for _, args := range [][]string{{"cancel"}, {"reschedule", "--now"}} {
		e := deciding(second, second, "")
		e.run.Operation = second.Operation
		b := newBench(t, e)
		b.withRecords(&fakeRecords{generation: 2, snapshots: []publication.Snapshot{acceptedOla(), second}})
		b.mustRun(t, 6, append(args, "ana/ola")...)
		if len(e.signalled) != 1 || e.signalled[0] != second.Operation {
			t.Errorf("%q went to %q", args, e.signalled)
		}
	}
}

// Waiting for the approval of another text is no success of this one.
func TestAnotherProposalIsNotTakenForTheFirst(t *testing.T) {
	first := ola(publication.StateProposed)
	first.Parked, first.Digest = true, "sha256:other"
	e := &fakeEngine{run: openRun(), steps: []step{{snapshot: first}}}
	b := newBench(t, e)
	b.mustRun(t, 2, "publish", "--propose", olaFile(t))
	b.saysOnStderr(t, "another payload: sha256:other", "`starter cancel publish/ana/ola`")
	if len(e.started) != 0 {
		t.Error("it was started")
	}
}
