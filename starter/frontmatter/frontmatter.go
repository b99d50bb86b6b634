// Package frontmatter reads an article as a person wrote it: a Markdown file that begins with its front matter, a few
// lines of YAML between two lines of three hyphens. It decides what the file says, not whether TabNews would take it;
// that is publication.Prepare's. It imports publication and a YAML parser.
package frontmatter

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"postonce/publication"
)

// MaxSize is the size, in bytes, of the largest file that is read. TabNews takes no request beyond it (TabNews API,
// common to all routes), and no body of more than 20000 UTF-16 units.
const MaxSize = 1 << 20

// Document is what a file says.
type Document struct {
	// Payload holds Title, Slug, SourceURL, Status and Body as they are written, the body byte for byte. What is not
	// written is empty, the status too.
	Payload publication.Payload
	// Changes tells what was done to the file's bytes before they were read.
	Changes []publication.Change

	file  string
	lines map[string]int // field: line
	bare  bool           // neither front matter nor a title is needed
}

// At gives where a field of the payload is written, as "FILE:LINE", to put before an error about it; the file's name
// alone for a field that is not.
func (d Document) At(field string) string {
	if line, ok := d.lines[field]; ok {
		return fmt.Sprintf("%s:%d", d.file, line)
	}
	return d.file
}

// Has reports whether a field is written, be it empty.
func (d Document) Has(field string) bool { return d.lines[field] > 0 }

// Error is what is wrong with a file.
type Error struct {
	File   string // its name, as it was given to Parse
	Line   int    // from 1
	Field  string // the key of the front matter, or "file", or "front matter"
	Rule   string // the rule and how it is broken
	Remedy string // the way out
}

// Error gives one line: "artigo.md:2: title: is required; write title: and a text".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: %s: %s; %s", e.File, e.Line, e.Field, e.Rule, e.Remedy)
}

// Parse reads a file of at most MaxSize bytes in UTF-8; name is only for errors, which are of type *Error. A byte order
// mark is removed and told. Lines of the front matter end in LF or CRLF. The body is all that follows the line that
// closes the front matter.
func Parse(name string, raw []byte) (Document, error) { return parse(name, raw, false) }

// ParseText is Parse for a text that may do without a title, and without front matter altogether: a comment, or the new
// text of content that exists already.
func ParseText(name string, raw []byte) (Document, error) { return parse(name, raw, true) }

func parse(name string, raw []byte, bare bool) (Document, error) {
	doc := Document{file: name, lines: map[string]int{}, bare: bare}
	text, changes, problem := decode(raw)
	doc.Changes = changes
	if problem == nil {
		problem = doc.read(text)
	}
	if problem != nil {
		problem.File = name
		return Document{}, problem
	}
	return doc, nil
}

func (d *Document) read(text []byte) *Error {
	if first, _ := cutLine(text); d.bare && !isFence(first) {
		d.Payload.Body, d.lines["body"] = string(text), 1
		return nil
	}
	front, body, bodyLine, problem := split(text)
	if problem != nil {
		return problem
	}
	if problem := d.readKeys(front); problem != nil {
		return problem
	}
	d.Payload.Body = string(body)
	d.lines["body"] = bodyLine
	return nil
}

// decode sees to it that the bytes are text: of a sane size, in UTF-8, without a byte order mark.
func decode(raw []byte) (text []byte, changes []publication.Change, problem *Error) {
	if len(raw) > MaxSize {
		rule := fmt.Sprintf("at most %d bytes, this has %d", MaxSize, len(raw))
		return nil, nil, &Error{Line: 1, Field: "file", Rule: rule, Remedy: "shorten the text; TabNews takes 20000 characters"}
	}
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return nil, nil, &Error{Line: 1, Field: "file", Rule: "must be UTF-8, this is UTF-16", Remedy: "save it as UTF-8"}
	}
	text, marked := bytes.CutPrefix(raw, []byte("\ufeff"))
	if marked {
		changes = []publication.Change{{Field: "file", What: "byte order mark removed at the start (U+FEFF)"}}
	}
	if at := invalidUTF8(raw); at >= 0 {
		rule := fmt.Sprintf("must be UTF-8, the byte at offset %d (0x%02X) is not", at, raw[at])
		return nil, nil, &Error{Line: lineOf(raw, at), Field: "file", Rule: rule, Remedy: "save it as UTF-8"}
	}
	return text, changes, nil
}

// invalidUTF8 gives the offset, from 0, of the first byte that is not UTF-8, or -1.
func invalidUTF8(raw []byte) int {
	for at := 0; at < len(raw); {
		r, size := utf8.DecodeRune(raw[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

func lineOf(raw []byte, offset int) int { return 1 + bytes.Count(raw[:offset], []byte("\n")) }
