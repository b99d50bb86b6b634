package tabnews

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"postonce/publication"
)

// Update is one change of one content.
type Update struct {
	Reference publication.Reference // where the content is before the change
	ID        string                // the content's id where it is known; an answer that names another is no acceptance
	Patch     publication.Patch
}

// Update changes a content with one PATCH /api/v1/contents/{user}/{slug}, under the same rules as Create: one request
// at most, no byte after sendBy, heard out once it is on its way, and a verdict that is never more than what was seen.
//
// TabNews knows no precondition: it writes all columns of what it had read, so a change that somebody else makes at the
// same moment is lost or undone (TabNews API, "Times, updated_at, lost updates"). An acceptance says that this change
// was written, not that it is what stands there now; reading back tells.
//
// Only contents of the client's own account are changed: a moderator's session could change those of others.
func (c *Client) Update(ctx context.Context, u Update, sendBy time.Time) Verdict {
	return c.send(ctx, revision(u, c.Account()), sendBy)
}

// revision is the write that a patch asks for (TabNews API, PATCH /api/v1/contents/{user}/{slug}).
func revision(u Update, account string) write {
	w := write{
		method: http.MethodPatch, path: []string{"contents", u.Reference.Owner, u.Reference.Slug}, body: u.Patch.CanonicalJSON(),
		success: http.StatusOK, did: "changed", refusals: updateRefusals, problem: u.problem(account),
		id: u.ID, slug: u.Reference.Slug, statuses: statusesAfter(u.Patch.Status),
	}
	if u.Patch.Slug != nil {
		w.slug = *u.Patch.Slug
	}
	return w
}

// statusesAfter are those that the content may have afterwards. The firewall may hide it at any moment; but what was to
// be deleted and is hidden is not deleted.
func statusesAfter(asked *publication.ContentStatus) []publication.ContentStatus {
	switch {
	case asked == nil:
		return []publication.ContentStatus{publication.StatusDraft, publication.StatusPublished, publication.StatusFirewall}
	case *asked == publication.StatusDeleted:
		return []publication.ContentStatus{publication.StatusDeleted}
	}
	return []publication.ContentStatus{*asked, publication.StatusFirewall}
}

var (
	errBadReference = errors.New("the content to change has no proper address")
	errOtherOwner   = errors.New("the content to change belongs to another account")
	errNoChange     = errors.New("nothing is to be changed")
)

// problem names what makes the change pointless.
func (u Update) problem(account string) error {
	proper, err := publication.ParseReference(u.Reference.String())
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errBadReference, err)
	case proper != u.Reference:
		return fmt.Errorf("%w: %q", errBadReference, u.Reference)
	case account != "" && !strings.EqualFold(u.Reference.Owner, account):
		return fmt.Errorf("%w: %s is not %s's", errOtherOwner, u.Reference, account)
	case u.Patch.IsEmpty():
		return errNoChange
	}
	return nil
}
