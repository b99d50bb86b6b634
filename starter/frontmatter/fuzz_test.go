package frontmatter

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"postonce/publication"
)

// Whatever the bytes: no panic; an error of one line, or a payload whose body is the end of the file, untouched, and
// which Prepare changes at its ends only, but for NUL.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"---\ntitle: Um\n---\n\ntexto\n",
		"\ufeff---\r\ntitle: \"a\\u0000\"\r\nslug: a-b\r\n---\r\n\u200bum\r\ndois\x00\r\n",
		"---\ntitle: &a [*a]\n---\n",
		"---\n? {a: b}\n: |\n  c\n--- \n",
		"---\n%YAML 1.1\n---\n---\n",
		"\xff\xfe-",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		doc, err := Parse("a.md", raw)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("the error has many lines: %q", err)
			}
			return
		}
		p := doc.Payload
		if !bytes.HasSuffix(raw, []byte(p.Body)) || p.Title == "" || !utf8.ValidString(p.Title+p.Slug+p.SourceURL) {
			t.Errorf("payload %+v", p)
		}
		ready, _, err := publication.Prepare(p)
		if err == nil && !strings.Contains(strings.ReplaceAll(p.Body, "\x00", ""), ready.Body) {
			t.Errorf("body %q became %q", p.Body, ready.Body)
		}
	})
}
