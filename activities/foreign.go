package activities

import (
	"context"

	"postonce/publication"
	"postonce/tabnews"
)

// tellForeign keeps what somebody else changed between our last reading and a removal, which TabNews' answer shows: no
// reading can show it afterwards. Whatever it finds, the removal was made.
func (s *sending) tellForeign(stored *tabnews.Content) {
	if stored == nil || s.in.Base == nil || s.in.Payload.Status != publication.StatusDeleted {
		return
	}
	asSeen := *stored
	asSeen.Status = s.in.Base.Payload.Status
	if same, theirs := compare(s.in.Base.Payload, s.Account, asSeen); !same {
		s.attempt.Evidence.Foreign = theirs
	}
}

// ourEdit is the newest edit of ours that was accepted with exactly the text that was read: what is there then is
// nobody else's doing. Empty where none is known.
func (a *Activities) ourEdit(ctx context.Context, ref publication.Reference, content tabnews.Content) publication.OperationID {
	records, err := a.Ledger.Find(ctx, a.Account, ref.Slug)
	if err != nil {
		a.Log.WarnContext(ctx, "whether a change is our own could not be asked", "reference", ref.String(), "error", err)
		return ""
	}
	for _, r := range records { // the newest first
		if r.Operation.Kind() != publication.KindRevise || r.State != publication.StateAccepted || r.Identity == nil || r.Identity.ID != content.ID {
			continue
		}
		if same, _ := compare(r.Payload, a.Account, content); same {
			return r.Operation
		}
		return ""
	}
	return ""
}
