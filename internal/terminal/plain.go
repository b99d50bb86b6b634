package terminal

import (
	"fmt"
	"strings"
	"unicode"
)

// Plain makes control and bidirectional characters of s visible, such as <U+001B>; line ends and tabs stay.
func Plain(s string) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if hidden(r) {
			fmt.Fprintf(&out, "<%U>", r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// Line is Plain on one line: white space is folded to single spaces.
func Line(s string) string { return Plain(strings.Join(strings.Fields(s), " ")) }

func hidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
