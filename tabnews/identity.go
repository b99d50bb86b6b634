package tabnews

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"postonce/publication"
)

var uuidPattern = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// named are the fields of a 201 or 200 that identify the content.
type named struct {
	ID, Owner, Slug, Status string
	Parent                  *string
}

// namedIdentity gives the identity of an answer that is exactly what was asked for, or says in words what is wrong.
func namedIdentity(asked request, seen answer) (publication.Identity, string) {
	if !seen.whole() {
		return publication.Identity{}, brokenWords(seen)
	}
	fields, err := parseNamed(seen.body)
	if err != nil {
		return publication.Identity{}, fmt.Sprintf("%d seen, but its body is not TabNews' content: %v", seen.status, err)
	}
	if problem := fields.mismatch(asked); problem != "" {
		return publication.Identity{}, fmt.Sprintf("%d seen, but %s", seen.status, problem)
	}
	return publication.Identity{
		ID: fields.ID, OwnerUsername: fields.Owner, Slug: fields.Slug, Status: publication.ContentStatus(fields.Status),
	}, ""
}

func parseNamed(body []byte) (named, error) {
	var n named
	object, err := decodeObject(body)
	if err != nil {
		return n, err
	}
	for _, f := range []struct {
		name string
		into any
	}{
		{"id", &n.ID}, {"owner_username", &n.Owner}, {"slug", &n.Slug}, {"status", &n.Status}, {"parent_id", &n.Parent},
	} {
		value, ok := object[f.name]
		if !ok {
			return n, fmt.Errorf("%s is missing", f.name)
		}
		if err := json.Unmarshal(value, f.into); err != nil {
			return n, fmt.Errorf("%s is of the wrong type", f.name)
		}
	}
	return n, nil
}

// mismatch says where the answer differs from what was asked for; empty: nowhere.
func (n named) mismatch(asked request) string {
	switch {
	case !uuidPattern.MatchString(n.ID):
		return fmt.Sprintf("its id %s is no UUID", quote(n.ID))
	case asked.id != "" && n.ID != asked.id:
		return fmt.Sprintf("it names another content: id %s instead of %s", quote(n.ID), quote(asked.id))
	case asked.account == "" || !usernamePattern.MatchString(n.Owner) || !strings.EqualFold(n.Owner, asked.account):
		return fmt.Sprintf("it names another owner: %s instead of %s", quote(n.Owner), quote(asked.account))
	case asked.slug == "" || n.Slug != asked.slug:
		return fmt.Sprintf("it names another slug: %s instead of %s", quote(n.Slug), quote(asked.slug))
	case !slices.Contains(asked.statuses, publication.ContentStatus(n.Status)):
		return fmt.Sprintf("it names another status: %s instead of %s", quote(n.Status), orWords(asked.statuses))
	case asked.parent != nil && n.parent() != *asked.parent:
		return fmt.Sprintf("it names another parent: %s instead of %s", quote(n.parent()), quote(*asked.parent))
	}
	return ""
}

func (n named) parent() string {
	if n.Parent == nil {
		return ""
	}
	return *n.Parent
}

func orWords(statuses []publication.ContentStatus) string {
	words := make([]string, len(statuses))
	for i, s := range statuses {
		words[i] = quote(string(s))
	}
	return strings.Join(words, " or ")
}
