package publication

import (
	"strings"
	"unicode"
)

//go:generate sh -c "node internal/unicodetable/assigned.mjs | go run ./internal/unicodetable >invisible_table.go && gofmt -w invisible_table.go"

// Invisible tells whether TabNews trims r from the ends of a title and the end of a body (TabNews API, POST
// /api/v1/contents, silent changes): white space as ECMAScript's \s has it, everything of Unicode category C (controls,
// formats, private use, unassigned), and seven marks and fillers that show nothing.
//
// TabNews counts as assigned what Unicode 17 assigns; Go's own tables are older, so newerAssigned fills the gap. A
// letter that only a still newer Unicode knows is unassigned for TabNews and for us alike.
func Invisible(r rune) bool {
	switch r {
	case '\u034F', '\u115F', '\u1160', '\u17B4', '\u17B5', '\u2800', '\u3164', '\uFFA0':
		return true
	}
	if unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) {
		return false
	}
	if unicode.Is(unicode.Z, r) {
		return true
	}
	return !unicode.Is(newerAssigned, r)
}

// trimSpace removes at both ends what ECMAScript's String.prototype.trim removes (ECMA-262, white space and line
// terminators): unlike Go's it takes U+FEFF and leaves U+0085.
func trimSpace(s string) string { return strings.TrimFunc(s, isSpace) }

func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', '\uFEFF':
		return true
	}
	return unicode.Is(unicode.Z, r)
}

// utf16Len counts as TabNews counts: UTF-16 units, two for what lies beyond U+FFFF.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
