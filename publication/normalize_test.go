package publication

import (
	"reflect"
	"strings"
	"testing"
)

const england = "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F" // a flag made of tags

// The rows are what the real server stored (TabNews API, silent changes).
func TestNormalizeGivesWhatTabNewsStores(t *testing.T) {
	for _, c := range []struct{ name, field, sent, stored string }{
		{"spaces at both ends", "title", "  Dois espaços  ", "Dois espaços"},
		{"no-break spaces at both ends", "title", "\u00a0Nbsp\u00a0", "Nbsp"},
		{"byte order mark", "title", "\ufeffBom", "Bom"},
		{"Hangul fillers", "title", "\u3164Hangul\uffa0", "Hangul"},
		{"combining grapheme joiner", "title", "Cgj\u034f", "Cgj"},
		{"line end and tab", "title", "Título\t\n", "Título"},
		{"private use", "title", "Privado\ue000", "Privado"},
		{"NUL inside", "title", "Nu\x00lo", "Nulo"},
		{"tags of a flag at the end", "title", "Inglaterra " + england, "Inglaterra 🏴"},
		{"variation selector stays", "title", "Coração ❤️", "Coração ❤️"},
		{"inner spaces stay", "title", "Dois  espaços   dentro", "Dois  espaços   dentro"},
		{"inner line break stays", "title", "Um\r\nDois", "Um\r\nDois"},
		{"inner soft hyphen and zero-width space stay", "title", "so\u00adft zero\u200bwidth", "so\u00adft zero\u200bwidth"},
		{"decomposed letters stay", "title", "Ac\u0327a\u0303o", "Ac\u0327a\u0303o"},

		{"line feeds at the end", "body", "texto\n\n", "texto"},
		{"zero-width at the end", "body", "texto\u200b\u200b", "texto"},
		{"private use at the end", "body", "texto\ue000", "texto"},
		{"NUL inside", "body", "an\x00tes depois", "antes depois"},
		{"tags of a flag at the end", "body", "Inglaterra " + england, "Inglaterra 🏴"},
		{"line ends inside stay", "body", "um\r\ndois\rtrês\u2028quatro\u0085fim", "um\r\ndois\rtrês\u2028quatro\u0085fim"},
		{"spaces at inner line ends stay", "body", "linha   \noutra\t\nfim", "linha   \noutra\t\nfim"},
		{"a backslash at the end stays", "body", `texto\`, `texto\`},
		{"HTML stays", "body", "<script>alert(1)</script> texto", "<script>alert(1)</script> texto"},
		{"an emoji newer than Go's tables stays", "body", "rosto 🫩", "rosto 🫩"},
		{"what it starts with is TabNews' to refuse", "body", " texto", " texto"},

		{"hyphens at the end", "slug", "caso--", "caso"},
		{"a cut at 160 that leaves a hyphen", "slug", strings.Repeat("d", 159) + "-e", strings.Repeat("d", 159)},
		{"200 characters", "slug", strings.Repeat("c", 200), strings.Repeat("c", 160)},
		{"white space around", "slug", " caso\n", "caso"},
		{"case is kept, to be refused", "slug", "Abc", "Abc"},
		{"hyphens alone are kept, to be refused", "slug", "---", "---"},

		{"white space around", "source_url", "  https://example.com/a?b=c#d ", "https://example.com/a?b=c#d"},
		{"NUL", "source_url", "https://example.com/\x00", "https://example.com/"},
		{"white space around", "status", " draft ", "draft"},
		{"white space around", "parent_id", " e7fdd873-c3af-4962-b843-42737ca37a52", "e7fdd873-c3af-4962-b843-42737ca37a52"},
	} {
		t.Run(c.field+": "+c.name, func(t *testing.T) {
			p := root()
			*field(&p, c.field) = c.sent
			normal, told := p.Normalize()
			if got := *field(&normal, c.field); got != c.stored {
				t.Errorf("got %q, want %q", got, c.stored)
			}
			if changed := c.sent != c.stored; changed != (len(told) > 0) || changed && told[0].Field != c.field {
				t.Errorf("changed: %v, told: %v", changed, told)
			}
		})
	}
}

func field(p *Payload, name string) *string {
	return map[string]*string{
		"title": &p.Title, "slug": &p.Slug, "body": &p.Body, "source_url": &p.SourceURL,
		"status": (*string)(&p.Status), "parent_id": &p.ParentID,
	}[name]
}

func TestPrepareMendsWhatTabNewsWouldRefuseAndTells(t *testing.T) {
	got, told, err := Prepare(Payload{
		Title: strings.Repeat(" ", 254) + "Olá, mundo!",
		Body:  "\u200b\r\n\n  \u2800# Olá\r\n\r\ntexto\x00\n\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Payload{Title: "Olá, mundo!", Slug: "ola-mundo", Body: "# Olá\r\n\r\ntexto", Status: StatusPublished}); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if want := []Change{
		{"body", "1 NUL character removed (U+0000)"},
		{"body", "7 invisible characters removed at the start (U+200B U+000D U+000A U+0020 …)"},
		{"title", "254 invisible characters removed at the start (U+0020)"},
		{"body", "2 invisible characters removed at the end (U+000A)"},
		{"slug", `made from the title: "ola-mundo"`},
	}; !reflect.DeepEqual(told, want) {
		t.Errorf("told %v\nwant %v", told, want)
	}
}

func TestPrepareOfACleanPayloadChangesNothing(t *testing.T) {
	got, told, err := Prepare(root())
	if got != root() || told != nil || err != nil {
		t.Errorf("got %+v, %v, %v", got, told, err)
	}
}

func TestPrepareWritesTheParentInLowerCase(t *testing.T) {
	p := root()
	p.ParentID = "E7FDD873-C3AF-4962-B843-42737CA37A52"
	got, told, err := Prepare(p)
	if got.ParentID != "e7fdd873-c3af-4962-b843-42737ca37a52" || len(told) != 1 || err != nil {
		t.Errorf("got %q, %v, %v", got.ParentID, told, err)
	}
}

// A comment's title, if any, says little; a slug that was given and is bad is a mistake to tell.
func TestPrepareMakesASlugOnlyForARootWithoutOne(t *testing.T) {
	comment := root()
	comment.Slug, comment.ParentID = "", "e7fdd873-c3af-4962-b843-42737ca37a52"
	blank, hyphens := root(), root()
	blank.Slug, hyphens.Slug = "  ", "---"
	for _, p := range []Payload{comment, blank, hyphens} {
		if got, _, err := Prepare(p); refusedFields(err) != "slug" {
			t.Errorf("slug %q, parent %q: got slug %q and error %v", p.Slug, p.ParentID, got.Slug, err)
		}
	}
}

func TestPrepareTakesNoBlankStatusForTheDefault(t *testing.T) {
	p := root()
	p.Status = " "
	if _, _, err := Prepare(p); refusedFields(err) != "status" {
		t.Errorf("got %v", err)
	}
}

func TestChangeIsOneLine(t *testing.T) {
	if got := (Change{"body", "cut"}).String(); got != "body: cut" {
		t.Errorf("got %q", got)
	}
}

// What is prepared is normal and valid, and so is taken by TabNews as it stands.
func FuzzNormalize(f *testing.F) {
	f.Add("Olá, mundo!", "", "# Texto\r\n", "https://example.com/", "published", "")
	f.Add("\x00 a\u200b", "caso--", "\ufeff\n`x`", " ", "", "E7FDD873-C3AF-4962-B843-42737CA37A52")
	f.Add("", " a -", "\x00\u2028\x00", "\x00", " draft", " ")
	f.Fuzz(func(t *testing.T, title, slug, body, source, status, parent string) {
		p := Payload{Title: title, Slug: slug, Body: body, SourceURL: source, Status: ContentStatus(status), ParentID: parent}
		once, _ := p.Normalize()
		if twice, told := once.Normalize(); twice != once || told != nil {
			t.Errorf("Normalize of %+v\nonce:  %+v\ntwice: %+v, %v", p, once, twice, told)
		}
		if p.Validate() == nil && once.Validate() != nil {
			t.Errorf("%+v is valid, normalised it is not: %v", p, once.Validate())
		}
		ready, _, err := Prepare(p)
		if err != nil {
			return
		}
		if err := ready.Validate(); err != nil {
			t.Errorf("prepared and not valid: %+v: %v", ready, err)
		}
		if again, told, err := Prepare(ready); again != ready || told != nil || err != nil {
			t.Errorf("prepared again: %+v, %v, %v", again, told, err)
		}
	})
}
