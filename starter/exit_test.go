package main

import (
	"testing"

	"postonce/publication"
)

func TestExitCodes(t *testing.T) {
	const anyVerification = publication.Verification("any")
	table := []struct {
		state        publication.State
		verification publication.Verification
		want         int
	}{
		{publication.StateProposed, anyVerification, 6},
		{publication.StatePlanned, anyVerification, 6},
		{publication.StateSending, anyVerification, 6},
		{publication.StateAccepted, publication.VerificationPending, 6},
		{publication.StateAccepted, publication.VerificationMatched, 0},
		{publication.StateAccepted, publication.VerificationDiverged, 5},
		{publication.StateAccepted, publication.VerificationUnreadable, 5},
		{publication.StateAccepted, publication.VerificationNotApplicable, 0},
		{publication.StateUnknown, anyVerification, 3},
		{publication.StateRejected, anyVerification, 4},
		{publication.StateAbandoned, anyVerification, 7},
		{"", anyVerification, 1},
	}
	covered := map[publication.State]bool{}
	for _, row := range table {
		covered[row.state] = true
		verifications := []publication.Verification{row.verification}
		if row.verification == anyVerification {
			verifications = publication.Verifications()
		}
		for _, v := range verifications {
			for _, isParked := range []bool{false, true} {
				s := publication.Snapshot{State: row.state, Verification: v, Parked: isParked}
				if got := exitCode(s); got != row.want {
					t.Errorf("%s, %s, parked %t: exit code %d, want %d", row.state, v, isParked, got, row.want)
				}
			}
		}
	}
	for _, s := range publication.States() {
		if !covered[s] {
			t.Errorf("no exit code is tested for %s", s)
		}
	}
}
