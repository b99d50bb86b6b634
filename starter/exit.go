package main

import (
	"slices"

	"postonce/publication"
)

// The exit codes, one for each meaning. Scripts build on them.
const (
	exitAccepted  = 0 // accepted and matched, or a draft
	exitOther     = 1 // anything else: Temporal away, a wrong password
	exitUsage     = 2 // usage or bad input
	exitUnknown   = 3 // the outcome is unknown and waits for a person
	exitRejected  = 4 // TabNews refused before creating anything
	exitUnproven  = 5 // accepted, but it reads differently or could not be read
	exitWaiting   = 6 // proposed, for its time, missed, withdrawn, or in progress
	exitAbandoned = 7 // a person closed it without a new send

	exitDifferences = 9 // the audit found that the ledger, Temporal and TabNews disagree
)

// exitCode tells where an operation stands. Unknown is always exitUnknown, whether a person is awaited or an
// investigation is still under way: it must never pass for progress.
func exitCode(s publication.Snapshot) int {
	switch s.State {
	case publication.StateProposed, publication.StatePlanned, publication.StateSending:
		return exitWaiting
	case publication.StateUnknown:
		return exitUnknown
	case publication.StateRejected:
		return exitRejected
	case publication.StateAbandoned:
		return exitAbandoned
	case publication.StateAccepted:
		if s.RemoteStatus == publication.StatusFirewall {
			return exitUnproven // whatever was read before it was hidden
		}
		return acceptedCode(s.Verification)
	}
	return exitOther
}

func acceptedCode(v publication.Verification) int {
	switch v {
	case publication.VerificationMatched, publication.VerificationNotApplicable:
		return exitAccepted
	case publication.VerificationDiverged, publication.VerificationUnreadable:
		return exitUnproven
	}
	return exitWaiting // it is still being read back
}

// severity orders the exit codes of a batch from the worst. What may have had an effect that nobody knows comes before
// what is known to have failed, and that before what only takes time.
var severity = []int{exitUnknown, exitRejected, exitUnproven, exitOther, exitUsage, exitAbandoned, exitWaiting, exitAccepted}

// worst is the exit code of a batch: the most severe of its items' codes.
func worst(codes []int) int {
	for _, code := range severity {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return exitAccepted
}
