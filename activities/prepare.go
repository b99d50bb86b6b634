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
	seen, err := a.read(ctx, in.Operation.Reference(), in.Payload)
	if err != nil {
		return api.Prepared{}, err
	}
	if seen.Reading == publication.ReadingAbsent {
		return api.Prepared{At: seen.At}, nil
	}
	found := candidate(seen, in.Operation.Reference().String(), "reference")
	record, err := a.Ledger.RefuseBeforeSend(ctx, in.Operation, in.RunID, found)
	if err != nil {
		return api.Prepared{}, err
	}
	return api.Prepared{At: seen.At, Found: &found, State: record.State}, nil
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
	c := publication.Candidate{Reference: reference, FoundBy: foundBy, Equal: seen.Equal, Diff: seen.Diff, SeenAt: seen.At}
	if seen.Identity != nil {
		c.ID, c.Reference = seen.Identity.ID, seen.Identity.Reference().String()
	}
	return c
}

// read reads a reference fresh and compares it. Only TabNews' own 404 says absent; any other failure is an error.
func (a *Activities) read(ctx context.Context, ref publication.Reference, payload publication.Payload) (api.Read, error) {
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
	return seen, nil
}
