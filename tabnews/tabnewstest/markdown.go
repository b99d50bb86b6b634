package tabnewstest

import (
	"regexp"
	"strings"
)

// showsText tells whether anything visible is left of a body once its Markdown is removed (TabNews API, section 3,
// "body empty once Markdown is removed"). The body's end is trimmed by then.
func showsText(body string) bool { return plainText(body) != "" }

// plainText takes markup out of a Markdown text by patterns, in order, as TabNews does: it is no parser. Alternative
// texts of images and the texts of links stay, and so does code.
func plainText(md string) string {
	if emptyFence.MatchString(md) {
		return ""
	}
	text := md
	for _, rule := range blockMarkup {
		text = rule.find.ReplaceAllString(text, rule.keep)
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	for _, rule := range inlineMarkup {
		text = rule.find.ReplaceAllString(text, rule.keep)
	}
	text = trimInvisibleEnd(trimInvisibleStart(text))
	return spaces.ReplaceAllString(text, " ")
}

// excerpt is the body of a comment in a listing: plain text, cut to 255 (TabNews API, section 5).
func excerpt(md string) string {
	const most = 255
	text := plainText(md)
	if units(text) <= most {
		return text
	}
	return trimSpaces(cutUnits(text, most-3)) + "..."
}

type markupRule struct {
	find *regexp.Regexp
	keep string
}

// scriptPattern compiles a pattern that means by \s and a dot what JavaScript means by them.
func scriptPattern(pattern string) *regexp.Regexp {
	const space, lineEnd = `\t\n\v\f\r\p{Z}\x{FEFF}`, `\n\r\x{2028}\x{2029}`
	return regexp.MustCompile(strings.NewReplacer(
		`[^\s`, `[^`+space, `\s`, `[`+space+`]`, `\S`, `[^`+space+`]`, `.*`, `[^`+lineEnd+`]*`, `.+`, `[^`+lineEnd+`]+`,
	).Replace(pattern))
}

func remove(pattern string) markupRule { return markupRule{scriptPattern(pattern), ""} }

func keep(kept, pattern string) markupRule { return markupRule{scriptPattern(pattern), kept} }

var (
	spaces     = scriptPattern(`\s+`)
	emptyFence = scriptPattern("^(?:`{3,}|~{3,})[^\\s`~]*\\s+(?:`{3,}|~{3,})$")
)

// The rules apply from top to bottom; the order is part of the behaviour (a rule is a rule before it is a list). Those
// of blocks see line ends as they were sent: a fence ends with a line feed, so one that ends with CRLF is none.
var (
	blockMarkup = []markupRule{
		remove(`(?m)^(?:-\s*?|\*\s*?|_\s*?){3,}\s*`),  // rule
		keep("$1", `(?m)^(\s*)(?:[*+-]|[0-9]+\.)\s+`), // list item
		keep("\n", `\n={2,}`),                         // underlined heading
		remove("~{3}.*\n"), remove("~~"),              // fence, struck out
		remove("`{3}.*\n"), // fence
	}
	inlineMarkup = []markupRule{
		remove(`<[^>]*>`),                                             // tag, comment, bare address
		remove(`^[=-]{2,}\s*$`),                                       // underline alone
		remove(`\[\^.+?\](?:: .*?$)?`),                                // footnote
		remove(`\s{0,2}\[.*?\]: .*?$`),                                // link definition at the end
		keep("$1", `!\[(.*?)\][\[(].*?[\])]`),                         // image
		keep("$1", `\[([^\]]*?)\][\[(].*?[\])]`),                      // link
		keep("$1", `(?m)^(\n)?\s{0,3}>\s?`),                           // quotation
		keep("$1$2", `(?m)^(\n)?\s*#{1,6}\s*(?: (.+))? +#+$`),         // heading, closed
		keep("$1$2", `(?m)^(\n)?\s*#{1,6}\s*(?: (.+))?$`),             // heading
		keep("$1", `\*{3}(\S(?:.*?\S)??)\*{3}`),                       // emphasis
		keep("$1", `\*{2}(\S(?:.*?\S)??)\*{2}`),                       // emphasis
		keep("$1", `\*(\S(?:.*?\S)??)\*`),                             // emphasis
		keep("$1$2$3", `(^|\W)_{2}([^\s_](?:.*?[^\s_])??)_{2}($|\W)`), // emphasis
		keep("$1$2$3", `(^|\W)_([^\s_](?:.*?[^\s_])??)_($|\W)`),       // emphasis
		keep("$1", "`{3}(.*?)`{3}"),                                   // code
		keep("$1", "`(.+?)`"),                                         // code
		keep("$1", `~(.*?)~`),                                         // struck out
	}
)
