package tabnewstest_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"postonce/publication"
	"postonce/tabnews/tabnewstest"
)

// server is an emulator without a network, asked as its user autora. Every request comes from an IP of its own, so that
// the firewall sees each alone.
type server struct {
	t        testing.TB
	emulator *tabnewstest.Server
	session  string
	parent   string // id of a published content of autora's
	asked    int
}

func newServer(t testing.TB) *server {
	s := &server{t: t, emulator: tabnewstest.New(tabnewstest.WithoutRatingRule())}
	t.Cleanup(func() { s.emulator.Close() })
	s.session = s.ask("POST", "/api/v1/sessions", []byte(`{"email":"autora@example.com","password":"senha-autora-123"}`)).text("token")
	root := publication.Payload{Title: "A pergunta", Slug: "a-pergunta", Body: good, Status: publication.StatusPublished}
	s.parent = s.post(root.CanonicalJSON()).text("id")
	return s
}

func (s *server) post(body []byte) result { return s.ask("POST", "/api/v1/contents", body) }

func (s *server) ask(method, path string, body []byte) result {
	s.t.Helper()
	s.asked++
	r := httptest.NewRequest(method, path, strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", ipv4(s.asked))
	if s.session != "" {
		r.Header.Set("Cookie", "session_id="+s.session)
	}
	w := httptest.NewRecorder()
	s.emulator.ServeHTTP(w, r)
	out := result{status: w.Code, header: w.Header(), raw: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &out.json); err != nil {
		s.t.Fatalf("%s %s: %d %s", method, path, w.Code, out.raw)
	}
	return out
}

func ipv4(n int) string {
	return strings.Join([]string{"10", octet(n >> 16), octet(n >> 8), octet(n)}, ".")
}

func octet(n int) string {
	text, _ := json.Marshal(n & 255) // a number always marshals
	return string(text)
}

// stored gives the payload that a 201 or 200 tells, which is the row.
func (r result) stored(t testing.TB) publication.Payload {
	t.Helper()
	var p publication.Payload
	if err := json.Unmarshal([]byte(r.raw), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// judge compares our verdict on a payload, as it stands, with the emulator's answer to it; a taken one must be stored as
// Normalize says.
func (s *server) judge(p publication.Payload) {
	s.t.Helper()
	ours, theirs := refusedFields(p.Validate()), s.post(p.CanonicalJSON())
	switch {
	case theirs.status == http.StatusBadRequest:
		if !slices.Contains(ours, theirs.text("key")) {
			s.t.Errorf("the emulator refuses %s (%s), we refuse %q: %+q", theirs.text("key"), theirs.text("message"), ours, p)
		}
	case theirs.status != http.StatusCreated:
		s.t.Errorf("the emulator answers %d: %s", theirs.status, theirs.raw)
	case ours != nil:
		s.t.Errorf("the emulator takes what we refuse for %q: %+q", ours, p)
	default:
		if normal, _ := p.Normalize(); theirs.stored(s.t) != normal {
			s.t.Errorf("sent   %+q\nstored %+q\nours   %+q", p, theirs.stored(s.t), normal)
		}
		s.remove(theirs.text("slug"))
	}
}

// approve sends what Prepare makes of a payload, as after an approval, and gives it; what is stored must be that to the
// byte.
func (s *server) approve(p publication.Payload) (publication.Payload, error) {
	s.t.Helper()
	prepared, _, err := publication.Prepare(p)
	if err != nil {
		return prepared, err
	}
	if r := s.post(prepared.CanonicalJSON()); r.status != http.StatusCreated || r.stored(s.t) != prepared {
		s.t.Errorf("approved %+q\nanswer %d %s", prepared, r.status, r.raw)
	} else {
		s.remove(prepared.Slug)
	}
	return prepared, nil
}

// remove frees a slug.
func (s *server) remove(slug string) {
	s.t.Helper()
	if r := s.ask("PATCH", "/api/v1/contents/autora/"+slug, []byte(`{"status":"deleted"}`)); r.status != http.StatusOK {
		s.t.Fatalf("removing %s: %d %s", slug, r.status, r.raw)
	}
}

func refusedFields(err error) []string {
	var problems publication.Problems
	errors.As(err, &problems)
	var fields []string
	for _, p := range problems {
		fields = append(fields, p.Field)
	}
	return fields
}

// FuzzPayload looks for a payload on which we and TabNews differ before it is approved: refused by one alone, or stored
// as another text than the one approved.
func FuzzPayload(f *testing.F) {
	f.Add("Olá, mundo!", "ola-mundo", "# Texto\r\n\r\ncom palavras", "https://example.com/a?b=c", "published", false)
	f.Add("", "", "texto\u200b\n", "", "draft", true)
	f.Add("\u00a0Bom\x00\u3164", " caso-- ", "\x00texto\ue000", " https://example.com\x00", " draft", false)
	f.Add("\u2800", "Caso", "\ufefftexto", "http://localhost/", "deleted", true)
	f.Add("e\u0301\u034f", "a--b", "```js\r\n```", " ", "firewall", false)
	f.Add("\U0001FAE9", "-", "*\u200b* _\u200b_ [^1]: a", "ftp://a.bc", "", false)
	f.Add(strings.Repeat("😀", 128), strings.Repeat("a", 159)+"-b", "~~~\n~~~\n> \n# \n- \n1. \n___", "https://a.b-", "published\n", true)
	f.Add(strings.Repeat(" ", 254)+"abc", strings.Repeat("é", 161), "[a](b) ![](c) [d]: e <f> `g` ~h~", "https://ação.com.br", "x", false)
	f.Fuzz(func(t *testing.T, title, slug, body, source, status string, comment bool) {
		s := newServer(t)
		p := publication.Payload{Title: title, Slug: slug, Body: body, SourceURL: source, Status: publication.ContentStatus(status)}
		if comment {
			p.ParentID = s.parent
		}
		if !slices.ContainsFunc([]string{title, slug, body, source, status}, func(text string) bool { return !utf8.ValidString(text) }) {
			s.judge(p) // else TabNews repairs in silence what we refuse
		}
		s.approve(p)
	})
}

// markup are the pieces of which FuzzMarkup makes bodies: all that some pattern for Markdown knows, and what is
// invisible.
var markup = []string{
	"`", "```", "~", "~~", "~~~", "*", "**", "_", "__", "#", "##", "-", "--", "=", "==", "+", "1.", ">", "<", "<a>", "<!--", "-->",
	"!", "[", "]", "(", ")", "[^", "]: ", "![](", "[](", "|", "\\", "&nbsp;", ":", "\n", "\n\n", "\r\n", "\r", "\t", " ", "  ", "    ",
	"\u2028", "\u00a0", "\u200b", "\u2800", "\ufeff", "\u0085", "\x00", "a", "é", "1", "😀", "\u0301",
}

// FuzzMarkup looks for a body that shows text by one reading of its Markdown and none by the other.
func FuzzMarkup(f *testing.F) {
	for i := range markup {
		f.Add([]byte{byte(i), byte(i), byte(i)})
	}
	f.Fuzz(func(t *testing.T, pieces []byte) {
		if len(pieces) > 24 {
			return
		}
		var body strings.Builder
		for _, p := range pieces {
			body.WriteString(markup[int(p)%len(markup)])
		}
		newServer(t).judge(publication.Payload{Title: "Olá", Slug: "ola", Body: body.String(), Status: publication.StatusDraft})
	})
}
