package publication

import (
	"strings"
	"testing"
)

func TestParseReference(t *testing.T) {
	for _, s := range []string{
		"autora/um-artigo",
		" autora/um-artigo\n",
		"https://www.tabnews.com.br/autora/um-artigo",
		"https://tabnews.com.br/autora/um-artigo/?utm=1#x",
		"http://WWW.TabNews.com.br/autora/um-artigo",
	} {
		r, err := ParseReference(s)
		if err != nil || r != (Reference{Owner: "autora", Slug: "um-artigo"}) || r.String() != "autora/um-artigo" {
			t.Errorf("%q: got %+v, %v", s, r, err)
		}
	}
}

func TestParseReferenceNamesTheRule(t *testing.T) {
	for s, rule := range map[string]string{
		"":                                   "must be owner/slug",
		"autora":                             "must be owner/slug",
		"autora/":                            "must be owner/slug",
		"/um-artigo":                         "must be owner/slug",
		"autora/um/artigo":                   "must be owner/slug",
		"www.tabnews.com.br/autora/x":        "must be owner/slug",
		"au/um-artigo":                       "the owner",
		"autora_1/um-artigo":                 "the owner",
		"autora/Um-Artigo":                   "the slug",
		"autora/um--artigo":                  "the slug",
		"autora/" + strings.Repeat("a", 161): "the slug",
		"https://example.com/autora/x":       "is not TabNews",
		"ftp://www.tabnews.com.br/autora/x":  "is not a web address",
		"https://%zz/":                       "is not a web address",
	} {
		_, err := ParseReference(s)
		if err == nil || !strings.Contains(err.Error(), rule) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want one line with %q", s, err, rule)
		}
	}
}
