package tabnewstest

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const maxSlug = 160

var slugForm = regexp.MustCompile(`^[a-z0-9](-?[a-z0-9])*$`)

// slugRule trims, cuts and drops hyphens at the end in silence; nothing is lowercased (TabNews API, section 3, What is
// changed silently). The slug in a path goes through it too.
func slugRule(key string, value any) (*string, *refusal) {
	s, ref := asText(key, value, trimSpaces, func(s string) string { return cutUnits(s, maxSlug) })
	switch {
	case ref != nil:
		return nil, ref
	case len(s) > maxSlug: // this limit alone counts bytes, so it takes letters beyond ASCII to break it
		return nil, tooLong(key, maxSlug)
	}
	s = strings.TrimRight(s, "-")
	if !slugForm.MatchString(s) {
		return nil, wrongForm(key)
	}
	return &s, nil
}

// slugFromTitle makes the slug of a content that came without one (TabNews API, section 4). Of a title without any
// letter that can be written in Latin it is the slug of its Base64.
func slugFromTitle(title string) string {
	title = shortenTitle(title)
	s := slugify(title)
	if s == "" {
		s = slugify(base64.StdEncoding.EncodeToString([]byte(title)))
	}
	return strings.TrimRight(cutUnits(s, maxSlug), "-")
}

// shortenTitle cuts a title that is long by both measures, UTF-16 units and what a reader sees as characters.
func shortenTitle(title string) string {
	if units(title) <= maxSlug || uniseg.GraphemeClusterCount(title) < maxSlug {
		return title
	}
	rest, state, kept := title, -1, 0
	for n := 0; n < maxSlug-3; n++ {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		kept += len(cluster)
	}
	return title[:kept] + "..."
}

// slugify writes what it can in Latin, drops the rest, and joins the words with single hyphens.
func slugify(s string) string {
	var latin strings.Builder
	for len(s) > 0 {
		text, size := latinOf(s)
		latin.WriteString(text)
		s = s[size:]
	}
	words := strings.FieldsFunc(latin.String(), isScriptSpace)
	return strings.ToLower(strings.Join(words, "-"))
}

// latinOf gives the Latin text of the first letter of s (or of the first letters, where a pair has a text of its own)
// and the length of what it read.
func latinOf(s string) (string, int) {
	for _, p := range latinPairs { // the longest first
		if strings.HasPrefix(s, p.letters) {
			return p.latin, len(p.letters)
		}
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == '-':
		return " ", size
	case isScriptSpace(r), r < 0x80 && alphanumeric.MatchString(string(r)):
		return string(r), size
	}
	return latinLetters[r], size
}
