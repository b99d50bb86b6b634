package ledger

import (
	"context"

	"postonce/publication"
)

// tracksAnew tells whether the snapshot took up content again that was taken up before, and that is another one now or
// was told to have changed elsewhere since: nobody sent anything, so what was seen last is what counts. A repair is late,
// and of the content that was told of it proves nothing.
func (m *merge) tracksAnew(told bool) bool {
	s := m.req.Snapshot
	if s.Operation.Kind() != publication.KindTrack || m.rec.State != publication.StateAccepted || s.State != publication.StateAccepted {
		return false
	}
	another := s.Digest != m.rec.Digest || *s.Identity != *m.rec.Identity
	return m.req.misfit() == nil && (another || told && !m.req.Repair)
}

// trackAnew notes the content as it is now; the journal keeps the one before.
func (m *merge) trackAnew(ctx context.Context) error {
	before := map[string]any{"digest": m.rec.Digest, "identity": m.rec.Identity, "payload": m.rec.Payload}
	m.rec.Payload, m.rec.Digest, m.rec.Identity = m.req.Payload, m.req.Snapshot.Digest, m.req.Snapshot.Identity
	m.rec.RemoteStatus = m.rec.Identity.Status
	return m.journal(ctx, Entry{Event: EventReadBack, By: Worker, Digest: m.rec.Digest,
		Detail: map[string]any{"identity": m.rec.Identity, "replaces": before}})
}
