package terminal

import (
	"fmt"
	"io"

	"postonce/publication"
)

// Preview is a payload as a person approves it.
type Preview struct {
	Payload publication.Payload
	Base    *publication.Base    // the draft that becomes public; nil: the content is created
	Changes []publication.Change // what differs from what the person wrote
	Parent  string               // what a comment answers, in words
	Account string
	Site    string // the address of TabNews

	Schedule *publication.Schedule // when it is to be sent; nil: as soon as it is approved
}

func (v Preview) request() request { return request{v.Payload, v.Base, v.Account, v.Site} }

// Reference is the pinned account/slug.
func (v Preview) Reference() string { return v.Account + "/" + v.Payload.Slug }

// URL is where the request goes.
func (v Preview) URL() string { return v.request().url() }

// Address is where the page will be, once published.
func (v Preview) Address() string { return v.request().address() }

// Heading says in one line what would be sent where.
func (v Preview) Heading() string {
	heading := fmt.Sprintf("%s %s %s", Bold(Line(v.Reference())), Line(string(v.Payload.Status)), Faint(string(v.request().digest())))
	if v.Schedule != nil {
		heading += " to be sent at " + sendTime(v.Schedule)
	}
	return heading
}

// Text draws the exact payload for w: target, fields, digest, size, what was changed, and the body.
func (v Preview) Text(w io.Writer) string {
	var out page
	out.line("%s", Bold(Line(v.Reference())))
	out.fact("title", Line(v.Payload.Title))
	out.fact("status", v.status())
	out.fact("source", Line(v.Payload.SourceURL))
	out.fact("answers", v.answers())
	out.fact("sent at", sendTime(v.Schedule))
	v.request().draw(&out)
	drawChanges(&out, v.Changes)
	out.heading("Body")
	out.WriteString(Body(w, v.Payload.Body))
	return out.String()
}

func (v Preview) status() string {
	status := Line(string(v.Payload.Status))
	if v.Base != nil {
		status = fmt.Sprintf("%s → %s, id %s", Line(string(v.Base.Payload.Status)), status, Line(v.Base.ID))
	}
	return status
}

func (v Preview) answers() string {
	if v.Parent == "" {
		return Line(v.Payload.ParentID)
	}
	return Line(fmt.Sprintf("%s, id %s", v.Parent, v.Payload.ParentID))
}

// RequestText draws the request body, byte for byte but for what a terminal could take for a command.
func (v Preview) RequestText() string {
	var out page
	out.heading("Request body")
	out.line("%s", Plain(string(v.request().body())))
	return out.String()
}
