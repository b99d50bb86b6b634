package ledger

import (
	"testing"
	"time"

	"postonce/publication"
)

const probeWindow = 5 * time.Second

func slotRequest() ProbeSlotRequest {
	return ProbeSlotRequest{Lane: "home", Content: identity.ID, Timeout: time.Second,
		Pace: Pace{Interval: 20 * time.Millisecond, Window: probeWindow, QuietTime: 20 * time.Second}}
}

func (f fixture) takeProbeSlot() ProbeSlot {
	f.t.Helper()
	slot, err := f.TakeProbeSlot(f.t.Context(), slotRequest())
	f.must(err)
	return slot
}

func TestTheLaneWaitsWhileAProbeMayBeOnItsWay(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	f.onlyDue()
	slot := f.takeProbeSlot()
	if !slot.Taken {
		t.Fatalf("got %+v", slot)
	}
	other := request("publish/autora/outro", payload("texto"), "run-2", "ana")
	f.open(other)
	claim := claimRequest(1)
	claim.Operation, claim.Interval, claim.QuietTime = other.Operation, time.Millisecond, slotRequest().QuietTime
	if got, err := f.Claim(t.Context(), claim); err != nil || got.Claimed || got.NotBefore < 20*time.Second {
		t.Errorf("beside a probe: %+v, %v", got, err)
	}
	f.must(f.GiveProbeSlotBack(t.Context(), slot))
	if got, err := f.Claim(t.Context(), claim); err != nil || !got.Claimed {
		t.Errorf("after it: %+v, %v", got, err)
	}
}

func TestAProbeKeepsItsDistanceFromComments(t *testing.T) {
	for outcome, want := range map[publication.Outcome]time.Duration{
		publication.OutcomeAccepted: probeWindow,
		publication.OutcomeRejected: slotRequest().Interval,                        // nothing was created
		publication.OutcomeUnknown:  30*time.Second + 20*time.Second + probeWindow, // it may still begin
		publication.OutcomeSending:  30*time.Second + 20*time.Second + probeWindow,
	} {
		f := newFixture(t)
		comment := request("publish/autora/resposta", payload("resposta"), "run-2", "ana")
		comment.Payload.ParentID = "7b4b3c1e-8d0f-4d52-9a0e-5f3f6d7c8b9a"
		comment.Digest = comment.Payload.Digest()
		comment.Approval.Digest = comment.Digest
		f.open(comment)
		claim := f.claimOf(comment.Operation, 1)
		claim.Lane, claim.Pace = "home", Pace{QuietTime: 20 * time.Second}
		if got, err := f.Claim(t.Context(), claim); err != nil || !got.Claimed {
			t.Fatalf("%+v, %v", got, err)
		}
		if outcome != publication.OutcomeSending {
			f.end(comment.Operation, 1, outcome)
		}
		if slot := f.takeProbeSlot(); slot.Taken || slot.Wait > want || slot.Wait < want-4*time.Second {
			t.Errorf("%s: %+v, want a wait of %s", outcome, slot, want)
		}
	}
}

func TestADisappearanceIsProbedOnce(t *testing.T) {
	f := newFixture(t)
	f.published(publication.VerificationMatched)
	w := f.onlyDue()
	probe := func() ProbeSlot {
		t.Helper()
		slot := f.takeProbeSlot()
		if slot.Taken {
			f.must(f.GiveProbeSlotBack(t.Context(), slot))
		}
		return slot
	}
	again := func() ProbeSlot {
		for {
			if slot := probe(); slot.Wait == 0 {
				return slot
			}
		}
	}
	if slot := probe(); !slot.Taken {
		t.Fatalf("got %+v", slot)
	}
	if slot := again(); slot.Taken || !slot.Asked {
		t.Errorf("a second time: %+v", slot)
	}
	f.sight(w, publication.SeenHidden, "")
	f.sight(f.makeDue(), publication.SeenUnchanged, "")
	if slot := again(); !slot.Taken {
		t.Errorf("after it was back: %+v", slot)
	}
}
