package terminal

import (
	"fmt"

	"postonce/publication"
)

// request is the one request that an approval allows: a POST of the whole payload, or a PATCH of what differs from base.
type request struct {
	payload publication.Payload
	base    *publication.Base // nil: the content is created
	account string
	site    string
}

// address is where the page is, or will be once published. A change is asked for under the base's address.
func (r request) address() string { return r.site + "/" + r.account + "/" + r.payload.Slug }

func (r request) method() string {
	if r.base == nil {
		return "POST"
	}
	return "PATCH"
}

func (r request) url() string {
	url := r.site + "/api/v1/contents"
	if r.base != nil {
		url += "/" + r.account + "/" + r.base.Payload.Slug
	}
	return url
}

// body is the request body, byte for byte.
func (r request) body() []byte {
	if r.base == nil {
		return r.payload.CanonicalJSON()
	}
	return r.base.PatchTo(r.payload).CanonicalJSON()
}

func (r request) digest() publication.Digest { return publication.DigestOf(r.payload, r.base) }

func (r request) draw(out *page) {
	out.fact("address", Line(r.address()))
	out.fact("request", fmt.Sprintf("%s %s, %d bytes", r.method(), Line(r.url()), len(r.body())))
	out.fact("digest", string(r.digest()))
}

func drawChanges(out *page, changes []publication.Change) {
	if len(changes) == 0 {
		return
	}
	out.heading("Changed, so that TabNews stores what is approved")
	for _, change := range changes {
		out.line("  %s", Line(change.String()))
	}
}
