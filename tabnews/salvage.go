package tabnews

import (
	"bytes"
	"encoding/json"

	"postonce/publication"
)

// salvageFrom looks for an identity in an answer that proves nothing: a 2xx that was cut, or names something else. What
// it finds is a hint for a person who investigates, never adopted by itself. A part is empty when it was not readable.
func salvageFrom(seen answer) *publication.Identity {
	if seen.status < 200 || seen.status > 299 {
		return nil
	}
	found := topLevelStrings(seen.body)
	hint := publication.Identity{
		ID: found["id"], OwnerUsername: found["owner_username"], Slug: found["slug"],
		Status: publication.ContentStatus(found["status"]),
	}
	if !uuidPattern.MatchString(hint.ID) {
		hint.ID = ""
	}
	if !usernamePattern.MatchString(hint.OwnerUsername) {
		hint.OwnerUsername = ""
	}
	if publication.ValidSlug(hint.Slug) != nil {
		hint.Slug = ""
	}
	if !knownStatus(hint.Status) {
		hint.Status = ""
	}
	if hint.ID == "" && hint.Slug == "" {
		return nil
	}
	return &hint
}

func knownStatus(s publication.ContentStatus) bool {
	switch s {
	case publication.StatusDraft, publication.StatusPublished, publication.StatusFirewall, publication.StatusDeleted:
		return true
	}
	return false
}

// topLevelStrings reads the text members of the first JSON object in body, as far as it goes. Members of objects within
// it, such as a parent's id, are not taken.
func topLevelStrings(body []byte) map[string]string {
	found := map[string]string{}
	start := bytes.IndexByte(body, '{')
	if start < 0 {
		return found
	}
	dec := json.NewDecoder(bytes.NewReader(body[start:]))
	if _, err := dec.Token(); err != nil {
		return found
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return found
		}
		var value any
		if err := dec.Decode(&value); err != nil {
			return found
		}
		if text, ok := value.(string); ok {
			name, _ := key.(string) // within an object the decoder gives only strings here
			found[name] = text
		}
	}
	return found
}
