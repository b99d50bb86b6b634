package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"postonce/publication"
)

// SaveInvestigation keeps what reading found after an unknown outcome, and its candidates with the attempt. The same
// finding again changes nothing.
func (l *Ledger) SaveInvestigation(ctx context.Context, op publication.OperationID, attempt int, found publication.Investigation) error {
	err := l.change(ctx, op, func(ctx context.Context, c *change) error {
		a := c.attempt(attempt)
		if a == nil {
			return fmt.Errorf("attempt %d of %s: %w", attempt, op, ErrNotFound)
		}
		if sameJSON(c.rec.Investigation, &found) {
			return errNoChange
		}
		c.rec.Investigation = &found
		if err := c.save(ctx); err != nil {
			return err
		}
		a.Candidates = mergeCandidates(a.Candidates, found.Candidates)
		if err := c.updateAttempt(ctx, a); err != nil {
			return err
		}
		return c.journal(ctx, Entry{Event: EventInvestigated, By: Worker, Attempt: attempt, Digest: a.Digest,
			Detail: map[string]any{"reading": found.Reading, "candidates": references(found.Candidates)}})
	})
	if err != nil {
		return fmt.Errorf("ledger: save investigation: %w", err)
	}
	return nil
}

// mergeCandidates lets a newer sighting of the same content replace the older one, and keeps those that were not seen
// this time: that a page does not show them now proves nothing.
func mergeCandidates(known, found []publication.Candidate) []publication.Candidate {
	merged := append([]publication.Candidate(nil), found...)
	for _, k := range known {
		if !containsCandidate(found, k) {
			merged = append(merged, k)
		}
	}
	return merged
}

func containsCandidate(list []publication.Candidate, c publication.Candidate) bool {
	for _, l := range list {
		if l.Reference == c.Reference && l.FoundBy == c.FoundBy {
			return true
		}
	}
	return false
}

func references(candidates []publication.Candidate) []string {
	list := make([]string, len(candidates))
	for i, c := range candidates {
		list[i] = c.Reference
	}
	return list
}

// sameJSON compares documents as they are stored. Times are equal when they are written equally.
func sameJSON(a, b any) bool {
	left, errLeft := json.Marshal(a)
	right, errRight := json.Marshal(b)
	return errLeft == nil && errRight == nil && bytes.Equal(left, right)
}
