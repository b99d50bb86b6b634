package publication

import (
	"testing"
	"unicode"
)

func TestInvisibleIsTheSetThatTabNewsTrims(t *testing.T) {
	for name, r := range map[string]rune{
		"space": ' ', "line feed": '\n', "next line": '\u0085', "no-break space": '\u00a0', "ideographic space": '\u3000',
		"line separator": '\u2028', "NUL": 0, "soft hyphen": '\u00ad', "zero-width space": '\u200b', "joiner": '\u200d',
		"byte order mark": '\ufeff', "right-to-left mark": '\u200f', "private use": '\ue000', "private use, last": 0x10FFFD,
		"tag": 0xE0067, "noncharacter": 0xFFFF, "unassigned": 0x0378, "grapheme joiner": '\u034f',
		"Khmer vowel, AQ": '\u17b4', "Khmer vowel, AA": '\u17b5', "empty Braille": '\u2800', "Hangul choseong filler": '\u115f',
		"Hangul jungseong filler": '\u1160', "Hangul filler": '\u3164', "half-width Hangul filler": '\uffa0',
	} {
		if !Invisible(r) {
			t.Errorf("%s, %U, is held for visible", name, r)
		}
	}
	for name, r := range map[string]rune{
		"letter": 'a', "ideograph": '日', "combining tilde": '\u0303', "variation selector": '\ufe0f', "emoji": '😀',
		"replacement character": '\ufffd', "Braille": '\u2801', "hyphen": '-', "backslash": '\\',
	} {
		if Invisible(r) {
			t.Errorf("%s, %U, is held for invisible", name, r)
		}
	}
}

// TabNews knows Unicode 17; each row is at the edge of a block that Unicode 15.1, 16 or 17 added, beside one that is
// still free.
func TestWhatUnicodeAddedSinceGosTablesIsVisible(t *testing.T) {
	for _, c := range []struct {
		name                string
		first, last, beyond rune
	}{
		{"ideographic description, 15.1", 0x2FFC, 0x2FFF, 0x2FE0},
		{"ideographs extension I, 15.1", 0x2EBF0, 0x2EE5D, 0x2EE5E},
		{"Garay digits, 16", 0x10D40, 0x10D65, 0x10D66},
		{"Egyptian hieroglyphs extended A, 16", 0x13460, 0x143FA, 0x143FB},
		{"face with bags under its eyes, 16", 0x1FAE9, 0x1FAE9, 0x1FAEB},
		{"Sidetic, 17", 0x10940, 0x10959, 0x1095A},
		{"ideographs extension J, 17", 0x323B0, 0x33479, 0x3347A},
	} {
		if Invisible(c.first) || Invisible(c.last) {
			t.Errorf("%s: %U or %U is held for invisible", c.name, c.first, c.last)
		}
		if !Invisible(c.beyond) {
			t.Errorf("%s: %U is free in Unicode 17, and held for visible", c.name, c.beyond)
		}
	}
}

func TestNewerTableIsSortedAndLeavesControlsOut(t *testing.T) {
	last := rune(-1)
	check := func(lo, hi rune) {
		if lo <= last || hi < lo {
			t.Errorf("%U to %U follows %U", lo, hi, last)
		}
		if unicode.In(lo, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) || unicode.In(hi, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) {
			t.Errorf("%U or %U is a control, a format or private", lo, hi)
		}
		last = hi
	}
	for _, r := range newerAssigned.R16 {
		check(rune(r.Lo), rune(r.Hi))
	}
	for _, r := range newerAssigned.R32 {
		check(rune(r.Lo), rune(r.Hi))
	}
}
