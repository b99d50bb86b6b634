package activities

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
)

// OpenOperation records the intention in the ledger, or takes up what it knows already.
func (a *Activities) OpenOperation(ctx context.Context, in api.OpenInput) (api.Opened, error) {
	if err := a.checkIntention(ctx, in); err != nil {
		return api.Opened{}, err
	}
	record, err := a.Ledger.OpenOperation(ctx, ledger.OpenRequest{
		Operation: in.Operation, Account: a.Account, Lane: a.Lane, Payload: in.Payload, Base: in.Base, Digest: in.Digest,
		ProposedBy: in.ProposedBy, Approval: in.Approval, RunID: in.RunID, QuietTime: a.Pace.QuietTime, Schedule: in.Schedule,
	})
	if err != nil {
		return api.Opened{}, notOpened(err)
	}
	return api.Opened{Snapshot: recent(record.Snapshot()), Payload: record.Payload, Base: record.Base, Memory: record.Memory}, nil
}

// notOpened keeps apart what a person has to change, what only takes time, and a ledger that is away.
func notOpened(err error) error {
	var generation *ledger.GenerationError
	var try *ledger.TryError
	switch {
	case errors.As(err, &generation):
		return invalid("%v", err)
	case errors.As(err, &try) && try.InFlight > 0:
		return temporal.NewNonRetryableApplicationError(try.Error(), api.ErrorInFlight, nil, try.InFlight)
	case errors.As(err, &try):
		return invalid("%v", err)
	}
	return err
}

// MarkMissed notes that an operation's time passed without a send.
func (a *Activities) MarkMissed(ctx context.Context, in api.MarkMissedInput) (api.Missed, error) {
	record, err := a.Ledger.MarkMissed(ctx, in.Operation, in.Schedule)
	return api.Missed{Schedule: record.Schedule}, final(err)
}

// recent keeps the newest decisions, and older ones that had an effect: the ledger's journal has all of them, and an
// activity's result must stay small.
func recent(s publication.Snapshot) publication.Snapshot {
	const most = 50
	var kept []publication.Decision
	for i, d := range s.Decisions {
		if i >= len(s.Decisions)-most || d.Taken && d.Kind != publication.DecisionRecheck {
			kept = append(kept, d)
		}
	}
	s.Decisions = kept
	return s
}

// checkIntention refuses a start that contradicts itself, whoever made it: the operation's ID is derived from the
// account and the slug, the digest from the payload, and the payload is one that TabNews takes as it stands.
func (a *Activities) checkIntention(ctx context.Context, in api.OpenInput) error {
	want, err := a.intended(in)
	if err != nil {
		return invalid("%v", err)
	}
	switch digest := publication.DigestOf(in.Payload, in.Base); {
	case publication.CheckSchedule(in.Operation, in.Schedule) != nil:
		return invalid("%v", publication.CheckSchedule(in.Operation, in.Schedule))
	case in.Operation != want:
		return invalid("operation: %q is not %q, which account, slug and base make; this worker serves %s", in.Operation, want, a.Account)
	case in.Digest != digest:
		return invalid("digest: %s is not that of the payload and its base, %s; start again", in.Digest, digest)
	}
	// What the ledger knows already was checked when it was new: a rule that became stricter since must not turn an
	// unknown into a failure.
	if _, err := a.Ledger.Load(ctx, in.Operation); !errors.Is(err, ledger.ErrNotFound) {
		return err
	}
	if err := valid(in); err != nil {
		return invalid("payload: %v", err)
	}
	return nil
}

// intended is the operation ID that the input's own content makes.
func (a *Activities) intended(in api.OpenInput) (publication.OperationID, error) {
	kind := in.Operation.Kind()
	if (in.Base == nil) != (kind == publication.KindPublish) {
		return "", fmt.Errorf("base: a publication has none, a change needs one")
	}
	switch kind {
	case publication.KindPublish:
		return publication.PublishAgainID(a.Account, in.Payload.Slug, in.Operation.Generation()), nil
	case publication.KindRevise:
		return publication.ReviseID(a.Account, in.Base.Payload.Slug, in.Base.Version()).WithTry(in.Operation.Try()), nil
	case publication.KindRemove:
		return publication.RemoveID(a.Account, in.Base.Payload.Slug, in.Operation.Generation()).WithTry(in.Operation.Try()), nil
	}
	return "", fmt.Errorf("operation: %q cannot be opened", in.Operation)
}

