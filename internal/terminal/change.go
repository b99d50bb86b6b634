package terminal

import (
	"fmt"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"postonce/publication"
)

// Change is a change of existing content as a person approves it.
type Change struct {
	Base    publication.Base    // the version that is changed
	Payload publication.Payload // the content as it is to be
	Changes []publication.Change
	Account string
	Site    string // the address of TabNews
}

func (c Change) request() request { return request{c.Payload, &c.Base, c.Account, c.Site} }

// Reference is the content's account/slug.
func (c Change) Reference() string { return c.Account + "/" + c.Base.Payload.Slug }

// Heading says in one line what would be changed.
func (c Change) Heading() string {
	return fmt.Sprintf("%s changes %s %s", Bold(Line(c.Reference())), strings.Join(c.fields(), ", "), Faint(string(c.request().digest())))
}

// Text draws target, base, digest and the difference: unified, and side by side too where width (in columns) is not 0.
func (c Change) Text(width int) string {
	var out page
	out.line("%s", Bold(Line(c.Reference())))
	out.fact("title", Line(c.Base.Payload.Title))
	out.fact("changes", strings.Join(c.fields(), ", "))
	out.fact("base", c.base())
	c.request().draw(&out)
	drawChanges(&out, c.Changes)
	out.heading("Difference")
	out.block(Diff(c.Unified()))
	if width > 0 {
		out.heading("Side by side")
		for _, d := range c.differences() {
			out.WriteString(sideBySide(d.Field, d.Want, d.Got, width))
		}
	}
	return out.String()
}

// base names the version that is changed, by TabNews' own time.
func (c Change) base() string {
	at := c.Base.UpdatedAt
	return fmt.Sprintf("the version of %s, id %s", at.UTC().Format("2006-01-02 15:04:05.000 UTC"), Line(c.Base.ID))
}

func (c Change) fields() []string {
	var names []string
	for _, d := range c.differences() {
		names = append(names, d.Field)
	}
	return names
}

// differences lists the fields that the request would change, as they are and as they are to be.
func (c Change) differences() []publication.Difference {
	p := c.Payload
	return c.Base.Payload.Differences(c.Account, publication.Observed{
		Owner: c.Account, Slug: p.Slug, Title: p.Title, Body: p.Body, SourceURL: p.SourceURL, Status: p.Status, ParentID: p.ParentID,
	})
}

// Unified is the difference in the usual form of patches, one part for each field.
func (c Change) Unified() string {
	var out strings.Builder
	for _, d := range c.differences() {
		out.WriteString(udiff.Unified("now "+d.Field, "then "+d.Field, ended(d.Want), ended(d.Got)))
	}
	return out.String()
}

// ended ends a text with a newline, without which a difference would speak of its absence.
func ended(s string) string {
	if s == "" {
		return ""
	}
	return s + "\n"
}
