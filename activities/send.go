package activities

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/activity"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
)

// Send makes one attempt: claim, one request, classification, and then nothing but keeping the answer. It returns no
// error: a failure that it can still describe is an output, and one that it cannot (a panic, a kill) is settled by the
// ledger. The order of the steps is the promise; see docs/guarantees.md.
func (a *Activities) Send(ctx context.Context, in api.SendInput) (api.SendOutput, error) {
	s := sending{Activities: a, in: in, token: uuid.NewString()}
	if problem := s.mayStart(ctx); problem != "" {
		return s.notSent(problem), nil
	}
	claimed, sendBy, out := s.claim(ctx)
	if !claimed {
		return out, nil
	}
	// The worker's stop must not cut the request: it ends by its own deadline.
	ctx = context.WithoutCancel(ctx)
	if !wallClock().Before(sendBy) {
		return s.end(ctx, s.unsent("the time to send was over before the request began")), nil
	}
	if problem := s.baseGone(ctx, sendBy); problem != "" {
		return s.end(ctx, s.unsent(problem)), nil
	}
	verdict := s.request(ctx, sendBy)
	s.attempt.Outcome, s.attempt.Identity, s.attempt.Evidence = verdict.Outcome, verdict.Identity, &verdict.Evidence
	s.judge(verdict.Stored)
	beaten := s.beat(ctx)
	out = s.end(ctx, s.attempt)
	select {
	case <-beaten:
	case <-time.After(heartbeatPatience):
	}
	return out, nil
}

// heartbeatPatience is how long Send waits for its heartbeat once the ledger was written.
const heartbeatPatience = time.Second

// beat heartbeats the identity once: the first heartbeat is sent at once and survives this process. It runs beside the
// writing to the ledger, since with Temporal away it blocks for as long as results are offered.
func (s *sending) beat(ctx context.Context) <-chan struct{} {
	done := make(chan struct{})
	identity := s.attempt.Identity
	go func() {
		defer close(done)
		if identity != nil {
			activity.RecordHeartbeat(ctx, *identity)
		}
	}()
	return done
}

// baseGone says why a change may not go on: read once more, just before the PATCH, the content is no longer its base.
// TabNews has no precondition, so this is as close as one can come.
func (s *sending) baseGone(ctx context.Context, sendBy time.Time) string {
	if s.in.Base == nil {
		return ""
	}
	ctx, cancel := context.WithDeadline(ctx, sendBy)
	defer cancel()
	if !s.in.Base.Readable() {
		return s.draftGone(ctx)
	}
	seen, err := s.readOver(ctx, publication.Reference{Owner: s.Account, Slug: s.in.Base.Payload.Slug}, s.in.Payload, s.in.Base)
	switch {
	case err != nil:
		return "the version before the change could not be read again: " + publication.Clip(err.Error(), 300)
	case !seen.AsBase:
		return "the content is no longer the version that the change starts from"
	}
	return ""
}

func (s *sending) draftGone(ctx context.Context) string {
	superseded, err := s.supersededDraft(ctx, s.in.Base)
	switch {
	case err != nil:
		return "the ledger could not be asked about the draft: " + publication.Clip(err.Error(), 300)
	case superseded != nil:
		return superseded.Diff
	}
	return ""
}

// request makes the one request: a POST that creates, or a PATCH of what changes.
func (s *sending) request(ctx context.Context, sendBy time.Time) tabnews.Verdict {
	if s.in.Base == nil {
		return s.TabNews.Create(ctx, s.in.Payload, sendBy)
	}
	return s.TabNews.Update(ctx, tabnews.Update{
		Reference: publication.Reference{Owner: s.Account, Slug: s.in.Base.Payload.Slug},
		ID:        s.in.Base.ID, Patch: s.in.Base.PatchTo(s.in.Payload),
	}, sendBy)
}

// sending is one call of Send.
type sending struct {
	*Activities
	in      api.SendInput
	token   string
	attempt publication.Attempt
}

// wallClock is the time without the monotonic part: a machine that slept must see that the deadline has passed.
func wallClock() time.Time { return time.Now().Round(0) }

// mayStart says why nothing may be sent now, before anything was claimed.
func (s *sending) mayStart(ctx context.Context) string {
	select {
	case <-activity.GetWorkerStopChannel(ctx):
		return "the worker is stopping"
	default:
	}
	if publication.DigestOf(s.in.Payload, s.in.Base) != s.in.Digest {
		return "the payload is not the one that was approved"
	}
	needed := api.LanePatience + api.ClaimTimeout + s.in.SendTimeout + api.FinishTimeout + s.in.Delivery
	if left := time.Until(activity.GetInfo(ctx).Deadline); left < needed {
		return fmt.Sprintf("the activity has %s left, a send and its delivery need %s", left.Round(time.Second), needed)
	}
	return ""
}

