package terminal

import (
	"fmt"
	"io"

	"postonce/publication"
)

// Preview is a payload as a person approves it.
type Preview struct {
	Payload publication.Payload
	Changes []publication.Change // what differs from what the person wrote
	Account string
	Site    string // the address of TabNews
}

// Reference is the pinned account/slug.
func (v Preview) Reference() string { return v.Account + "/" + v.Payload.Slug }

// URL is where the request goes.
func (v Preview) URL() string { return v.Site + "/api/v1/contents" }

// Address is where the page will be, once published.
func (v Preview) Address() string { return v.Site + "/" + v.Reference() }

// Heading says in one line what would be sent where.
func (v Preview) Heading() string {
	return fmt.Sprintf("%s %s %s", Bold(Line(v.Reference())), Line(string(v.Payload.Status)), Faint(string(v.Payload.Digest())))
}

// Text draws the exact payload for w: target, fields, digest, size, what was changed, and the body.
func (v Preview) Text(w io.Writer) string {
	var out page
	out.line("%s", Bold(Line(v.Reference())))
	out.fact("title", Line(v.Payload.Title))
	out.fact("status", Line(string(v.Payload.Status)))
	out.fact("source", Line(v.Payload.SourceURL))
	out.fact("answers", Line(v.Payload.ParentID))
	out.fact("address", Line(v.Address()))
	out.fact("request", fmt.Sprintf("POST %s, %d bytes", Line(v.URL()), len(v.Payload.CanonicalJSON())))
	out.fact("digest", string(v.Payload.Digest()))
	if len(v.Changes) > 0 {
		out.heading("Changed, so that TabNews stores what is approved")
		for _, change := range v.Changes {
			out.line("  %s", Line(change.String()))
		}
	}
	out.heading("Body")
	out.WriteString(Body(w, v.Payload.Body))
	return out.String()
}

// RequestText draws the request body, byte for byte but for what a terminal could take for a command.
func (v Preview) RequestText() string {
	var out page
	out.heading("Request body")
	out.line("%s", Plain(string(v.Payload.CanonicalJSON())))
	return out.String()
}
