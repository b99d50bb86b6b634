package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"postonce/publication"
	"postonce/starter/frontmatter"
)

// longestName bounds --operation, so that TabNews' limit of 160 characters can never cut it off a slug.
const longestName = 60

// commentSlug derives the slug of a comment from its intent: "comentario-" and the first 16 hexadecimal digits of the
// SHA-256 of the account in lower case, the parent's id, the title and the body, each followed by a NUL, which none of
// them can hold; then "-" and name, where a person gave one. TabNews would give a comment without slug a random one,
// and a repetition would then go through unseen; with this one it meets its own slug.
func commentSlug(account string, p publication.Payload, name string) string {
	text := strings.Join([]string{strings.ToLower(account), p.ParentID, p.Title, p.Body, ""}, "\x00")
	sum := sha256.Sum256([]byte(text))
	slug := "comentario-" + hex.EncodeToString(sum[:8])
	if name != "" {
		slug += "-" + name
	}
	return slug
}

// commentText makes the comment ready for approval. The slug is made of the text as TabNews stores it, so that a
// newline at the end of the file makes no other comment.
func commentText(document frontmatter.Document, account, parentID, name string) (article, error) {
	p := document.Payload
	p.ParentID = strings.ToLower(parentID)
	changes := document.Changes
	switch {
	case p.Slug == "":
		stored, _, _ := publication.Prepare(p) // its verdict comes below, with the slug
		p.Slug = commentSlug(account, stored, name)
		changes = append(changes, publication.Change{Field: "slug", What: fmt.Sprintf("made from account, answered content and text: %q", p.Slug)})
	case name != "":
		return article{}, usage(document.At("slug")+": slug: the file names one, and --operation would change it", "write another slug into the file, or leave one of the two out")
	}
	payload, more, err := publication.Prepare(p)
	if err != nil {
		return article{}, badInput(placed(document, err))
	}
	return article{payload: payload, changes: append(changes, more...)}, nil
}
