package frontmatter

import (
	"errors"
	"strings"
	"testing"

	"postonce/publication"
)

func TestParseTakesEveryKeyAndTheBodyAsWritten(t *testing.T) {
	doc, err := Parse("artigo.md", []byte("---\ntitle: 'Olá: mundo'\nslug: ola-mundo\nsource_url: https://example.com/a#b\nstatus: draft\n---\n\n# Olá\r\n\ttexto  \n---\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := publication.Payload{
		Title: "Olá: mundo", Slug: "ola-mundo", SourceURL: "https://example.com/a#b", Status: "draft",
		Body: "\n# Olá\r\n\ttexto  \n---\n\n",
	}
	if doc.Payload != want || doc.Changes != nil {
		t.Errorf("got  %+v, %v\nwant %+v", doc.Payload, doc.Changes, want)
	}
}

func TestOnlyTheTitleIsRequired(t *testing.T) {
	doc, err := Parse("a.md", []byte("---\ntitle: Um\nslug:\nstatus: null\n---"))
	if want := (publication.Payload{Title: "Um"}); err != nil || doc.Payload != want {
		t.Errorf("got %+v, %v", doc.Payload, err)
	}
}

func TestByteOrderMarkAndCRLFAreTaken(t *testing.T) {
	doc, err := Parse("a.md", []byte("\ufeff--- \r\ntitle: Um\r\nslug: um\r\n---\t\r\num\r\ndois\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := (publication.Payload{Title: "Um", Slug: "um", Body: "um\r\ndois\r\n"}); doc.Payload != want {
		t.Errorf("got %+v", doc.Payload)
	}
	if len(doc.Changes) != 1 || doc.Changes[0].Field != "file" {
		t.Errorf("told %v", doc.Changes)
	}
}

func TestPlainScalarsAreTheTextThatIsWritten(t *testing.T) {
	for written, want := range map[string]string{
		"2026":            "2026",
		"0x10":            "0x10",
		"1_000":           "1_000",
		"3.10":            "3.10",
		"yes":             "yes",
		"True":            "True",
		"2026-01-02":      "2026-01-02",
		"!!str null":      "null",
		`"null"`:          "null",
		`"a\u0301\n b"`:   "a\u0301\n b",
		"Go é bom # mas":  "Go é bom",
		"C# e F#":         "C# e F#",
		"|\n  Um\n  Dois": "Um\nDois\n",
		">-\n  Um\n  só":  "Um só",
		"<<":              "<<",
	} {
		doc, err := Parse("a.md", []byte("---\ntitle: "+written+"\n---\ntexto"))
		if err != nil || doc.Payload.Title != want {
			t.Errorf("%s: got %q, %v, want %q", written, doc.Payload.Title, err, want)
		}
	}
}

func TestErrorsNameFileLineFieldRuleAndWayOut(t *testing.T) {
	const front = "---\ntitle: Um\n"
	for _, c := range []struct{ name, file, want string }{
		{"empty file", "", `a.md:1: front matter: is missing; begin the file with three lines: "---", "title: Your title", "---"`},
		{"no front matter", "# Olá\n", `a.md:1: front matter: is missing; begin the file with three lines: "---", "title: Your title", "---"`},
		{"not closed", front + "texto\n", `a.md:1: front matter: is not closed; write a line "---" after its last key`},
		{"empty", "---\n---\n", `a.md:2: title: is required; write a line "title: Your title"`},
		{"comment alone", "---\n# nada\n---\n", `a.md:2: title: is required; write a line "title: Your title"`},
		{"null alone", "---\n~\n---\n", `a.md:2: title: is required; write a line "title: Your title"`},
		{"title empty", "---\nslug: a\ntitle:\n---\n", `a.md:3: title: is required; write a line "title: Your title"`},
		{"title null", "---\n\ntitle: null\n---\n", `a.md:3: title: is required; write a line "title: Your title"`},
		{"title blank", "---\ntitle: ' '\n---\n", `a.md:2: title: is required; write a line "title: Your title"`},
		{"unknown key", front + "titel: x\n---\n", `a.md:3: titel: is not a key of the front matter, which are title, slug, source_url, status; write "title", or remove it`},
		{"unknown key in another case", "---\nSourceUrl: x\n---\n", `a.md:2: SourceUrl: is not a key of the front matter, which are title, slug, source_url, status; write "source_url", or remove it`},
		{"unknown key like none", front + "author: x\n---\n", `a.md:3: author: is not a key of the front matter, which are title, slug, source_url, status; remove it`},
		{"merge key", front + "<<: {slug: a}\n---\n", `a.md:3: <<: is not a key of the front matter, which are title, slug, source_url, status; remove it`},
		{"key a list", "---\n? [a]\n: b\n---\n", `a.md:2: a list: is not a key of the front matter, which are title, slug, source_url, status; remove it`},
		{"key of many lines", "---\n\"a\\nb\": c\n---\n", `a.md:2: a\nb: is not a key of the front matter, which are title, slug, source_url, status; remove it`},
		{"twice", front + "slug: a\ntitle: Dois\n---\n", `a.md:4: title: is written twice, first on line 2; remove one of the two`},
		{"a list", "---\ntitle: [a]\n---\n", `a.md:2: title: must be a text, this is a list; write it like title: "a text"`},
		{"a group", front + "slug:\n  a: b\n---\n", `a.md:4: slug: must be a text, this is a group of keys; write it like slug: "a text"`},
		{"a reference", "---\ntitle: &t Um\nslug: *t\n---\n", `a.md:3: slug: must be a text, this is a reference to another value; write it like slug: "a text"`},
		{"another type", "---\ntitle: !!binary YQ==\n---\n", `a.md:2: title: must be a text, this is of the type !!binary; write it like title: "a text"`},
		{"no keys", "---\nUm título\n---\n", `a.md:2: front matter: must be lines of a key, a colon, a space and a text; write it like "title: Your title"`},
		{"no YAML", "---\nslug: a\ntitle: Um: dois\n---\n", `a.md:3: front matter: must be YAML: mapping values are not allowed in this context; put a text with special characters in quotes, like title: "One: two"`},
		{"UTF-16", "\xff\xfe-\x00", "a.md:1: file: must be UTF-8, this is UTF-16; save it as UTF-8"},
		{"Latin 1", front + "---\nOl\xe1\n", "a.md:4: file: must be UTF-8, the byte at offset 20 (0xE1) is not; save it as UTF-8"},
		{"over a megabyte", strings.Repeat("a", MaxSize+1), "a.md:1: file: at most 1048576 bytes, this has 1048577; shorten the text; TabNews takes 20000 characters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := Parse("a.md", []byte(c.file))
			var problem *Error
			if !errors.As(err, &problem) || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if doc.Payload != (publication.Payload{}) {
				t.Errorf("beside an error: %+v", doc.Payload)
			}
		})
	}
}

func TestAtGivesTheLineOfAField(t *testing.T) {
	doc, err := Parse("a.md", []byte("---\nslug: a\ntitle: b\n---\n\ntexto"))
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{"slug": "a.md:2", "title": "a.md:3", "body": "a.md:5", "status": "a.md"} {
		if got := doc.At(field); got != want {
			t.Errorf("%s: got %s, want %s", field, got, want)
		}
	}
}

// Blank lines between front matter and text are TabNews' to refuse; publication.Prepare removes and tells them.
func TestBlankLinesBeforeTheTextAreLeftToPrepare(t *testing.T) {
	doc, err := Parse("a.md", []byte("---\ntitle: Um\n---\n\n\ntexto\n"))
	if err != nil {
		t.Fatal(err)
	}
	ready, told, err := publication.Prepare(doc.Payload)
	if err != nil || ready.Body != "texto" || len(told) != 3 {
		t.Errorf("got %+v, %v, %v", ready, told, err)
	}
}

func TestATextMayDoWithoutFrontMatter(t *testing.T) {
	for file, want := range map[string]publication.Payload{
		"Um texto.\n\n---\nfim": {Body: "Um texto.\n\n---\nfim"},
		"---\n---\nUm texto.":   {Body: "Um texto."},
		"---\nslug: a\n---\num": {Slug: "a", Body: "um"},
		"":                      {},
	} {
		doc, err := ParseText("a.md", []byte(file))
		if err != nil || doc.Payload != want {
			t.Errorf("%q: got %+v, %v", file, doc.Payload, err)
		}
		if doc.Has("slug") != (want.Slug != "") || doc.Has("title") {
			t.Errorf("%q: has slug %t, title %t", file, doc.Has("slug"), doc.Has("title"))
		}
	}
	if _, err := ParseText("a.md", []byte("---\ntitel: x\n---\ntexto")); err == nil {
		t.Error("an unknown key was taken")
	}
}

// A key without a value says that there is none; a key that is left out says nothing.
func TestHasTellsEmptyFromLeftOut(t *testing.T) {
	doc, err := ParseText("a.md", []byte("---\nsource_url:\n---\ntexto"))
	if err != nil || !doc.Has("source_url") || doc.Has("title") {
		t.Errorf("got %+v, %v", doc, err)
	}
}
