package publication

import (
	"regexp"
	"strings"
)

// ShowsText tells whether something visible is left of a body once its Markdown and HTML are removed; TabNews refuses
// a body of which nothing is (TabNews API, POST /api/v1/contents, "markdown.empty"). The body's end is trimmed by then.
//
// It is no Markdown parser, and neither is TabNews' check: both take markup out by patterns, in order. So all between <
// and > counts as a tag, and a lone <https://example.com> is no text; a fence without its end leaves a backtick, which
// is text. Known limits: emphasis of more than three marks, and lists and thematic breaks that begin after a lone CR,
// U+2028 or U+2029, are left standing.
func ShowsText(md string) bool {
	if emptyFence.MatchString(md) {
		return false
	}
	for _, m := range blockMarkup {
		md = m.pattern.ReplaceAllString(md, m.keep)
	}
	// A fence ends with a line feed and with nothing else; for what follows all line terminators are one.
	md = strings.Map(oneLineEnd, strings.ReplaceAll(md, "\r\n", "\n"))
	for _, m := range inlineMarkup {
		md = m.pattern.ReplaceAllString(md, m.keep)
	}
	return strings.TrimLeftFunc(md, Invisible) != ""
}

// oneLineEnd makes a line feed of every line terminator of ECMAScript.
func oneLineEnd(r rune) rune {
	switch r {
	case '\r', '\u2028', '\u2029':
		return '\n'
	}
	return r
}

// replacement is markup that is taken out of a body, and what is kept of it.
type replacement struct {
	pattern *regexp.Regexp
	keep    string
}

// cut makes a replacement of a pattern in which SPACE stands for ECMAScript's white space, TEXT for what is none, WHITE
// for white space within a class, and LINE for all but ECMAScript's line terminators.
func cut(pattern, keep string) replacement { return replacement{scriptPattern(pattern), keep} }

func scriptPattern(pattern string) *regexp.Regexp {
	const space = `\t\n\v\f\r\p{Z}\x{FEFF}`
	return regexp.MustCompile(strings.NewReplacer(
		"WHITE", space, "SPACE", "["+space+"]", "TEXT", "[^"+space+"]", "LINE", `[^\n\r\x{2028}\x{2029}]`,
	).Replace(pattern))
}

// emptyFence is a body that is a code block without code.
var emptyFence = scriptPattern("^(?:`{3,}|~{3,})[^WHITE`~]*SPACE+(?:`{3,}|~{3,})$")

// What is taken out, in this order.
var (
	blockMarkup = []replacement{
		cut(`(?m)^(?:[-*_]SPACE*?){3,}SPACE*`, ""),         // thematic break
		cut(`(?m)^(SPACE*)(?:[-*+]|[0-9]+\.)SPACE+`, "$1"), // list item
		cut(`\n={2,}`, "\n"),                               // underline of a heading
		cut("~{3}LINE*\n", ""), cut("~~", ""),              // fence, with its language; strikethrough
		cut("`{3}LINE*\n", ""), // fence
	}
	inlineMarkup = []replacement{
		cut(`<[^>]*>`, ""),                                                    // HTML tag or comment
		cut(`^[=-]{2,}SPACE*$`, ""),                                           // nothing but an underline
		cut(`\[\^LINE+?\](?:: LINE*$)?`, ""),                                  // footnote
		cut(`SPACE{0,2}\[LINE*?\]: LINE*$`, ""),                               // link definition that ends the text
		cut(`!\[(LINE*?)\][\[(]LINE*?[\])]`, "$1"),                            // image: its alternative text stays
		cut(`\[([^\]]*)\][\[(]LINE*?[\])]`, "$1"),                             // link: its text stays
		cut(`(?m)^SPACE{0,3}>SPACE?`, ""),                                     // quotation
		cut(`(?m)^SPACE*#{1,6}SPACE*(?: (LINE+))? +#+$`, "$1"),                // heading, closed
		cut(`(?m)^SPACE*#{1,6}SPACE*(?: (LINE+))?$`, "$1"),                    // heading
		cut(`\*{3}(TEXT(?:LINE*?TEXT)??)\*{3}`, "$1"),                         // emphasis
		cut(`\*{2}(TEXT(?:LINE*?TEXT)??)\*{2}`, "$1"),                         // emphasis
		cut(`\*(TEXT(?:LINE*?TEXT)??)\*`, "$1"),                               // emphasis
		cut(`(^|\W)_{2}([^WHITE_](?:LINE*?[^WHITE_])??)_{2}($|\W)`, "$1$2$3"), // emphasis
		cut(`(^|\W)_([^WHITE_](?:LINE*?[^WHITE_])??)_($|\W)`, "$1$2$3"),       // emphasis
		cut("`{3}(LINE*?)`{3}", "$1"), cut("`(LINE+?)`", "$1"),                // code
		cut(`~(LINE*?)~`, "$1"), // subscript
	}
)
