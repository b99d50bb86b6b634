package publication

import (
	"errors"
	"strings"
	"testing"
)

const someText = "Um parágrafo com palavras que bastam."

// root is a payload that TabNews takes; the tests alter one field of it.
func root() Payload {
	return Payload{Title: "Um título", Slug: "um-titulo", Body: someText, Status: StatusDraft}
}

// The rows are what the real server answered (TabNews API, POST /api/v1/contents): no field means a 201, else a 400
// with that key. Each payload stands as it was sent, not normalised.
func TestValidateGivesTabNewsVerdict(t *testing.T) {
	const parent = "e7fdd873-c3af-4962-b843-42737ca37a52"
	title := func(s string) Payload { p := root(); p.Title = s; return p }
	body := func(s string) Payload { p := root(); p.Body = s; return p }
	slug := func(s string) Payload { p := root(); p.Slug = s; return p }
	source := func(s string) Payload { p := root(); p.SourceURL = s; return p }
	status := func(s ContentStatus) Payload { p := root(); p.Status = s; return p }
	comment := func(title, parent string) Payload {
		p := root()
		p.Title, p.ParentID = title, parent
		return p
	}
	for _, c := range []struct {
		name    string
		payload Payload
		refused string // the field
	}{
		{"title of 255", title(strings.Repeat("a", 255)), ""},
		{"title of 256", title(strings.Repeat("a", 256)), "title"},
		{"title of 255 and a space", title(strings.Repeat("a", 255) + " "), "title"},
		{"title of 255 and a NUL", title(strings.Repeat("a", 255) + "\x00"), ""},
		{"title of 127 emoji", title(strings.Repeat("😀", 127)), ""},
		{"title of 128 emoji", title(strings.Repeat("😀", 128)), "title"},
		{"title of 254 spaces and 3 letters", title(strings.Repeat(" ", 254) + "abc"), "title"},
		{"title missing", title(""), "title"},
		{"title of spaces", title("   "), "title"},
		{"title of zero-width spaces", title("\u200b\u200b"), "title"},
		{"title of NUL", title("\x00"), "title"},
		{"title with line breaks", title("Um\r\nDois"), ""},

		{"comment without title", comment("", parent), ""},
		{"comment with an invisible title", comment("\u2800", parent), "title"},
		{"comment with a title of NUL", comment("\x00", parent), "title"},
		{"parent with spaces around", comment("", " "+parent+" "), ""},
		{"parent in upper case", comment("", strings.ToUpper(parent)), "parent_id"},
		{"parent a UUID v1", comment("", "11111111-1111-1111-8111-111111111111"), "parent_id"},
		{"parent of another UUID variant", comment("", "e7fdd873-c3af-4962-c843-42737ca37a52"), "parent_id"},
		{"parent no UUID", comment("", "abc"), "parent_id"},
		{"parent blank", comment("", " "), "parent_id"},

		{"body of one letter", body("a"), ""},
		{"body missing", body(""), "body"},
		{"body of NUL", body("\x00"), "body"},
		{"body of 20000", body(strings.Repeat("a", 20000)), ""},
		{"body of 20001", body(strings.Repeat("a", 20001)), "body"},
		{"body of 20000 and a line feed", body(strings.Repeat("a", 20000) + "\n"), "body"},
		{"body of 10000 emoji", body(strings.Repeat("😀", 10000)), ""},
		{"body begins with a combining accent", body("\u0301" + someText), ""},
		{"body begins with a byte order mark", body("\ufeff" + someText), "body"},
		{"body begins with a line feed", body("\n" + someText), "body"},
		{"body begins with a private-use character", body("\ue000" + someText), "body"},
		{"body begins with a space", body(" " + someText), "body"},
		{"body begins with an unassigned code point", body("\u0378" + someText), "body"},
		{"body begins with a zero-width space", body("\u200b" + someText), "body"},
		{"body begins with a NUL, then text", body("\x00texto"), ""},
		{"body begins with a NUL, then a space", body("\x00 texto"), "body"},
		{"body ends with white space", body(someText + " \r\n"), ""},
		{"body a thematic break", body("---"), "body"},
		{"body a thematic break and a line feed", body("---\n"), "body"},

		{"slug of 160", slug(strings.Repeat("b", 160)), ""},
		{"slug of 200", slug(strings.Repeat("c", 200)), ""},
		{"slug bad beyond 160", slug(strings.Repeat("c", 160) + "É"), ""},
		{"slug ends with hyphens", slug("caso--"), ""},
		{"slug with spaces around", slug(" caso "), ""},
		{"slug missing", slug(""), "slug"},
		{"slug blank", slug("   "), "slug"},
		{"slug with a dot", slug("a.b"), "slug"},
		{"slug with two hyphens", slug("a--b"), "slug"},
		{"slug begins with a hyphen", slug("-a"), "slug"},
		{"slug of hyphens", slug("---"), "slug"},
		{"slug with a slash", slug("a/b"), "slug"},
		{"slug with a space", slug("a b"), "slug"},
		{"slug in upper case", slug("Abc"), "slug"},

		{"source with spaces around", source("  https://example.com/a?b=c#d "), ""},
		{"source with a NUL", source("https://teste-\x00x.invalido/\x00"), ""},
		{"source with a port", source("http://example.com:8080"), ""},
		{"source of a host in letters beyond ASCII", source("https://ação.com.br/"), ""},
		{"source blank", source(" "), "source_url"},
		{"source of NUL", source("\x00"), "source_url"},
		{"source without a top-level domain", source("http://localhost:3000/a"), "source_url"},
		{"source with a top-level domain of one letter", source("https://example.c/"), "source_url"},
		{"source of another scheme", source("ftp://example.com/"), "source_url"},
		{"source with a space inside", source("https://example.com/a b"), "source_url"},
		{"source with a no-break space inside", source("https://example.com/a\u00a0b"), "source_url"},
		{"source with a host in upper case", source("https://Example.com/"), "source_url"},
		{"source of 2001", source("https://example.com/" + strings.Repeat("a", 1981)), "source_url"},

		{"status published", status(StatusPublished), ""},
		{"status with a space", status("draft "), ""},
		{"status missing", status(""), "status"},
		{"status deleted", status(StatusDeleted), "status"},
		{"status firewall", status(StatusFirewall), "status"},
		{"status in upper case", status("DRAFT"), "status"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.payload.Validate()
			if got := refusedFields(err); got != c.refused {
				t.Errorf("refused %q, want %q: %v", got, c.refused, err)
			}
		})
	}
}

