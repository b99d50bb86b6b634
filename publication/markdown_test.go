package publication

import "testing"

// The first rows are what the real server refused as empty (TabNews API, POST /api/v1/contents).
func TestMarkupAloneShowsNoText(t *testing.T) {
	for _, md := range []string{
		"---", "#", "<br><p></p>", "![](https://example.com/a.png)", "[//]: # (marca)", "<!-- marca -->",
		"![](https://example.com/a.png)\n            <div><a></a></div>",
		"```\n```", "```js\n\n```", "``````", "~~~\n~~~", "~~~\r\n~~~",
		"* * *", "___", "- \u200b", "## ##", "====", "--", ">", "> ", "[](https://example.com)", "` `", "<a>\u2800</a>",
		"[^1]: nota", "[a]: https://example.com", "---\r\n\r\n***",
	} {
		if ShowsText(md) {
			t.Errorf("%q is held for text", md)
		}
	}
}

func TestTextInAnyMarkupIsText(t *testing.T) {
	for _, md := range []string{
		"a", "\u0301", "😀", "🫩", "-", "1", "# Olá", "#tag", "####### sete", "> citação", "- item", "1. item", "**a**", "_a_",
		"![alt](https://example.com/a.png)", "[texto](https://example.com)", "`código`", "```js\nlet a = 1;\n```",
		"~~~\ntexto\n~~~", "~~riscado~~", "<p>texto</p>", "<!-- marca -->\n\ntexto", "texto\n\n[1]: https://example.com",
		"a < b", "Título\n===", "---\n\ntexto", "| a | b |", "\\", "$x$", "&nbsp;", "texto\r\n```\r\n",
	} {
		if !ShowsText(md) {
			t.Errorf("%q is held for empty", md)
		}
	}
}
