package publication

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Normalize makes the changes that TabNews makes in silence to a payload it takes (TabNews API, POST /api/v1/contents,
// silent changes), so that they happen before approval, and tells each. For every payload that TabNews takes, the
// result is what it stores; whether it takes it is Validate's to say.
func (p Payload) Normalize() (Payload, []Change) {
	var told changes
	p.Title = told.dropNUL("title", p.Title)
	p.Title = told.trimStart("title", p.Title)
	p.Title = told.trimEnd("title", p.Title)
	p.Slug = told.slug(p.Slug)
	p.Body = told.dropNUL("body", p.Body)
	p.Body = told.trimEnd("body", p.Body)
	p.SourceURL = told.sourceURL(p.SourceURL)
	p.Status = ContentStatus(told.trimSpace("status", string(p.Status)))
	p.ParentID = told.trimSpace("parent_id", p.ParentID)
	return p, told
}

// Prepare makes of a draft of a person the payload to approve: what TabNews would refuse but plainly can be mended is
// mended, TabNews' silent changes are made, and the result is judged. It is the one function that callers use.
//
// Beyond Normalize it removes invisible characters at the start of the body, which TabNews refuses; makes the slug of a
// root content from its title when none is given; writes the parent's id in lower case; and takes an empty status for
// published, without a word, for that is postonce's default. The limits count what is left, since only that is sent.
//
// The payload and the changes are given beside an error too, so that both can be shown.
func Prepare(p Payload) (Payload, []Change, error) {
	if err := p.checkUTF8().errOrNil(); err != nil {
		return p, nil, err
	}
	var told changes
	noSlug, noStatus := p.Slug == "", p.Status == "" // as given: a blank one is a mistake to tell, not a wish for ours
	p.Body = told.dropNUL("body", p.Body)
	p.Body = told.trimStart("body", p.Body)
	p, silent := p.Normalize()
	told = append(told, silent...)
	if lower := strings.ToLower(p.ParentID); lower != p.ParentID {
		told.tell("parent_id", "written in lower case, as TabNews looks it up")
		p.ParentID = lower
	}
	if noStatus {
		p.Status = StatusPublished
	}
	if noSlug && p.Title != "" && !p.IsComment() {
		p.Slug = SlugFromTitle(p.Title)
		told.tell("slug", fmt.Sprintf("made from the title: %q", p.Slug))
	}
	return p, told, p.Validate()
}

// changes collects what was changed, in the order in which it was.
type changes []Change

func (c *changes) tell(field, what string) { *c = append(*c, Change{Field: field, What: what}) }

func (c *changes) dropNUL(field, s string) string {
	n := strings.Count(s, "\x00")
	if n == 0 {
		return s
	}
	c.tell(field, count(n, "NUL character")+" removed (U+0000)")
	return strings.ReplaceAll(s, "\x00", "")
}

func (c *changes) trimStart(field, s string) string {
	kept := strings.TrimLeftFunc(s, Invisible)
	c.tellRemoved(field, s[:len(s)-len(kept)], "at the start")
	return kept
}

func (c *changes) trimEnd(field, s string) string {
	kept := strings.TrimRightFunc(s, Invisible)
	c.tellRemoved(field, s[len(kept):], "at the end")
	return kept
}

// sourceURL leaves a blank one as it was written, as trimSpace does.
func (c *changes) sourceURL(s string) string {
	if trimSpace(withoutNUL(s)) == "" {
		return s
	}
	return c.trimSpace("source_url", c.dropNUL("source_url", s))
}

// trimSpace leaves what is blank as it was written: TabNews refuses it, and an empty field is not sent at all, which
// would make a root content of a comment whose parent is a blank.
func (c *changes) trimSpace(field, s string) string {
	kept := trimSpace(s)
	if kept == "" {
		return s
	}
	if len(kept) != len(s) {
		c.tell(field, "white space around it removed")
	}
	return kept
}

func (c *changes) slug(s string) string {
	kept := trimSlug(s)
	if kept == s || !slugPattern.MatchString(kept) {
		return s // a slug that is refused stays as it was written, for the refusal to show it
	}
	c.tell("slug", fmt.Sprintf("cut to %q: white space around it, what is beyond %d characters and hyphens at the end are dropped", kept, maxSlug))
	return kept
}

func (c *changes) tellRemoved(field, removed, where string) {
	if removed != "" {
		c.tell(field, fmt.Sprintf("%s removed %s (%s)", count(utf8.RuneCountInString(removed), "invisible character"), where, codePoints(removed)))
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// codePoints lists the first few code points of s, each once, in order: "U+000A U+200B …".
func codePoints(s string) string {
	const most = 4
	var names []string
	seen := map[rune]bool{}
	for _, r := range s {
		if seen[r] {
			continue
		}
		if len(names) == most {
			return strings.Join(names, " ") + " …"
		}
		seen[r] = true
		names = append(names, fmt.Sprintf("%U", r))
	}
	return strings.Join(names, " ")
}
