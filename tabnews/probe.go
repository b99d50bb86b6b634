package tabnews

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"postonce/publication"
)

// SlugProbe is what TabNews said of a slug.
type SlugProbe struct {
	Answered bool // the answer is one of the two that tell
	Taken    bool // a draft, a published or a hidden content of the account holds the slug; else none does
	Evidence publication.Evidence
}

// ProbeSlug asks whether one of the account's contents holds a slug, hidden ones included, by a request that creates
// nothing whatever happens: a comment on a parent that does not exist (TabNews API, "Probes for reconciliation"). The slug
// is looked at before the parent. It is asked as a draft, so that nothing would be public even then.
//
// TabNews' firewall does not count it, but asks it against the comments' limit: the caller keeps it away from comments.
// One request at most leaves, none after sendBy.
func (c *Client) ProbeSlug(ctx context.Context, slug string, sendBy time.Time) SlugProbe {
	v := c.send(ctx, creation(publication.Payload{
		ParentID: uuid.NewString(), Slug: slug, Body: "Este comentário não é criado: o conteúdo respondido não existe.", Status: publication.StatusDraft,
	}), sendBy)
	out := SlugProbe{Evidence: v.Evidence}
	if refusal := v.Evidence.APIError; v.Outcome == publication.OutcomeRejected && refusal != nil {
		out.Taken = refusal.SlugTaken()
		out.Answered = out.Taken || strings.HasSuffix(refusal.ErrorLocationCode, ":CHECK_IF_PARENT_ID_EXISTS:NOT_FOUND")
	}
	return out
}
