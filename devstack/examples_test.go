package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"postonce/publication"
	"postonce/starter/frontmatter"
)

// fiveLetters is what TabNews counts before it gives a new content its first TabCoin (five of them).
var fiveLetters = regexp.MustCompile(`[A-Za-z]{5,}`)

func TestExamplesAreThoseOfTheDemo(t *testing.T) {
	for file, slug := range map[string]string{cleanFile: cleanSlug, lostFile: lostSlug} {
		text, err := os.ReadFile(filepath.Join("..", "examples", file))
		if err != nil {
			t.Fatal(err)
		}
		document, err := frontmatter.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		p := document.Payload
		if p.Slug != slug || p.Status != publication.StatusPublished {
			t.Errorf("%s: slug %s, status %s; the demo needs %s, published", file, p.Slug, p.Status, slug)
		}
		if words := fiveLetters.FindAllString(p.Body, -1); len(words) < 5 {
			t.Errorf("%s: %d words of five plain letters; it would earn no TabCoin", file, len(words))
		}
	}
}
