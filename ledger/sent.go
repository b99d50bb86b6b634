package ledger

import (
	"context"

	"postonce/publication"
)

// mayHaveLeft tells whether an attempt that ended so gave its request to the network, or may have: what is not proven
// unsent counts as sent.
func mayHaveLeft(outcome publication.Outcome, evidence *publication.Evidence) bool {
	switch {
	case outcome == publication.OutcomeNotSent || outcome == publication.OutcomeSending:
		return false
	case outcome == publication.OutcomeUnknown && evidence != nil:
		return evidence.RequestBytes > 0 || !evidence.ProvenUnsent
	}
	return true
}

// noteSent journals, once for each attempt, that its request left or may have left. It is told with the end of the
// attempt, since nothing may stand between a claim and its request; the detail says when the request began.
func (c *change) noteSent(ctx context.Context, a *attemptRow, outcome publication.Outcome, evidence *publication.Evidence) error {
	if !mayHaveLeft(outcome, evidence) {
		return nil
	}
	var noted bool
	err := c.tx.QueryRow(ctx, `select exists (select from journal where operation = $1 and attempt = $2 and event = $3)`,
		c.rec.Operation, a.Number, EventSent).Scan(&noted)
	if err != nil || noted {
		return err
	}
	entry := Entry{Event: EventSent, By: Worker, Attempt: a.Number, Digest: a.Digest}
	if evidence != nil {
		entry.Detail = map[string]any{"request_bytes_written": evidence.RequestBytes}
		if !evidence.StartedAt.IsZero() {
			entry.Detail["started_at"] = evidence.StartedAt
		}
	}
	return c.journal(ctx, entry)
}
