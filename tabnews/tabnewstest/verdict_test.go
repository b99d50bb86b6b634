package tabnewstest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"postonce/publication"
)

const england = "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F" // a flag made of tags

// row is a root content with one field changed. Refused is the field that TabNews refuses it for as it stands, prepared
// what is approved of the field in the end.
type row struct {
	name, value, refused, prepared string
}

const never = "(not even when prepared)"

// kept is a row that is stored as it was sent.
func kept(name, value string) row { return row{name, value, "", value} }

// The rows are what the real server answered, or follow from its rules (TabNews API, POST /api/v1/contents, refusals and
// "What is changed silently").
var verdicts = map[string][]row{
	"title": {
		{"missing", "", "title", never},
		{"spaces", "   ", "title", never},
		{"zero-width", "\u200b\u200b", "title", never},
		{"NUL", "\x00", "title", never},
		{"spaces around", "  Dois  espaços  ", "", "Dois  espaços"},
		{"no-break spaces around", "\u00a0Nbsp\u00a0", "", "Nbsp"},
		{"byte order mark before", "\ufeffBom", "", "Bom"},
		{"Hangul fillers around", "\u3164Hangul\uffa0", "", "Hangul"},
		{"grapheme joiner after", "Cgj\u034f", "", "Cgj"},
		{"Khmer vowels and empty Braille around", "\u17b4\u2800Aq\u17b5", "", "Aq"},
		{"line end and tab after", "Título\t\n", "", "Título"},
		{"private use after", "Privado\ue000", "", "Privado"},
		{"soft hyphen and joiner after", "Fim\u00ad\u200d", "", "Fim"},
		{"unassigned after", "Fim\u0378", "", "Fim"},
		{"flag of tags after", "Inglaterra " + england, "", "Inglaterra 🏴"},
		{"NUL inside", "Nu\x00lo", "", "Nulo"},
		kept("line break inside", "Um\r\nDois"), kept("zero-width inside", "zero\u200bwidth"), kept("control inside", "a\u0007b"),
		kept("composed", "Ação"), kept("decomposed", "Ac\u0327a\u0303o"), kept("variation selector", "Coração ❤️"),
		kept("newer than Go's tables", "rosto \U0001FAE9"), kept("half a pair's replacement", "a\ufffd"),
		kept("255 units", strings.Repeat("a", 255)), {"256 units", strings.Repeat("a", 256), "title", never},
		{"255 and a space", strings.Repeat("a", 255) + " ", "title", strings.Repeat("a", 255)},
		{"255 and a NUL", strings.Repeat("a", 255) + "\x00", "", strings.Repeat("a", 255)},
		{"254 spaces and 3 letters", strings.Repeat(" ", 254) + "abc", "title", "abc"},
		kept("127 emoji", strings.Repeat("😀", 127)), {"128 emoji", strings.Repeat("😀", 128), "title", never},
		kept("23 families of 11 units", strings.Repeat("👨‍👩‍👧‍👦", 23)), {"24 families", strings.Repeat("👨‍👩‍👧‍👦", 24), "title", never},
	},
	"body": {
		{"missing", "", "body", never},
		{"NUL", "\x00", "body", never},
		kept("one letter", "a"), kept("combining accent first", "\u0301"+good),
		{"byte order mark first", "\ufeff" + good, "body", good}, {"line feed first", "\n" + good, "body", good},
		{"private use first", "\ue000" + good, "body", good}, {"space first", " " + good, "body", good},
		{"unassigned first", "\u0378" + good, "body", good}, {"zero-width first", "\u200b" + good, "body", good},
		{"empty Braille first", "\u2800" + good, "body", good}, {"CRLF first", "\r\n\r\n" + good, "body", good},
		{"NUL first", "\x00texto", "", "texto"}, {"NUL and space first", "\x00 texto", "body", "texto"},
		{"NUL inside", "an\x00tes", "", "antes"},
		kept("20000 units", strings.Repeat("a", 20000)), {"20001 units", strings.Repeat("a", 20001), "body", never},
		{"20000 and a line feed", strings.Repeat("a", 20000) + "\n", "body", strings.Repeat("a", 20000)},
		{"20000 and a NUL", strings.Repeat("a", 20000) + "\x00", "", strings.Repeat("a", 20000)},
		kept("10000 emoji", strings.Repeat("😀", 10000)), {"10000 emoji and a letter", strings.Repeat("😀", 10000) + "a", "body", never},
		{"thematic break", "---", "body", never}, {"heading without text", "#", "body", never}, {"HTML without text", "<br><p></p>", "body", never},
		{"image without text", "![](https://example.com/a.png)", "body", never}, {"image and HTML", "![](a)\n<div><a></a></div>", "body", never},
		{"empty fence", "```\n```", "body", never}, {"HTML comment", "<!-- marca -->", "body", never},
		{"link definition", "[//]: # (marca)", "body", never}, {"emphasis of nothing to see", "*\u200b*", "body", never},
		kept("code block", "```js\nlet a = 1;\n```"), kept("link definition after text", "texto [a][1]\n\n[1]: https://example.com"),
		kept("script", "<script>alert(1)</script> texto"), kept("HTML comment beside text", "<!-- marca -->\n\ntexto"),
		kept("line ends inside", "um\r\ndois\rtrês\u2028quatro\u0085fim"), kept("spaces at inner line ends", "linha   \noutra\t\nfim"),
		kept("form feed inside", "um\fdois"), kept("backslash last", `texto\`), kept("decomposed", "ac\u0327a\u0303o"),
		{"line feeds last", "texto\n\n", "", "texto"}, {"CRLF last", "texto\r\n", "", "texto"}, {"no-break space last", "texto\u00a0", "", "texto"},
		{"soft hyphen last", "texto\u00ad", "", "texto"}, {"joiner last", "texto\u200d", "", "texto"}, {"private use last", "texto\ue000", "", "texto"},
		{"hard break last", "texto  ", "", "texto"}, {"flag of tags last", "Inglaterra " + england, "", "Inglaterra 🏴"},
		kept("variation selector last", "coração ❤️"), kept("newer than Go's tables last", "rosto \U0001FAE9"),
	},
	"slug": {
		kept("of digits", "2026"), {"bad form", "Abc", "slug", never}, {"accent", "ação", "slug", never}, {"underscore", "a_b", "slug", never},
		{"dot", "a.b", "slug", never}, {"two hyphens", "a--b", "slug", never}, {"hyphen first", "-a", "slug", never}, {"hyphens", "---", "slug", never},
		{"slash", "a/b", "slug", never}, {"space inside", "a b", "slug", never}, {"blank", "   ", "slug", never}, {"NUL", "ca\x00so", "slug", never},
		{"missing, made of the title", "", "slug", "um-titulo"},
		{"spaces around", " caso\n", "", "caso"}, {"hyphens last", "caso--", "", "caso"}, kept("160", strings.Repeat("b", 160)),
		{"200", strings.Repeat("c", 200), "", strings.Repeat("c", 160)}, {"hyphen at 160", strings.Repeat("d", 159) + "-e", "", strings.Repeat("d", 159)},
		{"bad beyond 160", strings.Repeat("c", 160) + "É", "", strings.Repeat("c", 160)},
	},
	"source_url": {
		kept("missing", ""), kept("port and path", "http://example.com:8080/a?b=c#d"), kept("host beyond ASCII", "https://ação.com.br/"),
		{"spaces around", "  https://example.com ", "", "https://example.com"}, {"NUL", "https://exam\x00ple.com/", "", "https://example.com/"},
		{"blank", " ", "source_url", never}, {"no top-level domain", "http://localhost:3000/a", "source_url", never},
		{"other scheme", "ftp://example.com/", "source_url", never}, {"space inside", "https://example.com/a b", "source_url", never},
		{"host in upper case", "https://Example.com/", "source_url", never}, {"too long", "https://example.com/" + strings.Repeat("a", 1981), "source_url", never},
		kept("2000 units", "https://example.com/"+strings.Repeat("a", 1980)),
	},
	"status": {
		kept("draft", "draft"), kept("published", "published"), {"space after", "draft ", "", "draft"}, {"missing, ours", "", "status", "published"},
		{"deleted", "deleted", "status", never}, {"firewall", "firewall", "status", never}, {"other", "xx", "status", never}, {"upper case", "DRAFT", "status", never},
	},
	"parent_id": {
		{"no UUID", "abc", "parent_id", never}, {"UUID v1", "11111111-1111-1111-8111-111111111111", "parent_id", never}, {"blank", " ", "parent_id", never},
	},
}

func payloadWith(field, value string) publication.Payload {
	p := publication.Payload{Title: "Um título", Slug: "um-titulo", Body: good, Status: publication.StatusDraft}
	*fieldOf(&p, field) = value
	return p
}

func fieldOf(p *publication.Payload, name string) *string {
	return map[string]*string{
		"title": &p.Title, "slug": &p.Slug, "body": &p.Body, "source_url": &p.SourceURL,
		"status": (*string)(&p.Status), "parent_id": &p.ParentID,
	}[name]
}

func TestOurVerdictBeforeApprovalIsTabNewsOwn(t *testing.T) {
	for field, rows := range verdicts {
		for _, r := range rows {
			t.Run(field+" "+r.name, func(t *testing.T) {
				s, p := newServer(t), payloadWith(field, r.value)
				s.judge(p)
				if got := refusedFields(p.Validate()); strings.Join(got, " ") != r.refused {
					t.Errorf("as it stands it is refused for %q, want %q", got, r.refused)
				}
				approved, err := s.approve(p)
				got := *fieldOf(&approved, field)
				if err != nil {
					got = never
				}
				if got != r.prepared {
					t.Errorf("approved %+q, want %+q: %v", got, r.prepared, err)
				}
			})
		}
	}
}

// The same rows as changes of a content that is there (TabNews API, PATCH /api/v1/contents/{user}/{slug}); an empty title
// or address is sent as null there. What a patch alone cannot tell is left out: that a root keeps its title.
func TestOurVerdictOnAPatchIsTabNewsOwn(t *testing.T) {
	patches := map[string]publication.Patch{
		"nothing": {}, "status deleted": {Status: new(publication.StatusDeleted)}, "status firewall": {Status: new(publication.StatusFirewall)},
		"status published": {Status: new(publication.StatusPublished)}, "status other": {Status: new(publication.ContentStatus("xx"))},
	}
	for field, rows := range verdicts {
		for _, r := range rows {
			switch p := payloadWith(field, r.value); {
			case field == "title" && r.value != "":
				patches[field+" "+r.name] = publication.Patch{Title: &p.Title}
			case field == "body":
				patches[field+" "+r.name] = publication.Patch{Body: &p.Body}
			case field == "slug":
				patches[field+" "+r.name] = publication.Patch{Slug: &p.Slug}
			case field == "source_url":
				patches[field+" "+r.name] = publication.Patch{SourceURL: &p.SourceURL}
			}
		}
	}
	for name, patch := range patches {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			ours, theirs := refusedFields(patch.Validate()), s.ask("PATCH", "/api/v1/contents/autora/a-pergunta", patch.CanonicalJSON())
			if ours == nil {
				want(t, theirs, 200, nil)
			} else {
				want(t, theirs, 400, object{"key": ours[0]})
			}
		})
	}
}

func TestACommentsVerdictIsTabNewsOwn(t *testing.T) {
	s := newServer(t)
	comment := func(title, parent string) publication.Payload {
		return publication.Payload{Title: title, Slug: "um-comentario", Body: good, ParentID: parent, Status: publication.StatusPublished}
	}
	for name, c := range map[string]struct {
		payload publication.Payload
		refused string
	}{
		"no title":               {comment("", s.parent), ""},
		"title":                  {comment("Re: ", s.parent), ""},
		"title of zero-width":    {comment("\u200b", s.parent), "title"},
		"title of NUL":           {comment("\x00", s.parent), "title"},
		"title too long":         {comment(strings.Repeat("a", 256), s.parent), "title"},
		"parent with spaces":     {comment("", " "+s.parent+" "), ""},
		"parent in upper case":   {comment("", strings.ToUpper(s.parent)), "parent_id"},
		"no slug, made of title": {func() publication.Payload { p := comment("Re", s.parent); p.Slug = ""; return p }(), "slug"},
	} {
		t.Run(name, func(t *testing.T) {
			s.t = t
			s.judge(c.payload)
			if got := refusedFields(c.payload.Validate()); strings.Join(got, " ") != c.refused {
				t.Errorf("refused for %q, want %q", got, c.refused)
			}
			s.approve(c.payload)
		})
	}
}

func TestInvalidUTF8IsRefusedBeforeApprovalWhatTabNewsWouldRepair(t *testing.T) {
	s, p := newServer(t), payloadWith("body", "Ol\xe1")
	if got := refusedFields(p.Validate()); !slices.Equal(got, []string{"body"}) {
		t.Errorf("refused for %q", got)
	}
	if r := s.post(p.CanonicalJSON()); r.status != http.StatusCreated || r.text("body") != "Ol\ufffd" {
		t.Errorf("TabNews' repair: %d %s", r.status, r.raw)
	}
}

// Long titles collide in their first 157 characters, and case, accents and punctuation do not part two titles: the slug
// shown at approval says so before anything is sent, and TabNews makes the same of the title.
func TestASlugMadeOfTheTitleIsTabNewsOwn(t *testing.T) {
	long := strings.Repeat("título longo ", 12) + "e" // 157 characters
	for _, pair := range [][2]string{
		{long + " termina assim, e mais", long + " termina de outra maneira"},
		{"Ação!", "acao"}, {"C++", "C#"}, {"😀", "😀"},
	} {
		s := newServer(t)
		first, _, err := publication.Prepare(publication.Payload{Title: pair[0], Body: good})
		if err != nil {
			t.Fatal(err)
		}
		second, _, _ := publication.Prepare(publication.Payload{Title: pair[1], Body: good})
		if first.Slug != second.Slug {
			t.Errorf("%q and %q: slugs %q and %q", pair[0], pair[1], first.Slug, second.Slug)
		}
		bare := publication.Patch{Title: &first.Title, Body: &first.Body, Status: &first.Status} // a creation without slug
		if r := s.post(bare.CanonicalJSON()); r.text("slug") != first.Slug {
			t.Errorf("%q: TabNews makes %s, we %s", pair[0], r.text("slug"), first.Slug)
		}
		want(t, s.post(second.CanonicalJSON()), 400, object{"key": "slug", "error_location_code": "MODEL:CONTENT:CHECK_FOR_CONTENT_UNIQUENESS:ALREADY_EXISTS"})
	}
}

// What a payload alone cannot tell: the slug is held by all that is not deleted.
func TestASlugIsHeldByADraftAndByAHiddenContentAndNotByADeletedOne(t *testing.T) {
	for name, c := range map[string]struct {
		status publication.ContentStatus
		then   string
		want   int
	}{
		"draft": {publication.StatusDraft, "", 400}, "published": {publication.StatusPublished, "", 400},
		"hidden": {publication.StatusPublished, "hide", 400}, "deleted": {publication.StatusPublished, "delete", 201},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := newServer(t), payloadWith("title", "Um título")
			p.Status = c.status
			want(t, s.post(p.CanonicalJSON()), 201, nil)
			if c.then != "" && !s.emulator.Moderate("autora", p.Slug, c.then) {
				t.Fatal("it was not there")
			}
			want(t, s.post(p.CanonicalJSON()), c.want, nil)
		})
	}
}
