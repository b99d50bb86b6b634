package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/publication"
	"postonce/tabnews"
)

// Prepare checks what can be checked without risk: the session is the account's, and the pinned reference is free. A
// reference that is taken stops the operation before anything is sent.
func (a *Activities) Prepare(ctx context.Context, in api.PrepareInput) (api.Prepared, error) {
	if _, err := a.TabNews.CheckSession(ctx); err != nil {
		return api.Prepared{}, sessionError(err)
	}
	seen, err := a.readOver(ctx, in.Operation.Reference(), in.Payload, in.Base)
	if err != nil {
		return api.Prepared{}, err
	}
	superseded, err := a.supersededDraft(ctx, in.Base)
	if err != nil {
		return api.Prepared{}, err
	}
	if superseded == nil && mayGoOn(seen, in.Base) {
		return api.Prepared{At: seen.At}, nil
	}
	found := candidate(seen, in.Operation.Reference().String(), "reference")
	if superseded != nil {
		found = *superseded
	}
	if err := a.remembers(ctx, in.Memory); err != nil {
		return api.Prepared{}, final(err) // an attempt of ours that the ledger lacks may have put it there
	}
	record, err := a.Ledger.RefuseBeforeSend(ctx, in.Operation, in.RunID, found, refusalNote(in))
	if err != nil {
		return api.Prepared{}, final(err)
	}
	return api.Prepared{At: seen.At, Found: &found, State: record.State}, nil
}

// refusalNote says in the ledger what stood in the way of a change; a publication's has the ledger's own words.
func refusalNote(in api.PrepareInput) string {
	if in.Base == nil {
		return ""
	}
	return "the content is not the version that the change starts from; nothing was sent"
}

// mayGoOn reports whether what was read is what the operation starts from: nothing for a publication and for a change
// of a draft, which the public cannot read, and exactly its base for any other change.
func mayGoOn(seen api.Read, base *publication.Base) bool {
	if base == nil || !base.Readable() {
		return seen.Reading == publication.ReadingAbsent
	}
	return seen.AsBase
}

// sessionError keeps a lost session apart: nothing is wrong with the publication, a person logs in and it goes on.
func sessionError(err error) error {
	var session *tabnews.SessionError
	if errors.As(err, &session) {
		return temporal.NewNonRetryableApplicationError(session.Error(), api.ErrorSession, nil)
	}
	return err
}

// candidate is content that was read, as evidence.
func candidate(seen api.Read, reference, foundBy string) publication.Candidate {
	c := publication.Candidate{Reference: reference, FoundBy: foundBy, Equal: seen.Equal, Diff: seen.Diff, SeenAt: seen.At, ChangedBy: seen.ChangedBy}
	if seen.Identity != nil {
		c.ID, c.Reference = seen.Identity.ID, seen.Identity.Reference().String()
	}
	return c
}

// read reads a reference fresh and compares it. Only TabNews' own 404 says absent; any other failure is an error.
func (a *Activities) read(ctx context.Context, ref publication.Reference, payload publication.Payload) (api.Read, error) {
	return a.readOver(ctx, ref, payload, nil)
}

// readOver also compares with the base of a change. Its diff is then three-way: what others changed, and what we would.
func (a *Activities) readOver(ctx context.Context, ref publication.Reference, payload publication.Payload, base *publication.Base) (api.Read, error) {
	content, err := a.TabNews.Content(ctx, ref)
	seen := api.Read{At: time.Now().UTC()}
	var missing *tabnews.NotFoundError
	if errors.As(err, &missing) {
		seen.Reading = publication.ReadingAbsent
		return seen, nil
	}
	if err != nil {
		return seen, err
	}
	identity := content.Identity()
	seen.Reading, seen.Identity = publication.ReadingFound, &identity
	seen.Equal, seen.Diff = compare(payload, a.Account, content)
	if base != nil {
		same, theirs := compare(base.Payload, a.Account, content)
		seen.AsBase = same && content.UpdatedAt.Equal(base.UpdatedAt) && (base.ID == "" || base.ID == content.ID)
		if !seen.Equal {
			seen.Diff = threeWay(theirs, diffOf(base.Payload, payload))
		}
		if !seen.AsBase {
			seen.ChangedBy = a.ourEdit(ctx, ref, content)
		}
	}
	return seen, nil
}
