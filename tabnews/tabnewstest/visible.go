package tabnewstest

import (
	"strings"
	"unicode"

	"postonce/publication"
)

// invisible is the set of characters that TabNews trims and refuses in front (TabNews API, section 3, What is changed
// silently). Only the set is shared with publication: how it is used is written here anew, so that a mistake on one
// side shows as a difference.
func invisible(r rune) bool { return publication.Invisible(r) }

func trimInvisibleEnd(s string) string   { return strings.TrimRightFunc(s, invisible) }
func trimInvisibleStart(s string) string { return strings.TrimLeftFunc(s, invisible) }

func startsInvisible(s string) bool {
	for _, r := range s {
		return invisible(r)
	}
	return false
}

// trimSpaces is String.prototype.trim of JavaScript, which TabNews uses for slug, status, parent_id and source_url. It
// takes the byte order mark, and not U+0085, where Go's does the reverse.
func trimSpaces(s string) string { return strings.TrimFunc(s, isScriptSpace) }

// isScriptSpace is JavaScript's \s.
func isScriptSpace(r rune) bool {
	return r == '\t' || r == '\n' || r == '\v' || r == '\f' || r == '\r' || r == 0xFEFF || unicode.Is(unicode.Z, r)
}

func withoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "") }

// units counts UTF-16 units, in which TabNews' limits are.
func units(s string) int {
	n := 0
	for _, r := range s {
		if r > 0xFFFF {
			n++
		}
		n++
	}
	return n
}

// cutUnits gives the first n UTF-16 units of s; half a character at the end falls away.
func cutUnits(s string, n int) string {
	for at, r := range s {
		if r > 0xFFFF {
			n--
		}
		if n--; n < 0 {
			return s[:at]
		}
	}
	return s
}
