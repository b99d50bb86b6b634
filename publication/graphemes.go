package publication

import "unicode"

// graphemes gives the byte offsets at which the user-perceived characters of s begin. It approximates UAX #29 with the
// tables that Go has: it joins marks, joiners, tags and emoji modifiers to what stands before them, emoji around a
// zero-width joiner, pairs of regional indicators, CRLF, Hangul vowels and finals, Arabic prefixes. It does not join
// Indic conjuncts, and takes some spacing marks of South-East Asia for joined that are not. It only matters for titles
// of more than 160 UTF-16 units that have about 160 such characters.
func graphemes(s string) []int {
	var starts []int
	var before rune
	indicators := 0 // regional indicators in a row, up to before
	for at, r := range s {
		if at == 0 || !joins(before, r, indicators) {
			starts = append(starts, at)
		}
		if isRegionalIndicator(r) {
			indicators++
		} else {
			indicators = 0
		}
		before = r
	}
	return starts
}

const (
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
)

// joins tells whether r belongs to the user-perceived character that before is part of.
func joins(before, r rune, indicators int) bool {
	switch {
	case before == '\r' && r == '\n':
		return true
	case breaksAlways(before), breaksAlways(r):
		return false
	case isRegionalIndicator(r):
		return indicators%2 == 1 || isPrefix(before)
	case before == zeroWidthJoiner && isPictograph(r):
		return true
	}
	return extends(r) || isPrefix(before)
}

func extends(r rune) bool {
	switch {
	case r == zeroWidthJoiner, r == zeroWidthNonJoiner,
		0x1160 <= r && r <= 0x11FF,   // Hangul vowels and finals
		0x1F3FB <= r && r <= 0x1F3FF, // emoji modifiers
		0xE0020 <= r && r <= 0xE007F: // tags
		return true
	}
	return unicode.Is(unicode.M, r)
}

// breaksAlways: controls, line ends and the invisible formats, but for those that join.
func breaksAlways(r rune) bool {
	if extends(r) || isPrefix(r) {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// isPrefix: the Arabic signs that stand over the digits after them.
func isPrefix(r rune) bool {
	return 0x0600 <= r && r <= 0x0605 || r == 0x06DD || r == 0x08E2
}

func isPictograph(r rune) bool {
	return 0x1F000 <= r && r <= 0x1FAFF || 0x2190 <= r && r <= 0x2BFF || r == '©' || r == '®'
}

func isRegionalIndicator(r rune) bool { return 0x1F1E6 <= r && r <= 0x1F1FF }
