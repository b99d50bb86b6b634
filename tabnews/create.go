package tabnews

import (
	"context"
	"net/http"
	"time"

	"postonce/publication"
)

// Create publishes p with one POST /api/v1/contents, and never with more than one request: nothing below it repeats,
// redirects or resumes. It returns no error; everything that it saw is in the verdict.
//
// No byte leaves after sendBy, by the wall clock, even when the process was frozen in between; and the answer is awaited
// until sendBy. Cancelling ctx before the call sends nothing; afterwards it cuts nothing, for a request that is on its
// way must be heard out.
//
// CheckSession must have succeeded in this process, unless both Session and Account are configured.
func (c *Client) Create(ctx context.Context, p publication.Payload, sendBy time.Time) Verdict {
	return c.send(ctx, creation(p), sendBy)
}

// creation is the write that a payload asks for (TabNews API, POST /api/v1/contents). The answer tells the parent too,
// and it must be the one asked for: an article must not become somebody's comment.
func creation(p publication.Payload) write {
	return write{
		method: http.MethodPost, path: []string{"contents"}, body: p.CanonicalJSON(), success: http.StatusCreated,
		did: "created", refusals: createRefusals,
		slug: p.Slug, statuses: []publication.ContentStatus{p.Status, publication.StatusFirewall}, parent: &p.ParentID,
	}
}
