package tabnews

import (
	"time"

	"postonce/publication"
)

// Content is a content as TabNews tells it (TabNews API, POST and GET contents), without the fields that nobody needs
// here. A field that is null is empty here; TabNews stores no empty text.
type Content struct {
	ID                string                    `json:"id"` // UUID
	OwnerID           string                    `json:"owner_id"`
	ParentID          string                    `json:"parent_id"` // empty: a root
	Slug              string                    `json:"slug"`
	Title             string                    `json:"title"` // comments may have none
	Body              string                    `json:"body"`  // empty for roots in listings, plain text cut to 255 for comments there
	Status            publication.ContentStatus `json:"status"`
	Type              string                    `json:"type"` // content or ad
	SourceURL         string                    `json:"source_url"`
	CreatedAt         time.Time                 `json:"created_at"` // start of TabNews' transaction, milliseconds
	UpdatedAt         time.Time                 `json:"updated_at"`
	PublishedAt       *time.Time                `json:"published_at"`
	DeletedAt         *time.Time                `json:"deleted_at"`
	OwnerUsername     string                    `json:"owner_username"` // stored spelling
	TabCoins          int                       `json:"tabcoins"`
	ChildrenDeepCount int                       `json:"children_deep_count"` // GET alone has it
}

// Identity is what names the content.
func (c Content) Identity() publication.Identity {
	return publication.Identity{ID: c.ID, OwnerUsername: c.OwnerUsername, Slug: c.Slug, Status: c.Status}
}

// Reference is the content's address.
func (c Content) Reference() publication.Reference {
	return publication.Reference{Owner: c.OwnerUsername, Slug: c.Slug}
}

// Observed is what can be compared with a payload.
func (c Content) Observed() publication.Observed {
	return publication.Observed{
		Owner: c.OwnerUsername, Slug: c.Slug, Title: c.Title, Body: c.Body, SourceURL: c.SourceURL, Status: c.Status, ParentID: c.ParentID,
	}
}

// User is the logged-in user (TabNews API, GET /api/v1/user), without the fields that nobody needs here.
type User struct {
	ID       string   `json:"id"`
	Username string   `json:"username"` // stored spelling
	Features []string `json:"features"` // what the user may do, such as create:content:text_root
	TabCoins int      `json:"tabcoins"`
	TabCash  int      `json:"tabcash"`
}
