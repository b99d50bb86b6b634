package publication

import (
	"strings"
	"testing"
)

// The pairs were recorded on the real server (TabNews API, slug made from the title).
func TestSlugFromTitleIsTabNewsOwn(t *testing.T) {
	for title, want := range map[string]string{
		"Olá, mundo!":                           "ola-mundo",
		"Ação e reação":                         "acao-e-reacao",
		"Ac\u0327a\u0303o e reac\u0327a\u0303o": "acao-e-reacao",
		"C++ vs C#":                             "c-vs-c",
		"100% grátis":                           "100-por-cento-gratis",
		"R$ 10,00 por mês":                      "r-10-00-por-mes",
		"€ 5 e £ 7":                             "5-e-7",
		"Node.js 20.1":                          "node-js-20-1",
		"a_b_c":                                 "a-b-c",
		"usuario@example.com":                   "usuario-example-com",
		"foo & bar":                             "foo-e-bar",
		"a < b > c":                             "a-b-c",
		"e/ou":                                  "e-ou",
		"“Aspas” e ‘simples’":                   "aspas-e-simples",
		"três...pontos":                         "tres-pontos",
		"Hífen – meia risca — travessão":        "hifen-meia-risca-travessao",
		"MAIÚSCULAS":                            "maiusculas",
		"Привет мир":                            "privet-mir",
		"مرحبا":                                 "mrhba",
		"日本語のタイトル":                              "5pel5pys6kqe44gu44k-44kk44oi44or",
		"😀":                                     "8jyga",
		"😀😀":                                    "8jygpcfmia",
		"👍 Joinha":                              "joinha",
		"?":                                     "pw",
		"!!!":                                   "iseh",
		"...":                                   "li4u",
		"---":                                   "ls0t",
		"%":                                     "por-cento",
		"ß straße":                              "ss-strasse",
		"nº 1ª":                                 "n-1",
		"x²":                                    "x",
		"½ litro":                               "litro",
		"™ ® ©":                                 "4osiimkuimkp",
		"a+b=c":                                 "abc",
		"a|b":                                   "ab",
		"[link](https://example.com)":           "linkhttps-example-com",
		"œuvre Æon":                             "oeuvre-aeon",
		"αβγ":                                   "abg",
		"Łódź":                                  "lodz",
		"ﬁm":                                    "m",
		"C\u200bD":                              "cd",
		strings.Repeat("a", 160):                strings.Repeat("a", 160),
		strings.Repeat("a", 161):                strings.Repeat("a", 157),
		strings.Repeat("a", 255):                strings.Repeat("a", 157),
		strings.Repeat("&", 100):                strings.Repeat("e-", 79) + "e",
	} {
		got := SlugFromTitle(title)
		if got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}

func TestSlugFromTitleOfLettersWithMarksWrittenTogether(t *testing.T) {
	for title, want := range map[string]string{
		"\u05e9\u05c1\u05dc\u05d5\u05b9\u05dd": "shlom", // shin with its dot, vav with its point
		"\u05d1\u05b4\u05d9":                   "i",     // three of them
		"\u0915\u093c":                         "qi",
	} {
		if got := SlugFromTitle(title); got != want {
			t.Errorf("%+q: got %q, want %q", title, got, want)
		}
	}
}

func TestSlugOfManyEmojiIsTheStartOfTheirBase64(t *testing.T) {
	slug := SlugFromTitle(strings.Repeat("😀", 100))
	if len(slug) != 160 || !strings.HasPrefix(slug, "8jygpcfmidwn5ia8jygp") {
		t.Errorf("got %q", slug)
	}
}

// Nothing but an empty title is without slug, and what is made is always one that TabNews takes.
func TestSlugFromTitleIsAlwaysValid(t *testing.T) {
	for _, title := range []string{" ", "-", "?-", "\u200b", "\ufeff", "ç", "%%%", strings.Repeat("é-", 127), strings.Repeat("x ", 80)} {
		if slug := SlugFromTitle(title); ValidSlug(slug) != nil || len(slug) > 160 {
			t.Errorf("%q: %q: %v", title, slug, ValidSlug(slug))
		}
	}
	if slug := SlugFromTitle(""); slug != "" {
		t.Errorf("of nothing: %q", slug)
	}
}

// A long title is cut if it has 160 characters as people see them; a unit here is one such character, or less.
func TestUserPerceivedCharactersAreCounted(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"letters", "abc", 3},
		{"accent apart", "a\u0303b\u0301", 2},
		{"flags of two regional indicators", "🇧🇷🇵🇹🇧", 3},
		{"thumb with its skin", "👍🏽👍", 2},
		{"family", "👩\u200d👩\u200d👧a", 2},
		{"joiner between letters", "a\u200db", 2},
		{"line end", "\r\n\n\r", 3},
		{"control and accent", "\u0001\u0301", 2},
		{"zero-width space and accent", "a\u200b\u0301", 3},
		{"Arabic number sign before a digit", "\u06001", 1},
		{"Hangul in parts", "\u1112\u1161\u11ab\u1100", 2},
		{"flag of tags", england + "a", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := len(graphemes(c.text)); got != c.want {
				t.Errorf("%+q: counted %d, want %d", c.text, got, c.want)
			}
		})
	}
}

func TestALongTitleOfFewCharactersStaysWhole(t *testing.T) {
	if got := SlugFromTitle(strings.Repeat("a\u0303", 120) + "fim"); !strings.HasSuffix(got, "fim") {
		t.Errorf("243 units and 123 characters were cut: %q", got)
	}
}

func TestBadSlugComesWithOneThatTabNewsTakes(t *testing.T) {
	for slug, want := range map[string]string{
		"Meu_Artigo": `slug: must be a-z, 0-9 and single hyphens between them, not "Meu_Artigo"; take "meu-artigo"`,
		"---":        `slug: must be a-z, 0-9 and single hyphens between them, not "---"; choose another`,
		" ":          "slug: is required; give the content a slug of a-z, 0-9 and single hyphens",
	} {
		if err := ValidSlug(slug); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
