package activities

import (
	"context"
	"fmt"

	"postonce/publication"
)

// supersededDraft says why the draft that a change starts from is no longer what stands under its reference, by the
// ledger's record: no route shows drafts, and TabNews' PATCH names an address, not an id. Without this, an approval of an
// old draft would publish a newer one that nobody approved. Nil: nothing is known against it.
func (a *Activities) supersededDraft(ctx context.Context, base *publication.Base) (*publication.Candidate, error) {
	if base == nil || base.Readable() {
		return nil, nil
	}
	ref := publication.Reference{Owner: a.Account, Slug: base.Payload.Slug}
	records, err := a.Ledger.Find(ctx, ref.Owner, ref.Slug)
	if err != nil {
		return nil, err
	}
	for _, r := range records { // the newest first
		if r.State != publication.StateAccepted || r.Identity == nil {
			continue
		}
		switch same := r.Identity.ID == base.ID; {
		case r.Operation.Kind() == publication.KindRemove && same:
			return ledgerFound(ref, base.ID, fmt.Sprintf("the draft %s (id %s) was removed", ref, base.ID)), nil
		case r.Operation.Kind() == publication.KindPublish && same && r.RemoteStatus == publication.StatusDeleted:
			return ledgerFound(ref, base.ID, fmt.Sprintf("the draft %s (id %s) was deleted elsewhere", ref, base.ID)), nil
		case r.Operation.Kind() == publication.KindPublish && !same:
			return ledgerFound(ref, r.Identity.ID, fmt.Sprintf("the draft %s (id %s) is no longer there: %s created another one (id %s)", ref, base.ID, r.Operation, r.Identity.ID)), nil
		case r.Operation.Kind() == publication.KindPublish:
			return nil, nil
		}
	}
	return nil, nil
}

func ledgerFound(ref publication.Reference, id, words string) *publication.Candidate {
	return &publication.Candidate{Reference: ref.String(), ID: id, FoundBy: publication.FoundByLedger, Diff: words, SeenAt: wallClock().UTC()}
}
