package tabnewstest_test

import (
	"fmt"
	"strings"
	"testing"
)

// Recorded pairs of titles and the slugs that TabNews made of them (TabNews API, section 4).
func TestSlugFromTitle(t *testing.T) {
	c := login(t, start(t), "autora")
	for i, row := range []struct{ title, slug string }{
		{"Olá, mundo!", "ola-mundo"},
		{"Ação e reação", "acao-e-reacao"},
		{"Ac\u0327a\u0303o e reac\u0327a\u0303o", "acao-e-reacao"},
		{"C++ vs C#", "c-vs-c"},
		{"100% grátis", "100-por-cento-gratis"},
		{"R$ 10,00 por mês", "r-10-00-por-mes"},
		{"€ 5 e £ 7", "5-e-7"},
		{"Node.js 20.1", "node-js-20-1"},
		{"a_b_c", "a-b-c"},
		{"usuario@example.com", "usuario-example-com"},
		{"foo & bar", "foo-e-bar"},
		{"a < b > c", "a-b-c"},
		{"e/ou", "e-ou"},
		{"“Aspas” e ‘simples’", "aspas-e-simples"},
		{"três...pontos", "tres-pontos"},
		{"Hífen – meia risca — travessão", "hifen-meia-risca-travessao"},
		{"MAIÚSCULAS", "maiusculas"},
		{"Привет мир", "privet-mir"},
		{"مرحبا", "mrhba"},
		{"日本語のタイトル", "5pel5pys6kqe44gu44k-44kk44oi44or"},
		{"😀", "8jyga"},
		{"😀😀", "8jygpcfmia"},
		{"👍 Joinha", "joinha"},
		{"?", "pw"},
		{"!!!", "iseh"},
		{"...", "li4u"},
		{"---", "ls0t"},
		{"%", "por-cento"},
		{"ß straße", "ss-strasse"},
		{"nº 1ª", "n-1"},
		{"x²", "x"},
		{"½ litro", "litro"},
		{"™ ® ©", "4osiimkuimkp"},
		{"a+b=c", "abc"},
		{"a|b", "ab"},
		{"[link](https://example.com)", "linkhttps-example-com"},
		{"œuvre Æon", "oeuvre-aeon"},
		{"αβγ", "abg"},
		{"Łódź", "lodz"},
		{"ﬁm", "m"},
		{"C\u200BD", "cd"},
		{strings.Repeat("a", 160), strings.Repeat("a", 160)},
		{strings.Repeat("b", 161), strings.Repeat("b", 157)},
		{strings.Repeat("c", 255), strings.Repeat("c", 157)},
		{strings.Repeat("&", 100), strings.TrimSuffix(strings.Repeat("e-", 80), "-")},
	} {
		t.Run(row.slug, func(t *testing.T) {
			r := c.at(fmt.Sprintf("10.1.0.%d", i+1)).do("POST", "/api/v1/contents", object{"title": row.title, "body": good})
			want(t, r, 201, object{"slug": row.slug})
			c.do("PATCH", "/api/v1/contents/autora/"+row.slug, object{"status": "deleted"}) // frees it for the next
		})
	}
	long := c.at("10.2.0.1").create(object{"title": strings.Repeat("😀", 100), "body": good})
	if n := len(long.text("slug")); n != 160 {
		t.Errorf("the slug of 100 emoji has %d characters, want 160", n)
	}
}