// valid reports whether TabNews would take the content, or the change.
func valid(in api.OpenInput) error {
	if in.Base == nil {
		return in.Payload.Validate()
	}
	patch := in.Base.PatchTo(in.Payload)
	if patch.IsEmpty() {
		return fmt.Errorf("it is the same as the base: there is nothing to change")
	}
	if (in.Operation.Kind() == publication.KindRemove) != (in.Payload.Status == publication.StatusDeleted) {
		return fmt.Errorf("status: a removal, and nothing else, makes it deleted")
	}
	return patch.Validate()
}

// invalid is an input that no repetition can make right.
func invalid(format string, args ...any) error {
	return temporal.NewNonRetryableApplicationError(fmt.Sprintf(format, args...), api.ErrorInvalid, nil)
}

// Settle asks the ledger what became of an attempt whose activity did not say.
func (a *Activities) Settle(ctx context.Context, in api.SettleInput) (api.Settled, error) {
	result, err := a.Ledger.Settle(ctx, ledger.SettleRequest{
		Operation: in.Operation, Attempt: in.Attempt, Digest: in.Digest, RunID: in.RunID, Memory: in.Memory, Known: in.Known,
		Identity: in.Identity, NotSentToken: in.NotSentToken, Evidence: in.Evidence,
	})
	if err != nil {
		return api.Settled{}, final(err)
	}
	record, err := a.Ledger.Load(ctx, in.Operation)
	return api.Settled{Attempt: result.Attempt, State: record.State, InFlight: result.InFlight}, final(err)
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
func (a *Activities) Decide(ctx context.Context, in api.DecideInput) (api.Decided, error) {
	if err := a.knowsAttempt(ctx, in); err != nil {
		return api.Decided{}, err
	}
	stored, err := a.Ledger.Decide(ctx, in.Operation, in.Decision, in.Identity, in.Verification)
	if err != nil {
		return api.Decided{}, final(err)
	}
	record, err := a.Ledger.Load(ctx, in.Operation)
	return api.Decided{Decision: stored, State: record.State}, final(err)
}

// knowsAttempt refuses a decision on an attempt that the ledger lacks: people decide on what was sent, so the ledger forgot
// it, and the run tells it first. The memory's name is not asked: a copy of a disk has the same.
func (a *Activities) knowsAttempt(ctx context.Context, in api.DecideInput) error {
	if in.Decision.Attempt == 0 || !in.Decision.Taken {
		return nil
	}
	record, err := a.Ledger.Load(ctx, in.Operation)
	known := slices.ContainsFunc(record.Attempts, func(at publication.Attempt) bool { return at.Number == in.Decision.Attempt })
	if err == nil && !known {
		err = fmt.Errorf("attempt %d of %s: %w", in.Decision.Attempt, in.Operation, errRestored)
	}
	return final(err)
}

// errRestored says that the ledger may have forgotten what the run knows.
var errRestored = fmt.Errorf("the ledger was restored or rebuilt since the run opened the operation: %w", ledger.ErrNotFound)

// remembers gives errRestored when the ledger's memory is not the one that the run knows.
func (a *Activities) remembers(ctx context.Context, since string) error {
	if since == "" {
		return nil
	}
	memory, err := a.Ledger.Memory(ctx)
	if err == nil && memory != since {
		return errRestored
	}
	return err
}

// Record writes all that is known of an operation; replaying it changes nothing.
func (a *Activities) Record(ctx context.Context, in api.RecordInput) error {
	return final(a.Ledger.Record(ctx, ledger.RecordRequest{Account: a.Account, Lane: a.Lane, Payload: in.Payload, Base: in.Base,
		Snapshot: in.Snapshot, Repair: in.Repair, Reach: a.Reach, Pause: a.Pause}))
}
