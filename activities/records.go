package activities

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
)

// OpenOperation records the intention in the ledger, or takes up what it knows already.
func (a *Activities) OpenOperation(ctx context.Context, in api.OpenInput) (api.Opened, error) {
	if err := a.checkIntention(in); err != nil {
		return api.Opened{}, err
	}
	record, err := a.Ledger.OpenOperation(ctx, ledger.OpenRequest{
		Operation: in.Operation, Account: a.Account, Lane: a.Lane, Payload: in.Payload, Digest: in.Digest,
		ProposedBy: in.ProposedBy, Approval: in.Approval, RunID: in.RunID,
	})
	if err != nil {
		return api.Opened{}, err
	}
	return api.Opened{Snapshot: record.Snapshot(), Payload: record.Payload}, nil
}

// checkIntention refuses a start that contradicts itself, whoever made it: the operation's ID is derived from the
// account and the slug, the digest from the payload, and the payload is one that TabNews takes as it stands.
func (a *Activities) checkIntention(in api.OpenInput) error {
	want := publication.PublishID(a.Account, in.Payload.Slug)
	switch {
	case in.Operation != want:
		return invalid("operation: %q is not %q, which account and slug make; this worker serves %s", in.Operation, want, a.Account)
	case in.Digest != in.Payload.Digest():
		return invalid("digest: %s is not the payload's, %s; start again with `starter publish`", in.Digest, in.Payload.Digest())
	}
	if err := in.Payload.Validate(); err != nil {
		return invalid("payload: %v", err)
	}
	return nil
}

// invalid is an input that no repetition can make right.
func invalid(format string, args ...any) error {
	return temporal.NewNonRetryableApplicationError(fmt.Sprintf(format, args...), api.ErrorInvalid, nil)
}

// Settle asks the ledger what became of an attempt whose activity did not say.
func (a *Activities) Settle(ctx context.Context, in api.SettleInput) (api.Settled, error) {
	result, err := a.Ledger.Settle(ctx, ledger.SettleRequest{
		Operation: in.Operation, Attempt: in.Attempt, Digest: in.Digest, RunID: in.RunID,
		Identity: in.Identity, NotSentToken: in.NotSentToken, Evidence: in.Evidence,
	})
	return api.Settled{Attempt: result.Attempt, InFlight: result.InFlight}, final(err)
}

// final keeps apart what the ledger would say again, however often it is asked.
func final(err error) error {
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return temporal.NewNonRetryableApplicationError(err.Error(), api.ErrorForgotten, nil)
	case errors.Is(err, ledger.ErrConflict), errors.Is(err, ledger.ErrToken):
		return temporal.NewNonRetryableApplicationError(err.Error(), api.ErrorConflict, nil)
	}
	return err
}

// Decide stores a person's decision, taken or refused.
func (a *Activities) Decide(ctx context.Context, in api.DecideInput) (publication.Decision, error) {
	stored, err := a.Ledger.Decide(ctx, in.Operation, in.Decision, in.Identity, in.Verification)
	return stored, final(err)
}

// Record writes all that is known of an operation; replaying it changes nothing.
func (a *Activities) Record(ctx context.Context, in api.RecordInput) error {
	return final(a.Ledger.Record(ctx, ledger.RecordRequest{Account: a.Account, Lane: a.Lane, Payload: in.Payload, Snapshot: in.Snapshot}))
}
