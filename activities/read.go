package activities

import (
	"context"
	"fmt"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/publication"
)

// ReadReference reads a reference once, fresh, and compares it with the payload.
func (a *Activities) ReadReference(ctx context.Context, in api.ReadInput) (api.Read, error) {
	ref, err := publication.ParseReference(in.Reference)
	if err != nil {
		return api.Read{}, invalid("reference: %v", err)
	}
	return a.readOver(ctx, ref, in.Payload, in.Base)
}

// divergedReads is how many fresh reads must differ before it is called a divergence: one copy may still be stale.
const divergedReads = 3

// ReadBack reads accepted content until it matches the payload; Temporal repeats it with backoff for the read-back
// window. A 404 in between is not absence: a cache in front may serve an old answer.
func (a *Activities) ReadBack(ctx context.Context, in api.ReadBackInput) (api.ReadBackOutput, error) {
	if in.Payload.Status == publication.StatusDeleted {
		return a.readGone(ctx, in)
	}
	seen, err := a.read(ctx, in.Identity.Reference(), in.Payload)
	if err != nil {
		return api.ReadBackOutput{}, err
	}
	if seen.Reading != publication.ReadingFound {
		return api.ReadBackOutput{}, temporal.NewApplicationError(fmt.Sprintf("%s cannot be read yet: TabNews says 404", in.Identity.Reference()), api.ErrorNotReadable)
	}
	if seen.Equal && seen.Identity.ID == in.Identity.ID {
		return api.ReadBackOutput{Verification: publication.VerificationMatched}, nil
	}
	if seen.Identity.ID != in.Identity.ID {
		seen.Diff = fmt.Sprintf("-id %s\n+id %s\n%s", in.Identity.ID, seen.Identity.ID, seen.Diff)
	}
	if activity.GetInfo(ctx).Attempt < divergedReads {
		return api.ReadBackOutput{}, temporal.NewApplicationError("the content differs from the payload", api.ErrorNotReadable)
	}
	return api.ReadBackOutput{Verification: publication.VerificationDiverged, Diff: seen.Diff}, nil
}

// readGone reads removed content until it is gone.
func (a *Activities) readGone(ctx context.Context, in api.ReadBackInput) (api.ReadBackOutput, error) {
	seen, err := a.read(ctx, in.Identity.Reference(), in.Payload)
	if err != nil {
		return api.ReadBackOutput{}, err
	}
	if seen.Reading == publication.ReadingFound {
		return api.ReadBackOutput{}, temporal.NewApplicationError(fmt.Sprintf("%s can still be read", in.Identity.Reference()), api.ErrorNotReadable)
	}
	return api.ReadBackOutput{Verification: publication.VerificationMatched}, nil
}