// claim takes the attempt's number and its turn in the lane. It waits here for a turn that is near, and gives the slot
// back for one that is far.
func (s *sending) claim(ctx context.Context) (claimed bool, sendBy time.Time, out api.SendOutput) {
	patience := time.Now().Add(api.LanePatience)
	for {
		start, asked := wallClock(), time.Now()
		result, err := s.tryClaim(ctx, time.Until(patience))
		switch {
		case err != nil:
			return false, sendBy, s.notSent("the ledger could not be asked: " + publication.Clip(err.Error(), 300))
		case result.Claimed:
			return true, start.Add(s.in.SendTimeout), out
		case result.Existing != nil:
			return false, sendBy, api.SendOutput{Existing: result.Existing}
		case result.Refusal != "":
			return false, sendBy, api.SendOutput{Refusal: result.Refusal, BlockedBy: result.BlockedBy}
		case asked.Add(result.Turn).After(patience):
			return false, sendBy, api.SendOutput{NotBefore: result.NotBefore, Waiting: result.Waiting.String()}
		}
		if !s.sleep(ctx, time.Until(asked.Add(result.NotBefore-claimAhead))) {
			return false, sendBy, s.notSent("the worker is stopping")
		}
	}
}

// claimAhead is what a claim takes before it looks at the clock, generously: the ledger itself waits for the rest.
const claimAhead = 15 * time.Millisecond

func (s *sending) tryClaim(ctx context.Context, patience time.Duration) (ledger.ClaimResult, error) {
	ctx, cancel := context.WithTimeout(ctx, api.ClaimTimeout)
	defer cancel()
	result, err := s.Ledger.Claim(ctx, ledger.ClaimRequest{
		Operation: s.in.Operation, Attempt: s.in.Attempt, Digest: s.in.Digest, Lane: s.Lane, Token: s.token,
		RunID: s.in.RunID, Memory: s.in.Memory, Pace: s.Pace, SendTimeout: s.in.SendTimeout, Patience: max(patience, 0), Lead: api.LaneLead,
	})
	if err == nil && result.Claimed {
		claimedAt := result.SendBy.Add(-s.in.SendTimeout)
		s.attempt = publication.Attempt{Number: s.in.Attempt, Digest: s.in.Digest, RunID: s.in.RunID, ClaimedAt: &claimedAt, SendBy: &result.SendBy, ApprovedBy: result.ApprovedBy}
	}
	return result, err
}

// sleep waits for the lane, unless the worker stops first.
func (s *sending) sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-activity.GetWorkerStopChannel(ctx):
	case <-ctx.Done():
	}
	return false
}

// judge turns what the client saw into what it means here.
func (s *sending) judge(stored *tabnews.Content) {
	e := s.attempt.Evidence
	s.tellForeign(stored)
	switch {
	case s.attempt.Outcome == publication.OutcomeNotSent && !s.ResendUnsent:
		// A transport error parks, also where it is proven that nothing was written: the decision is a person's, and is
		// then easy. POSTONCE_RESEND_UNSENT changes that.
		s.attempt.Outcome, e.ProvenUnsent = publication.OutcomeUnknown, true
	case s.attempt.Outcome == publication.OutcomeRejected && s.in.Doubt && e.APIError.SlugTaken():
		// The slug is occupied, and an earlier attempt was only believed to have created nothing: it landed.
		s.attempt.Outcome = publication.OutcomeUnknown
		e.Summary = "TabNews says that the slug is taken: an earlier attempt seems to have landed after all (" + e.Summary + ")"
	}
}

// notSent testifies that nothing left, for a local reason. The token lets the ledger believe it, should the claim have
// been committed without this process knowing.
func (s *sending) notSent(problem string) api.SendOutput {
	now := time.Now().UTC()
	return api.SendOutput{
		Token: s.token, Problem: problem,
		Attempt: publication.Attempt{Number: s.in.Attempt, Outcome: publication.OutcomeNotSent, Digest: s.in.Digest, FinishedAt: &now},
	}
}

// unsent is a claimed attempt of which nothing left.
func (s *sending) unsent(summary string) publication.Attempt {
	s.attempt.Outcome = publication.OutcomeNotSent
	s.attempt.Evidence = &publication.Evidence{Summary: summary, Phase: "claimed", ProvenUnsent: true, StartedAt: time.Now().UTC()}
	return s.attempt
}

// end writes the outcome to the attempt's row, as far as that is possible now, and returns it in any case.
func (s *sending) end(ctx context.Context, a publication.Attempt) api.SendOutput {
	now := time.Now().UTC()
	a.FinishedAt = &now
	ctx, cancel := context.WithTimeout(ctx, api.FinishTimeout)
	defer cancel()
	err := s.Ledger.Finish(ctx, ledger.FinishRequest{
		Operation: s.in.Operation, Attempt: s.in.Attempt, Token: s.token, Outcome: a.Outcome, Identity: a.Identity, Evidence: a.Evidence, Pause: s.Pause,
	})
	if err != nil {
		s.Log.WarnContext(ctx, "an outcome is not in the ledger yet", "operation", s.in.Operation, "attempt", s.in.Attempt, "outcome", a.Outcome, "error", err)
	}
	if a.Outcome == publication.OutcomeRejected && a.Evidence.APIError.Firewall() {
		s.Log.WarnContext(ctx, "TabNews' firewall refused a creation: the lane pauses, and creations of the last ten minutes may be hidden; see `starter lane`",
			"lane", s.Lane, "operation", s.in.Operation, "attempt", s.in.Attempt, "pause", s.Pause)
	}
	out := api.SendOutput{Attempt: a, Recorded: err == nil, Token: s.token}
	if a.Outcome == publication.OutcomeNotSent {
		out.Problem = a.Evidence.Summary
	}
	return out
}
