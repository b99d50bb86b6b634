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
	differences := payload.Differences(account, publication.Observed{
		Owner: content.OwnerUsername, Slug: content.Slug, Title: content.Title, Body: content.Body,
		SourceURL: content.SourceURL, Status: content.Status, ParentID: content.ParentID,
	})
	var text strings.Builder
	for _, d := range differences {
		text.WriteString(udiff.Unified("approved "+d.Field, "TabNews "+d.Field, line(d.Want), line(d.Got)))
	}
	return len(differences) == 0, publication.Clip(text.String(), diffLimit)
}

// line ends a text with a newline, without which the diff would speak of its absence.
func line(s string) string {
	if s == "" {
		return ""
	}
	return s + "\n"
}
