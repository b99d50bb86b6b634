package main

import (
	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/workflows"
)

// revision is a version of a content and what is to become of it.
type revision struct {
	account string // in TabNews' own spelling
	base    publication.Base
	text    article
}

func (r revision) input(by string) workflows.PublishInput {
	op := publication.ReviseID(r.account, r.base.Payload.Slug, r.base.Version())
	return changeOf(op, r.base, r.text.payload, by)
}

func (r revision) reference() publication.Reference {
	return publication.Reference{Owner: r.account, Slug: r.base.Payload.Slug}
}

func (r revision) changesNothing() bool { return r.base.PatchTo(r.text.payload).IsEmpty() }

func (a *app) showRevision(r revision, sideBySide bool) {
	view := terminal.Change{Base: r.base, Payload: r.text.payload, Changes: r.text.changes, Account: r.account, Site: a.site()}
	a.preview(drawn{view.Heading(), view.Text(a.sideBySideWidth(sideBySide))})
}

// sideBySideWidth is 0 where two texts beside each other would not be readable and nobody asked for them.
func (a *app) sideBySideWidth(asked bool) int {
	width := terminal.Width(a.stderr)
	switch {
	case width >= terminal.SideBySideWidth:
		return width
	case asked && width == 0: // a pipe has no width
		return terminal.SideBySideWidth
	case asked:
		return width
	}
	return 0
}

// unchanged is what --json prints when nothing was started because nothing would change. There is no operation, so what
// scripts read of one is null.
type unchanged struct {
	Operation *string          `json:"operation"` // null
	State     *string          `json:"state"`     // null
	Reference string           `json:"reference"`
	Changed   bool             `json:"changed"` // false
	Base      publication.Base `json:"base"`    // the version that was read
}

func (a *app) nothingToChange(r revision, why string) error {
	ref := r.reference().String()
	a.say("%s %s; nothing was started", ref, why)
	if a.json {
		return a.printJSON(unchanged{Reference: ref, Base: r.base})
	}
	return nil
}
