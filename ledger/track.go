package ledger

import (
	"context"

	"postonce/publication"
)

// tracksAnew tells whether the snapshot took up content again that was taken up before and is another one now: nobody
// sent anything, so what was seen last is what counts.
func (m *merge) tracksAnew() bool {
	s := m.req.Snapshot
	if s.Operation.Kind() != publication.KindTrack || m.rec.State != publication.StateAccepted || s.State != publication.StateAccepted {
		return false
	}
	return m.req.misfit() == nil && (s.Digest != m.rec.Digest || *s.Identity != *m.rec.Identity)
}

// trackAnew notes the content as it is now; the journal keeps the one before.
func (m *merge) trackAnew(ctx context.Context) error {
	before := map[string]any{"digest": m.rec.Digest, "identity": m.rec.Identity, "payload": m.rec.Payload}
	m.rec.Payload, m.rec.Digest, m.rec.Identity = m.req.Payload, m.req.Snapshot.Digest, m.req.Snapshot.Identity
	m.rec.RemoteStatus = m.rec.Identity.Status
	return m.journal(ctx, Entry{Event: EventReadBack, By: Worker, Digest: m.rec.Digest,
		Detail: map[string]any{"identity": m.rec.Identity, "replaces": before}})
}
