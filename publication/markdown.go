package publication

import (
	"regexp"
	"strings"
)

// ShowsText tells whether something visible is left of a body once its Markdown and HTML are removed; TabNews refuses
// a body of which nothing is (TabNews API, POST /api/v1/contents, "markdown.empty").
//
// It is no Markdown parser, and neither is TabNews' check: both take markup out by patterns, in order. Known limits:
//   - A body of fences alone ("```" and "```") is refused here in every spelling, whereas TabNews' patterns leave a
//     stray backtick of some.
//   - Emphasis is left standing, so a body of nothing but emphasis marks around invisible characters passes here and
//     is refused by TabNews.
//   - As at TabNews, all between < and > counts as a tag, so a lone <https://example.com> is no text.
func ShowsText(md string) bool {
	text := strings.Map(asciiSpace, strings.ReplaceAll(md, "\r\n", "\n"))
	for _, m := range markup {
		text = m.pattern.ReplaceAllString(text, m.keep)
	}
	return strings.TrimLeftFunc(text, Invisible) != ""
}

// markup is what is taken out of a body, in this order, and what is kept of it. White space is a blank or a line feed
// by then.
var markup = []struct {
	pattern *regexp.Regexp
	keep    string
}{
	{regexp.MustCompile(`(?m)^(?:[-*_][ \n]*?){3,}[ \n]*`), ""},                // thematic break
	{regexp.MustCompile(`(?m)^([ \n]*)(?:[-*+]|[0-9]+\.)[ \n]+`), "$1"},        // list item
	{regexp.MustCompile(`\n={2,}`), "\n"},                                      // underline of a heading
	{regexp.MustCompile("(?:~{3}|`{3})[^\n]*\n"), ""},                          // fence, with its language
	{regexp.MustCompile("(?m)^ {0,3}(?:~{3,}|`{3,}) *$"), ""},                  // fence that closes
	{regexp.MustCompile(`~~`), ""},                                             // strikethrough
	{regexp.MustCompile(`<[^>]*>`), ""},                                        // HTML tag or comment
	{regexp.MustCompile(`^[=-]{2,}[ \n]*$`), ""},                               // nothing but an underline
	{regexp.MustCompile(`\[\^[^\n]+?\](?:: [^\n]*$)?`), ""},                    // footnote
	{regexp.MustCompile(`[ \n]{0,2}\[[^\n]*?\]: [^\n]*$`), ""},                 // link definition that ends the text
	{regexp.MustCompile(`!\[([^\n]*?)\][\[(][^\n]*?[\])]`), "$1"},              // image: its alternative text stays
	{regexp.MustCompile(`\[([^\]]*)\][\[(][^\n]*?[\])]`), "$1"},                // link: its text stays
	{regexp.MustCompile(`(?m)^[ \n]{0,3}> ?`), ""},                             // quotation
	{regexp.MustCompile(`(?m)^[ \n]*#{1,6}(?: +([^\n]*?))??(?: +#+)?$`), "$1"}, // heading
	{regexp.MustCompile("`{3,}([^\n`]*)`{3,}"), "$1"},                          // code between long marks
	{regexp.MustCompile("`([^\n]+?)`"), "$1"},                                  // code
	{regexp.MustCompile(`~([^\n]*?)~`), "$1"},                                  // subscript
}

// asciiSpace makes a line feed of every line terminator of ECMAScript and a blank of its other white space, so that the
// patterns see what TabNews' see.
func asciiSpace(r rune) rune {
	switch {
	case r == '\n', r == '\r', r == '\u2028', r == '\u2029':
		return '\n'
	case isSpace(r):
		return ' '
	}
	return r
}
