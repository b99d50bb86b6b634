package activities

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"go.temporal.io/sdk/activity"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
)

// findHiddenTries is after how many tries what could not be read is said to be unread.
const findHiddenTries = 3

// FindHidden reads again what an incident may have hidden, and marks what is gone. It sends nothing, and told again it
// finds the same.
func (a *Activities) FindHidden(ctx context.Context, in api.FindHiddenInput) (api.FoundHidden, error) {
	out, failures, err := a.findHidden(ctx, in)
	if err != nil {
		return out, err
	}
	if len(failures) > 0 && activity.GetInfo(ctx).Attempt < findHiddenTries {
		return out, errors.Join(failures...)
	}
	return out, nil
}

// findHidden reads all that an incident may have hidden, and gives what could not be read. Its error is the ledger's.
func (a *Activities) findHidden(ctx context.Context, in api.FindHiddenInput) (out api.FoundHidden, failures []error, err error) {
	affected, err := a.Ledger.AffectedByIncident(ctx, in.Operation, in.Attempt)
	if err != nil {
		return out, nil, err
	}
	for _, one := range affected {
		if err := a.lookForHidden(ctx, in.Operation, one, &out); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", one.Identity.Reference(), err))
			out.Unread = append(out.Unread, one.Operation)
		}
	}
	if len(out.Hidden) > 0 {
		a.Log.WarnContext(ctx, "TabNews' firewall hides what was published; only a moderator can restore it", "operations", out.Hidden, "incident_of", in.Operation)
	}
	return out, failures, nil
}

func (a *Activities) lookForHidden(ctx context.Context, refused publication.OperationID, one ledger.Affected, out *api.FoundHidden) error {
	switch one.RemoteStatus {
	case publication.StatusDraft:
		out.Drafts = append(out.Drafts, one.Operation)
		return nil
	case publication.StatusDeleted:
		return nil
	}
	content, err := a.TabNews.Content(ctx, publication.Reference{Owner: one.Identity.OwnerUsername, Slug: cmp.Or(one.Slug, one.Identity.Slug)})
	var absent *tabnews.NotFoundError
	switch {
	case err == nil && content.ID == one.Identity.ID:
		out.Visible = append(out.Visible, one.Operation)
		return nil
	case err != nil && !errors.As(err, &absent):
		return err
	case !one.Readable: // it may have been gone before; the drift watch finds out which it is
		out.Gone = append(out.Gone, one.Operation)
		return nil
	}
	if err := a.Ledger.MarkHidden(ctx, one.Operation, refused); err != nil {
		return err
	}
	out.Hidden = append(out.Hidden, one.Operation)
	return nil
}
