package activities

import (
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"postonce/publication"
	"postonce/tabnews"
)

// diffLimit bounds a diff in histories, in bytes.
const diffLimit = 4096

// compare reports whether content reads exactly as the payload, and else the differences as unified diffs.
func compare(payload publication.Payload, account string, content tabnews.Content) (bool, string) {
	differences := payload.Differences(account, content.Observed())
	return len(differences) == 0, unified(differences, "approved", "TabNews")
}

func unified(differences []publication.Difference, from, to string) string {
	var text strings.Builder
	for _, d := range differences {
		text.WriteString(udiff.Unified(from+" "+d.Field, to+" "+d.Field, line(d.Want), line(d.Got)))
	}
	return publication.Clip(text.String(), diffLimit)
}

// diffOf is what a change does to its base.
func diffOf(base, payload publication.Payload) string {
	return unified(base.Differences("", publication.Observed{
		Slug: payload.Slug, Title: payload.Title, Body: payload.Body, SourceURL: payload.SourceURL, Status: payload.Status, ParentID: payload.ParentID,
	}), "base", "ours")
}

// threeWay shows, from the same base, what others made of it and what we want to make of it.
func threeWay(theirs, ours string) string {
	if theirs == "" {
		theirs = "(nothing that a reader sees)\n"
	}
	return "base → TabNews now\n" + strings.ReplaceAll(theirs, "approved ", "base ") + "\nbase → ours\n" + ours
}

// line ends a text with a newline, without which the diff would speak of its absence.
func line(s string) string {
	if s == "" {
		return ""
	}
	return s + "\n"
}
