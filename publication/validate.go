package publication

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Limits of the TabNews API, POST /api/v1/contents. TabNews counts UTF-16 units, after it removed NUL and before it
// trims a title or a body.
const (
	maxTitle     = 255
	maxBody      = 20000
	maxSlug      = 160
	maxSourceURL = 2000
)

// Validate gives TabNews' verdict on the payload exactly as it stands: nil when TabNews would take it, else Problems.
// It judges what a payload alone can tell; an occupied slug, a parent that does not exist, the firewall and the
// author's rating only the server knows. Invalid UTF-8, which TabNews would repair in silence, is refused here.
//
// A payload need not be normalised: 254 spaces and three letters are too long a title, although they would be trimmed.
func (p Payload) Validate() error {
	problems := p.checkUTF8()
	if len(problems) == 0 {
		problems = append(problems, p.checkTitle()...)
		problems = append(problems, p.checkSlug()...)
		problems = append(problems, p.checkBody()...)
		problems = append(problems, p.checkSourceURL()...)
		problems = append(problems, p.checkStatus()...)
		problems = append(problems, p.checkParent()...)
	}
	return problems.errOrNil()
}

// withoutNUL is what TabNews counts and looks at: it removes U+0000 from title, body and source_url before all else.
func withoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "") }

func (p Payload) checkUTF8() Problems {
	var problems Problems
	for _, f := range []struct{ name, text string }{
		{"title", p.Title}, {"slug", p.Slug}, {"body", p.Body},
		{"source_url", p.SourceURL}, {"status", string(p.Status)}, {"parent_id", p.ParentID},
	} {
		if at := invalidUTF8(f.text); at >= 0 {
			problems = append(problems, FieldError{f.name, fmt.Sprintf("must be UTF-8, byte %d is not", at+1), "save the text as UTF-8"})
		}
	}
	return problems
}

// invalidUTF8 gives the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

func (p Payload) checkTitle() Problems {
	title := withoutNUL(p.Title)
	switch n := utf16Len(title); {
	case p.Title == "" && p.IsComment():
		return nil // a comment needs no title, and none is sent
	case p.Title == "":
		return Problems{{"title", "is required", "give the article a title"}}
	case strings.TrimLeftFunc(title, Invisible) == "":
		return Problems{{"title", "must hold a visible character", "give the article a title"}}
	case n > maxTitle:
		return Problems{{"title", atMost(maxTitle, n), "shorten the title"}}
	}
	return nil
}

func (p Payload) checkBody() Problems {
	body := withoutNUL(p.Body)
	first, _ := utf8.DecodeRuneInString(body)
	switch n := utf16Len(body); {
	case body == "":
		return Problems{{"body", "is required", "write some text"}}
	case Invisible(first):
		return Problems{{"body", fmt.Sprintf("must begin with a visible character, this begins with %U", first), "remove what stands before the text"}}
	case n > maxBody:
		return Problems{{"body", atMost(maxBody, n), "shorten the text"}}
	case !ShowsText(strings.TrimRightFunc(body, Invisible)):
		return Problems{{"body", "must hold text once its Markdown is removed", "write some text beside the markup"}}
	}
	return nil
}

func (p Payload) checkSlug() Problems {
	var problem FieldError
	if errors.As(ValidSlug(p.Slug), &problem) {
		return Problems{problem}
	}
	return nil
}

// sourceURLPattern is TabNews' rule: http or https, a host of at least two labels in lower case whose last one has 2
// to 24 of a-z, 0-9 and hyphen, a port, and no white space in what follows. ECMAScript's white space is spelled out.
var sourceURLPattern = regexp.MustCompile(`^https?://(?:[-\p{Ll}0-9_]{1,255}\.)+[-a-z0-9]{2,24}(?::[0-9]{1,5})?(?:[/?#][^\t\n\v\f\r\p{Z}\x{FEFF}]*)?$`)

func (p Payload) checkSourceURL() Problems {
	if p.SourceURL == "" {
		return nil // not sent
	}
	url := trimSpace(withoutNUL(p.SourceURL))
	switch n := utf16Len(url); {
	case url == "":
		return Problems{{"source_url", "must not be blank", "give an address, or leave the field out"}}
	case n > maxSourceURL:
		return Problems{{"source_url", atMost(maxSourceURL, n), "shorten the address"}}
	case !sourceURLPattern.MatchString(url):
		return Problems{{"source_url", fmt.Sprintf("must be an http or https address with a public host name in lower case, not %q", clip(url)), "write it like https://example.com/page"}}
	}
	return nil
}

func (p Payload) checkStatus() Problems {
	switch status := ContentStatus(trimSpace(string(p.Status))); status {
	case StatusDraft, StatusPublished:
		return nil
	default:
		return Problems{{"status", fmt.Sprintf("must be draft or published, not %q", clip(string(status))), "write one of the two"}}
	}
}

var parentPattern = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func (p Payload) checkParent() Problems {
	if p.ParentID == "" || parentPattern.MatchString(trimSpace(p.ParentID)) {
		return nil
	}
	return Problems{{"parent_id", fmt.Sprintf("must be a UUID v4 in lower case, not %q", clip(p.ParentID)), "take the id that TabNews shows for the content"}}
}

func atMost(limit, have int) string {
	return fmt.Sprintf("at most %d UTF-16 units, this has %d", limit, have)
}

// clip keeps a quoted value short enough for a line.
func clip(s string) string {
	const most = 80
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
