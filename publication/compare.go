package publication

import "strings"

// Observed is content as TabNews shows it.
type Observed struct {
	Owner     string
	Slug      string
	Title     string
	Body      string
	SourceURL string
	Status    ContentStatus
	ParentID  string
}

// Difference is one field in which content differs from the payload.
type Difference struct {
	Field string
	Want  string
	Got   string
}

// Differences compares content with the payload that account approved, field by field and exactly: the payload was
// normalised by TabNews' own rules before approval. Only the owner is compared without regard to case, as TabNews
// looks user names up (TabNews API, "Usernames").
func (p Payload) Differences(account string, seen Observed) []Difference {
	var out []Difference
	add := func(field, want, got string) {
		if want != got {
			out = append(out, Difference{Field: field, Want: want, Got: got})
		}
	}
	if !strings.EqualFold(account, seen.Owner) {
		add("owner_username", account, seen.Owner)
	}
	add("slug", p.Slug, seen.Slug)
	add("title", p.Title, seen.Title)
	add("body", p.Body, seen.Body)
	add("source_url", p.SourceURL, seen.SourceURL)
	add("status", string(p.Status), string(seen.Status))
	add("parent_id", p.ParentID, seen.ParentID)
	return out
}
