package tabnews

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
)

var ola = publication.Reference{Owner: "autora", Slug: "ola"}

func respond(status int, header map[string]string, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func TestContentIsReadFreshAndWhole(t *testing.T) {
	body := strings.TrimSuffix(string(createdJSON(samplePayload(), nil)), "}") + `,"children_deep_count":4}`
	base, seen := serve(t, respond(200, map[string]string{"Age": "0"}, body))
	c := newTestClient(t, base)
	at := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	published := at.Add(time.Millisecond)
	want := Content{
		ID: testID, OwnerID: "7b4b3c1e-8d0f-4d52-9a0e-5f3f6d7c8b9a", Slug: "ola", Title: "Olá", Body: "Um texto com palavras.",
		Status: publication.StatusPublished, Type: "content", CreatedAt: at, UpdatedAt: at, PublishedAt: &published,
		OwnerUsername: "autora", TabCoins: 1, ChildrenDeepCount: 4,
	}
	for range 2 {
		content, err := c.Content(t.Context(), publication.Reference{Owner: "Autora", Slug: "ola"})
		if diff := cmp.Diff(want, content); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
		if id := content.Identity(); id != (publication.Identity{ID: testID, OwnerUsername: "autora", Slug: "ola", Status: "published"}) || content.Reference() != ola {
			t.Errorf("identity %+v", id)
		}
	}
	first, second := seen.seen[0], seen.seen[1]
	if first.URL.Path != "/api/v1/contents/Autora/ola" || len(first.URL.Query().Get("fresh")) < 20 || first.URL.RawQuery == second.URL.RawQuery {
		t.Errorf("%s, then %s", first.URL, second.URL)
	}
	if first.Header.Get("Cookie") != "" {
		t.Error("a public read carried the session")
	}
}

func TestContentTellsAbsenceFromEverythingElse(t *testing.T) {
	absent := string(apiErrorJSON(404, "NotFoundError", "O conteúdo informado não foi encontrado no sistema.", "error_location_code", "CONTROLLER:CONTENT:GET_HANDLER:SLUG_NOT_FOUND", "key", "slug"))
	nobody := string(apiErrorJSON(404, "NotFoundError", `O "username" informado não foi encontrado no sistema.`, "error_location_code", "MODEL:USER:FIND_ONE_BY_USERNAME:NOT_FOUND", "key", "username"))
	whole := string(createdJSON(samplePayload(), nil))
	other := string(createdJSON(samplePayload(), map[string]any{"owner_username": "leitor"}))
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   any
		words  string
	}{
		"absent":              {respond(404, nil, absent), new(*NotFoundError), "autora/ola: TabNews shows nothing there"},
		"no such user":        {respond(404, nil, nobody), new(*NotFoundError), "autora: TabNews knows no such user"},
		"404 page":            {respond(404, map[string]string{"Content-Type": "text/html"}, "<html>"), new(*EdgeError), "404 that is not TabNews' own"},
		"404 of no content":   {respond(404, nil, string(apiErrorJSON(404, "NotFoundError", "x"))), new(*publication.APIError), "TabNews answered 404"},
		"old 404":             {respond(404, map[string]string{"Age": "3"}, absent), new(*AnswerError), "a cache's copy, \"3\" seconds old"},
		"old 200":             {respond(200, map[string]string{"Age": "3"}, whole), new(*AnswerError), "a cache's copy"},
		"200 of unknown age":  {respond(200, map[string]string{"Age": "x"}, whole), new(*AnswerError), "a cache's copy"},
		"Cloudflare's copy":   {respond(200, map[string]string{"Cf-Cache-Status": "HIT"}, whole), new(*AnswerError), "Cf-Cache-Status: HIT"},
		"Vercel's copy":       {respond(404, map[string]string{"X-Vercel-Cache": "STALE"}, absent), new(*AnswerError), "X-Vercel-Cache: STALE"},
		"another content":     {respond(200, nil, other), new(*AnswerError), `it is not this content but "leitor/ola"`},
		"HTML":                {respond(200, nil, "<html>"), new(*AnswerError), "it is not the JSON"},
		"empty":               {respond(204, nil, ""), new(*AnswerError), "another status"},
		"redirect":            {respond(302, map[string]string{"Location": "https://elsewhere.example"}, ""), new(*AnswerError), `a redirect to "https://elsewhere.example", not followed`},
		"cut":                 {respond(200, map[string]string{"Content-Length": "900"}, whole[:120]), new(*AnswerError), "its body stopped after 120 bytes"},
		"endless":             {respond(200, nil, strings.Repeat(" ", bodyLimit+1)), new(*AnswerError), "longer than"},
		"503 of the database": {respond(503, nil, string(apiErrorJSON(503, "InternalServerError", "Erro.", "error_location_code", "INFRA:DATABASE:QUERY"))), new(*publication.APIError), "reading autora/ola: TabNews answered 503"},
	} {
		t.Run(name, func(t *testing.T) {
			base, seen := serve(t, c.answer)
			_, err := newTestClient(t, base).Content(t.Context(), ola)
			if err == nil || !errors.As(err, c.kind) || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%T %v\nwant %T, %q", err, err, c.kind, c.words)
			}
			var absent *NotFoundError
			if _, wanted := c.kind.(**NotFoundError); errors.As(err, &absent) != wanted {
				t.Error("taken for an absence, or the other way round")
			}
			seen.mustBe(t, 1)
		})
	}
}

func TestReadsThatGetNoAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stalled, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	_, err := newTestClient(t, stalled).Content(ctx, ola)
	var transport *TransportError
	if !errors.As(err, &transport) || !errors.Is(err, context.Canceled) || transport.Timeout() {
		t.Errorf("cancelled: %v", err)
	}

	late, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	c := newTestClient(t, late, func(c *Config) { c.FirstByteTimeout = 50 * time.Millisecond })
	if _, err := c.Content(t.Context(), ola); !errors.As(err, &transport) || !transport.Timeout() {
		t.Errorf("late: %v", err)
	}

	body, cancelBody := context.WithCancel(t.Context())
	defer cancelBody()
	half, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { startHalf(w); cancelBody(); <-r.Context().Done() })
	if _, err := newTestClient(t, half).Content(body, ola); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled in the body: %v", err)
	}

	c = newTestClient(t, "http://"+closedPort(t)).via(t, "http://user:proxysecret@"+closedPort(t))
	_, err = c.UserContents(t.Context(), "autora", 1, 10)
	if !errors.As(err, &transport) || !strings.Contains(err.Error(), "(through the proxy 127.0.0.1:") || strings.Contains(err.Error(), "proxysecret") {
		t.Errorf("proxy: %v", err)
	}
	if _, err := newTestClient(t, "http://"+closedPort(t)).CheckSession(t.Context()); !errors.As(err, &transport) || !strings.HasPrefix(err.Error(), "reading the session's user: no answer: dial tcp") {
		t.Errorf("refused: %v", err)
	}
}

func startHalf(w http.ResponseWriter) {
	w.WriteHeader(http.StatusOK)
	io.WriteString(w, "{")
	w.(http.Flusher).Flush()
}

func TestUserContentsListsNewestFirst(t *testing.T) {
	one := string(createdJSON(samplePayload(), map[string]any{"body": nil}))
	base, seen := serve(t, respond(200, nil, "["+one+","+strings.Replace(one, `"ola"`, `"ola-2"`, 1)+"]"))
	contents, err := newTestClient(t, base).UserContents(t.Context(), "autora", 2, 50)
	if err != nil || len(contents) != 2 || contents[1].Slug != "ola-2" || contents[0].Body != "" {
		t.Errorf("%+v, %v", contents, err)
	}
	q := seen.seen[0].URL.Query()
	if seen.seen[0].URL.Path != "/api/v1/contents/autora" || q.Get("strategy") != "new" || q.Get("page") != "2" || q.Get("per_page") != "50" || q.Get("fresh") == "" {
		t.Errorf("asked %s", seen.seen[0].URL)
	}
}

func TestUserContentsRefusesWhatIsNoList(t *testing.T) {
	nobody := string(apiErrorJSON(404, "NotFoundError", "x", "key", "username"))
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   any
	}{
		"no list":      {respond(200, nil, `{}`), new(*AnswerError)},
		"no contents":  {respond(200, nil, `[{"slug":"ola"}]`), new(*AnswerError)},
		"no such user": {respond(404, nil, nobody), new(*NotFoundError)},
	} {
		base, _ := serve(t, c.answer)
		if _, err := newTestClient(t, base).UserContents(t.Context(), "autora", 1, 10); !errors.As(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReadsFollowNoRedirect: the session must not reach a second host.
func TestReadsFollowNoRedirect(t *testing.T) {
	other, second := serve(t, respond(200, nil, userJSON))
	base, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other+r.URL.Path, 307) })
	var answer *AnswerError
	if _, err := newTestClient(t, base).CheckSession(t.Context()); !errors.As(err, &answer) {
		t.Errorf("%v", err)
	}
	second.mustBe(t, 0)
}

func TestReadsOfAMalformedAnswerTellItWithoutTheSession(t *testing.T) {
	base, _ := serveRaw(t, func(conn *net.TCPConn, arrive func() *http.Request) {
		fmt.Fprintf(conn, "%s\r\n\r\n", arrive().Header.Get("Cookie"))
	})
	c := newTestClient(t, base)
	_, err := c.CheckSession(t.Context())
	var transport *TransportError
	if !errors.As(err, &transport) || !strings.Contains(err.Error(), redacted) {
		t.Errorf("%v", err)
	}
	mustHoldNoSecret(t, c, err)
}
