package terminal

import (
	"fmt"
	"strconv"

	"postonce/publication"
)

// Removal is a content as a person sees it before it is deleted.
type Removal struct {
	Base     publication.Base
	Account  string
	Site     string // the address of TabNews
	Comments int    // below it, at every depth
	TabCoins int    // as TabNews shows them: initial and votes
	Unread   bool   // comments and TabCoins were not read
}

// Reference is the content's account/slug.
func (r Removal) Reference() string { return r.Account + "/" + r.Base.Payload.Slug }

// Heading says in one line what would go.
func (r Removal) Heading() string {
	return fmt.Sprintf("%s is to be deleted, id %s", Bold(Line(r.Reference())), Line(r.Base.ID))
}

// Text draws what goes, and what it costs.
func (r Removal) Text() string {
	p := r.Base.Payload
	q := request{p, &r.Base, r.Account, r.Site}
	q.payload.Status = publication.StatusDeleted
	var out page
	out.line("%s", warnStyle.Render("To be deleted: ")+Bold(Line(r.Reference())))
	out.fact("title", Line(p.Title))
	out.fact("status", Line(string(p.Status)))
	out.fact("id", Line(r.Base.ID))
	q.draw(&out)
	if p.Status == publication.StatusPublished && !r.Unread {
		out.fact("comments", strconv.Itoa(r.Comments))
		out.fact("tabcoins", strconv.Itoa(r.TabCoins))
	}
	out.fact("costs", r.costs())
	out.fact("afterwards", r.afterwards())
	return out.String()
}

// costs tells what deletion takes back from the author (TabNews API, "TabCoins").
func (r Removal) costs() string {
	switch {
	case r.Base.Payload.Status != publication.StatusPublished:
		return "nothing: it was never published"
	case r.Unread:
		return "the author loses the initial TabCoins of it, and those of votes too while its balance is above 0"
	case r.TabCoins > 0:
		return "the author loses all TabCoins earned by it, the initial ones and those of votes"
	}
	return "the author loses the initial TabCoins of it, and no others, since its balance is not above 0"
}

func (r Removal) afterwards() string {
	if r.Base.Payload.Status != publication.StatusPublished {
		return "publishing it makes another content"
	}
	return "publishing it again makes another content: the votes, comments and history of this one are gone"
}