func refusedFields(err error) string {
	var problems Problems
	errors.As(err, &problems)
	fields := make([]string, len(problems))
	for i, p := range problems {
		fields[i] = p.Field
	}
	return strings.Join(fields, " ")
}

// TabNews would write U+FFFD in its place and not say so.
func TestInvalidUTF8IsRefusedNotRepaired(t *testing.T) {
	p := root()
	p.Body = "Ol\xe1"
	want := "body: must be UTF-8, byte 3 is not; save the text as UTF-8"
	if err := p.Validate(); err == nil || err.Error() != want {
		t.Errorf("Validate: %v, want %s", err, want)
	}
	if _, _, err := Prepare(p); err == nil || err.Error() != want {
		t.Errorf("Prepare: %v, want %s", err, want)
	}
}

func TestProblemsAreAllToldInOneLine(t *testing.T) {
	p := root()
	p.Title, p.Slug = strings.Repeat("a", 300), "Ação e Reação"
	err := p.Validate()
	want := `title: at most 255 UTF-16 units, this has 300; shorten the title | ` +
		`slug: must be a-z, 0-9 and single hyphens between them, not "Ação e Reação"; take "acao-e-reacao"`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	var first FieldError
	if !errors.As(err, &first) || first.Field != "title" {
		t.Errorf("errors.As finds %+v, want the title's", first)
	}
}

func TestLongValuesAreClippedInErrors(t *testing.T) {
	p := root()
	p.SourceURL = "ftp://" + strings.Repeat("é", 500)
	if n := len([]rune(p.Validate().Error())); n > 300 {
		t.Errorf("the error has %d characters", n)
	}
}
