package publication

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// SlugFromTitle gives the slug that TabNews makes of a normalised title when none is sent (TabNews API, slug made from
// the title). Many titles collide: case, accents and punctuation go, and what is beyond the 157th character of a long
// title. So postonce makes it before approval and always sends it.
//
// A title of which no letter is left, such as "😀", becomes the slug of its Base64; only an empty title gives "".
//
// Whether a long title is cut depends on its count of user-perceived characters, which graphemes approximates.
func SlugFromTitle(title string) string {
	title = cutTitle(title)
	s := slugOf(title)
	if s == "" {
		s = slugOf(base64.StdEncoding.EncodeToString([]byte(title)))
	}
	return trimSlug(s)
}

// slugOf transliterates, drops what has no Latin form, and joins the words with single hyphens.
func slugOf(text string) string {
	var out strings.Builder
	for len(text) > 0 {
		latin, size := transliterate(text)
		out.WriteString(latin)
		text = text[size:]
	}
	return strings.Join(strings.FieldsFunc(out.String(), isSpace), "-")
}

// transliterate gives the slug's text for the letter or sequence that text begins with, and its size in bytes. A space
// stands for a hyphen.
func transliterate(text string) (latin string, size int) {
	for _, length := range []int{3, 2} {
		if prefix := firstRunes(text, length); sequences[prefix] != "" {
			return sequences[prefix], len(prefix)
		}
	}
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		return text[:size], size
	case 'A' <= r && r <= 'Z':
		return string(r + 'a' - 'A'), size
	case r == '%':
		return " por cento", size
	case r == '&':
		return " e ", size
	case isSpace(r), strings.ContainsRune("-><@.,_/", r):
		return " ", size
	}
	return latinOf[r], size
}

// latinOf is transliterations by letter.
var latinOf = func() map[rune]string {
	m := map[rune]string{}
	for _, t := range transliterations {
		for _, letter := range t.letters {
			m[letter] = t.latin
		}
	}
	return m
}()

// firstRunes gives the first n runes of s, or s when it has no more.
func firstRunes(s string, n int) string {
	for at := range s {
		if n == 0 {
			return s[:at]
		}
		n--
	}
	return s
}

// cutTitle cuts a title as TabNews does before it makes the slug: more than 160 UTF-16 units and at least 160
// user-perceived characters become the first 157 of them. (TabNews adds "...", of which a slug shows nothing.)
func cutTitle(title string) string {
	const limit, kept = 160, 157
	if utf16Len(title) <= limit {
		return title
	}
	starts := graphemes(title)
	if len(starts) < limit {
		return title
	}
	return title[:starts[kept]]
}
