package terminal

import (
	"fmt"
	"strings"

	"postonce/publication"
)

// View is a snapshot as it is put before a person.
type View struct {
	publication.Snapshot
	Site     string   // the address of TabNews, to make links
	Commands []string // what to run next, exactly
}

// Text draws all that is known: first where it stands, then the attempts with their evidence and candidates, the
// decisions, and what may be done next.
func (v View) Text() string {
	var out page
	v.evidence(&out)
	drawDecisions(&out, v.Decisions)
	v.next(&out)
	return out.String()
}

// Evidence draws what a person must see before deciding: all but the decisions and commands.
func (v View) Evidence() string {
	var out page
	v.evidence(&out)
	return out.String()
}

func (v View) evidence(out *page) {
	out.line("%s  %s", Bold(Line(string(v.Operation))), v.standing())
	v.facts(out)
	for _, attempt := range v.Attempts {
		drawAttempt(out, attempt, v)
	}
	if v.Divergence != "" {
		out.heading(v.divergenceHeading())
		out.block(Diff(v.Divergence))
	}
}

// standing gives the state and, beside it, what is never folded into it.
func (v View) standing() string {
	parts := []string{State(v.State)}
	if v.RemoteStatus != "" {
		parts = append(parts, v.remoteStatus())
	}
	if v.Verification != "" {
		parts = append(parts, verification(v.Operation.Kind(), v.Verification))
	}
	if v.LocalRecord != "" {
		parts = append(parts, "local record "+string(v.LocalRecord))
	}
	if v.Closed {
		parts = append(parts, warnStyle.Render("workflow closed"))
	}
	return strings.Join(parts, Faint(" · "))
}

// remoteStatus is what TabNews told last: where nothing can be read, the content may be hidden by now.
func (v View) remoteStatus() string {
	s := v.RemoteStatus
	if s == publication.StatusPublished && v.Verification == publication.VerificationUnreadable {
		return warnStyle.Render("at TabNews: cannot be read, may be hidden")
	}
	if s == publication.StatusFirewall || s == publication.StatusDeleted {
		return warnStyle.Render("at TabNews: " + Line(string(s)))
	}
	return "at TabNews: " + Line(string(s))
}

func (v View) facts(out *page) {
	out.fact("title", Line(v.Title))
	out.fact("reference", Line(v.Reference))
	if id := v.Identity; id != nil {
		out.fact("identity", fmt.Sprintf("%s, id %s, %s", Line(id.Reference().String()), Line(id.ID), Line(string(id.Status))))
	}
	out.fact("address", v.address())
	out.fact("digest", Line(string(v.Digest)))
	out.fact("sent at", v.sendTime())
	out.fact("known", Line(v.Known))
	out.fact("waiting for", Line(v.WaitingFor))
	for _, note := range v.Notes {
		out.fact("note", Line(note))
	}
}

// address is where people can see it; nobody can see a draft, a hidden or a deleted content.
func (v View) address() string {
	if v.Identity == nil || v.RemoteStatus != publication.StatusPublished {
		return ""
	}
	return Line(v.Site + "/" + v.Identity.Reference().String())
}

// divergenceHeading: a change that was refused before it was sent shows the base, what others made of it, and ours.
func (v View) divergenceHeading() string {
	if v.State == publication.StateRejected && v.Operation.Kind() != publication.KindPublish {
		return "Conflict: what others made of the base, and what this would have"
	}
	if v.Foreign() != "" {
		return "What somebody else had changed before it was removed"
	}
	return "What differs from the approved payload"
}

func (v View) next(out *page) {
	if v.NextAction != "" {
		out.gap()
		out.line("%s %s", Bold("Next safe action:"), Line(v.NextAction))
	}
	if len(v.Commands) == 0 {
		return
	}
	for _, command := range v.Commands {
		out.line("  %s", Plain(command))
	}
}
