package activities

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"

	"postonce/activities/api"
	"postonce/publication"
	"postonce/tabnews"
)

// Probe asks TabNews about the account's own draft, by the one request that shows it to its owner: PATCH
// {"status":"draft"} (TabNews API, "Probes for reconciliation"). It changes nothing but updated_at. A person orders it;
// nothing repeats it.
func (a *Activities) Probe(ctx context.Context, in api.ProbeInput) (api.Probed, error) {
	draft, ref := publication.StatusDraft, in.Operation.Reference()
	sendBy := wallClock().Add(in.SendTimeout)
	verdict := a.TabNews.Update(context.WithoutCancel(ctx), tabnews.Update{Reference: ref, Patch: publication.Patch{Status: &draft}}, sendBy)
	out := api.Probed{At: time.Now().UTC()}
	switch refusal := verdict.Evidence.APIError; {
	case verdict.Outcome == publication.OutcomeAccepted:
		defer a.keepProbed(ctx, in, &out)
		out.Words, out.Identity = fmt.Sprintf("%s is a draft, id %s", ref, verdict.Identity.ID), verdict.Identity
		out.Found = &publication.Candidate{Reference: verdict.Identity.Reference().String(), ID: verdict.Identity.ID, FoundBy: publication.FoundByProbe, SeenAt: out.At,
			Diff: "the answer names the draft, but its text could not be read"}
		if verdict.Stored != nil {
			out.Found.Equal, out.Found.Diff = compare(in.Payload, a.Account, *verdict.Stored)
		}
	case refusal != nil && strings.HasSuffix(refusal.ErrorLocationCode, ":STATUS_ALREADY_PUBLISHED"):
		out.Words = fmt.Sprintf("%s is published", ref)
	case refusal != nil && strings.HasSuffix(refusal.ErrorLocationCode, ":SLUG_NOT_FOUND"):
		out.Words = fmt.Sprintf("%s is absent, deleted, or hidden", ref)
	default:
		return out, temporal.NewNonRetryableApplicationError(verdict.Evidence.Summary, api.ErrorNotReadable, nil)
	}
	return out, nil
}

// keepProbed keeps a draft that was found with its attempt, so that another run knows of it too.
func (a *Activities) keepProbed(ctx context.Context, in api.ProbeInput, out *api.Probed) {
	if in.Attempt == 0 {
		return
	}
	found := publication.Investigation{At: out.At, Reading: publication.ReadingAbsent, Candidates: []publication.Candidate{*out.Found}, Notes: []string{out.Words}}
	if err := a.Ledger.SaveInvestigation(ctx, in.Operation, in.Attempt, found); err != nil {
		a.Log.WarnContext(ctx, "what a probe found was not saved", "operation", in.Operation, "error", err)
	}
}
