package tabnews

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"postonce/publication"
)

// Content reads the published content at ref, fresh (TabNews API, GET /api/v1/contents/{user}/{slug}). All GETs are
// cached for 10 s and then served stale; a parameter that TabNews ignores goes round the cache, and an answer that is a
// copy in spite of it is an AnswerError.
//
// A NotFoundError is TabNews' own 404: nothing public is there now. Every other error proves nothing.
func (c *Client) Content(ctx context.Context, ref publication.Reference) (Content, error) {
	answer, err := c.read(ctx, call{op: "reading " + ref.String(), url: c.url(fresh(), "contents", ref.Owner, ref.Slug)})
	if err != nil {
		return Content{}, notFound(err, ref)
	}
	var content Content
	if err := answer.decode(&content); err != nil {
		return Content{}, err
	}
	if !uuidPattern.MatchString(content.ID) || content.Slug != ref.Slug || !strings.EqualFold(content.OwnerUsername, ref.Owner) {
		return Content{}, answer.unusable("it is not this content but " + quote(content.Reference().String()))
	}
	return content, nil
}

// UserContents lists the public contents of a user, roots and comments, newest first (TabNews API,
// GET /api/v1/contents/{user} with strategy=new). Pages count from 1; perPage is 1 to 100. An insertion shifts the pages.
// Roots come without body, comments with at most 255 characters of plain text, so bodies cannot be compared.
func (c *Client) UserContents(ctx context.Context, username string, page, perPage int) ([]Content, error) {
	query := fresh()
	query.Set("strategy", "new")
	query.Set("page", strconv.Itoa(page))
	query.Set("per_page", strconv.Itoa(perPage))
	answer, err := c.read(ctx, call{op: "listing the contents of " + username, url: c.url(query, "contents", username)})
	if err != nil {
		return nil, notFound(err, publication.Reference{Owner: username})
	}
	var contents []Content
	if err := answer.decode(&contents); err != nil {
		return nil, err
	}
	for _, content := range contents {
		if !uuidPattern.MatchString(content.ID) {
			return nil, answer.unusable("it lists something without an id")
		}
	}
	return contents, nil
}

// read makes a public GET, anonymous because TabNews does not look at the session there, and refuses stale copies of
// contents and of 404s alike.
func (c *Client) read(ctx context.Context, k call) (reply, error) {
	k.method, k.want, k.fresh = http.MethodGet, http.StatusOK, true
	return c.call(ctx, k)
}

// fresh is a query that no cache has seen.
func fresh() url.Values { return url.Values{"fresh": {rand.Text()}} }

// notFound gives TabNews' own 404 its type.
func notFound(err error, ref publication.Reference) error {
	var api *publication.APIError
	if !errors.As(err, &api) || api.StatusCode != http.StatusNotFound || api.Key != "slug" && api.Key != "username" {
		return err
	}
	return &NotFoundError{Reference: ref, API: api}
}
