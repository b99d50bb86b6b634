package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"postonce/publication"
	"postonce/starter/frontmatter"
)

// wanted is the content as the file wants it: the current one, with what the file says in its place.
func wanted(document frontmatter.Document, current publication.Payload) (article, error) {
	if err := keepsItsPlace(document, current); err != nil {
		return article{}, err
	}
	p := current
	p.Body = document.Payload.Body
	if document.Has("title") {
		p.Title = document.Payload.Title
	}
	if document.Has("source_url") {
		p.SourceURL = document.Payload.SourceURL
	}
	text, err := prepareChange(p, current)
	if err != nil {
		return article{}, badInput(placed(document, err))
	}
	text.changes = append(document.Changes, text.changes...)
	return text, nil
}

// keepsItsPlace refuses what would be no edit: another address, or taking back the publication.
func keepsItsPlace(document frontmatter.Document, current publication.Payload) error {
	slug, status := document.Payload.Slug, strings.TrimSpace(string(document.Payload.Status))
	if slug != "" && slug != current.Slug {
		return usage(fmt.Sprintf("%s: slug: an edit does not rename, and the content is %q, not %q: the old address would be gone with nothing leading to the new one",
			document.At("slug"), current.Slug, publication.Clip(slug, 60)), "leave the slug out")
	}
	if status != "" && status != string(publication.StatusPublished) {
		return usage(fmt.Sprintf("%s: status: must be left out or published, not %q, for TabNews takes no publication back", document.At("status"), publication.Clip(status, 40)),
			"leave the status out; `starter remove` deletes")
	}
	return nil
}

// prepareChange prepares the fields that differ from what is there. The others are not sent: they stay byte for byte as
// TabNews has them, whatever rules it had when they were written.
func prepareChange(p, current publication.Payload) (article, error) {
	changed := map[string]bool{"title": p.Title != current.Title, "body": p.Body != current.Body, "source_url": p.SourceURL != current.SourceURL}
	prepared, told, err := publication.Prepare(p)
	if changed["title"] {
		current.Title = prepared.Title
	}
	if changed["body"] {
		current.Body = prepared.Body
	}
	if changed["source_url"] {
		current.SourceURL = prepared.SourceURL
	}
	told = slices.DeleteFunc(told, func(c publication.Change) bool { return !changed[c.Field] })
	return article{payload: current, changes: told}, problemsOf(err, changed)
}

// problemsOf drops the problems of fields that are not sent.
func problemsOf(err error, changed map[string]bool) error {
	var problems publication.Problems
	if !errors.As(err, &problems) {
		return err
	}
	problems = slices.DeleteFunc(problems, func(problem publication.FieldError) bool { return !changed[problem.Field] })
	if len(problems) == 0 {
		return nil
	}
	return problems
}
