package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"postonce/publication"
	"postonce/tabnews"
)

// reader is what the commands need of what everybody can read at TabNews; it has no credentials.
type reader interface {
	// Content reads fresh. *tabnews.NotFoundError: nothing public is there.
	Content(context.Context, publication.Reference) (tabnews.Content, error)
}

func openReader(url string) (reader, error) {
	return tabnews.New(tabnews.Config{BaseURL: url, Version: versionName()})
}

// read reads a public content. A content that is not there is a *tabnews.NotFoundError, for the caller to word; every
// other error is a failure.
func (a *app) read(ctx context.Context, ref publication.Reference) (tabnews.Content, error) {
	url := a.getenv("TABNEWS_URL")
	if url == "" {
		return tabnews.Content{}, usage("TABNEWS_URL: is not set, and "+ref.String()+" must be read first", "set it to https://www.tabnews.com.br")
	}
	r, err := a.openReader(url)
	if err != nil {
		return tabnews.Content{}, badInput(err)
	}
	content, err := r.Content(ctx, ref)
	var absent *tabnews.NotFoundError
	if err != nil && !errors.As(err, &absent) {
		return content, failed(fmt.Errorf("%s: could not be read, so nothing was started: %w", ref, err))
	}
	return content, err
}

// notPublic words the absence of what a command needs; other errors pass.
func notPublic(err error, command, wayOut string) error {
	var absent *tabnews.NotFoundError
	if !errors.As(err, &absent) {
		return err
	}
	return usage(command+": "+absent.Error(), wayOut)
}

// current reads the version of a content that a change would start from.
func (a *app) current(ctx context.Context, ref publication.Reference) (publication.Base, tabnews.Content, error) {
	content, err := a.read(ctx, ref)
	if err != nil {
		return publication.Base{}, content, err
	}
	base, err := versionOf(content)
	return base, content, err
}

// versionOf is a content as the base of a change: its payload is the one that would make it. Without updated_at the
// version would have no name, and pass for a draft.
func versionOf(c tabnews.Content) (publication.Base, error) {
	if c.UpdatedAt.IsZero() {
		return publication.Base{}, failed(fmt.Errorf("%s: TabNews tells no updated_at, so its version has no name; nothing was started", c.Reference()))
	}
	return publication.Base{ID: c.ID, UpdatedAt: c.UpdatedAt, Payload: publication.Payload{
		Title: c.Title, Slug: c.Slug, Body: c.Body, SourceURL: c.SourceURL, Status: c.Status, ParentID: strings.ToLower(c.ParentID),
	}}, nil
}
