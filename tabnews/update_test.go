package tabnews

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

func sampleUpdate() Update {
	return Update{Reference: publication.Reference{Owner: "autora", Slug: "ola"}, ID: testID, Patch: publication.Patch{Title: new("Olá de novo")}}
}

func update(t *testing.T, c *Client) Verdict {
	t.Helper()
	return c.Update(context.Background(), sampleUpdate(), soon())
}

// change answers an update as TabNews does.
func change(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Write(createdJSON(samplePayload(), map[string]any{"title": "Olá de novo"}))
}

func TestUpdateSendsTheApprovedBytesAndNothingThatInvitesARepeat(t *testing.T) {
	var body string
	base, seen := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body = string(b)
		change(w, r)
	})
	v := update(t, newTestClient(t, base))
	mustBe(t, v, publication.OutcomeAccepted, "accepted: TabNews changed autora/ola as published, id "+testID)
	seen.mustBe(t, 1)
	r := seen.seen[0]
	if want := `{"title":"Olá de novo"}`; body != want || r.Method != "PATCH" || r.URL.String() != "/api/v1/contents/autora/ola" {
		t.Errorf("%s %s %s, want %s", r.Method, r.URL, body, want)
	}
	want := http.Header{
		"Accept": {"application/json"}, "Accept-Encoding": {"identity"}, "Connection": {"close"}, "Content-Type": {"application/json"},
		"Cookie": {"session_id=" + testSession}, "User-Agent": {"postonce/1.2.3"}, "Content-Length": {fmt.Sprint(len(body))},
	}
	if fmt.Sprint(r.Header) != fmt.Sprint(want) || r.Proto != "HTTP/1.1" {
		t.Errorf("%s headers %v\nwant %v", r.Proto, r.Header, want)
	}
	if e := v.Evidence; e.Phase != "answered" || e.RequestBytes <= int64(len(body)) || e.HTTPStatus != 200 || e.Headers["date"] == "" {
		t.Errorf("evidence %+v", e)
	}
}

func TestUpdateAcceptsOnlyA200ThatNamesWhatWasAskedFor(t *testing.T) {
	to := func(s publication.ContentStatus) publication.Patch { return publication.Patch{Status: &s} }
	rename := publication.Patch{Slug: new("ola-2")}
	for name, c := range map[string]struct {
		patch   publication.Patch
		status  int
		changes map[string]any
		want    publication.Outcome
		words   string
	}{
		"edit of a published":        {sampleUpdate().Patch, 200, nil, accepted, "accepted"},
		"edit of a draft":            {sampleUpdate().Patch, 200, map[string]any{"status": "draft"}, accepted, "as draft"},
		"edit of a comment":          {sampleUpdate().Patch, 200, map[string]any{"parent_id": testID}, accepted, "accepted"},
		"hidden meanwhile":           {sampleUpdate().Patch, 200, map[string]any{"status": "firewall"}, accepted, "only a moderator"},
		"owner in another case":      {sampleUpdate().Patch, 200, map[string]any{"owner_username": "AUTORA"}, accepted, "AUTORA/ola"},
		"publishing":                 {to("published"), 200, nil, accepted, "as published"},
		"removal":                    {to("deleted"), 200, map[string]any{"status": "deleted"}, accepted, "as deleted"},
		"rename":                     {rename, 200, map[string]any{"slug": "ola-2"}, accepted, "autora/ola-2"},
		"edit that deleted":          {sampleUpdate().Patch, 200, map[string]any{"status": "deleted"}, unknown, `another status: "deleted" instead of "draft" or "published" or "firewall"`},
		"publishing left a draft":    {to("published"), 200, map[string]any{"status": "draft"}, unknown, `another status: "draft" instead of "published"`},
		"removal left it":            {to("deleted"), 200, nil, unknown, `another status: "published" instead of "deleted"`},
		"removal found it hidden":    {to("deleted"), 200, map[string]any{"status": "firewall"}, unknown, `another status: "firewall" instead of "deleted"`},
		"rename kept the slug":       {rename, 200, nil, unknown, `another slug: "ola" instead of "ola-2"`},
		"edit changed the slug":      {sampleUpdate().Patch, 200, map[string]any{"slug": "ola-2"}, unknown, `200 seen, but it names another slug: "ola-2" instead of "ola"`},
		"another content":            {sampleUpdate().Patch, 200, map[string]any{"id": "22222222-2222-4222-8222-222222222222"}, unknown, "it names another content: id"},
		"another owner":              {sampleUpdate().Patch, 200, map[string]any{"owner_username": "leitor"}, unknown, "another owner"},
		"no id":                      {sampleUpdate().Patch, 200, map[string]any{"id": nil}, unknown, "id is missing"},
		"201 in the place of 200":    {sampleUpdate().Patch, 201, nil, unknown, "201 seen where TabNews answers 200 after it changed"},
		"304 as to If-None-Match":    {sampleUpdate().Patch, 304, nil, unknown, "304 seen: TabNews answers so after it stored, too"},
		"500 with the content in it": {sampleUpdate().Patch, 500, nil, unknown, "500 that is not TabNews' own JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			u := sampleUpdate()
			u.Patch = c.patch
			asked := leftWhole(revision(u, "autora"))
			mustBe(t, classify(asked, answered(c.status, createdJSON(samplePayload(), c.changes))), c.want, c.words)
		})
	}
	u := sampleUpdate()
	u.ID = ""
	mustBe(t, classify(leftWhole(revision(u, "autora")), answered(200, createdJSON(samplePayload(), map[string]any{"id": "22222222-2222-4222-8222-222222222222"}))), accepted, "22222222-")
}

func TestUpdateThatCannotBeginSendsNothing(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	base, seen := serve(t, change)
	c := newTestClient(t, base)
	at := func(owner, slug string) Update {
		u := sampleUpdate()
		u.Reference = publication.Reference{Owner: owner, Slug: slug}
		return u
	}
	for name, try := range map[string]struct {
		client *Client
		ctx    context.Context
		update Update
		sendBy time.Time
		words  string
	}{
		"cancelled":        {c, cancelled, sampleUpdate(), soon(), "it was cancelled before it began"},
		"too late":         {c, context.Background(), sampleUpdate(), time.Now().Add(-time.Millisecond), "the time for the send was over"},
		"no session":       {newTestClient(t, base, func(c *Config) { c.Session = "" }), context.Background(), sampleUpdate(), soon(), "no session is known"},
		"no known account": {newTestClient(t, base, func(c *Config) { c.Account = "" }), context.Background(), sampleUpdate(), soon(), "account is not known"},
		"another's":        {c, context.Background(), at("leitor", "ola"), soon(), "belongs to another account: leitor/ola is not autora's"},
		"no slug":          {c, context.Background(), at("autora", ""), soon(), "has no proper address"},
		"an odd slug":      {c, context.Background(), at("autora", "ola/children"), soon(), "has no proper address"},
		"a blank in it":    {c, context.Background(), at("autora", "ola "), soon(), "has no proper address"},
		"no change":        {c, context.Background(), Update{Reference: sampleUpdate().Reference}, soon(), "nothing is to be changed"},
	} {
		t.Run(name, func(t *testing.T) {
			mustBe(t, try.client.Update(try.ctx, try.update, try.sendBy), publication.OutcomeNotSent, try.words)
		})
	}
	seen.mustBe(t, 0)
}

func TestUpdateFollowsNoRedirect(t *testing.T) {
	other, second := serve(t, change)
	for _, status := range []int{301, 302, 303, 307, 308} {
		base, first := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other+r.URL.Path, status) })
		mustBe(t, update(t, newTestClient(t, base)), unknown, fmt.Sprintf("%d redirect to ", status))
		first.mustBe(t, 1)
	}
	second.mustBe(t, 0)
}

// TestUpdateOnAConnectionThatCloses is the case in which net/http sends again, as for a create.
func TestUpdateOnAConnectionThatCloses(t *testing.T) {
	base, seen := serveRaw(t, func(conn *net.TCPConn, arrive func() *http.Request) {
		if r := arrive(); r != nil && r.Method == http.MethodGet {
			fmt.Fprintf(conn, "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n")
			untilGone(conn)
		}
	})
	c := newTestClient(t, base)
	c.Content(context.Background(), sampleUpdate().Reference)
	mustBe(t, update(t, c), unknown, "no answer came")
	mustBe(t, update(t, c), unknown, "no answer came")
	seen.mustBe(t, 3)
}

// TestUpdateSpeaksHTTP1ToAServerThatPrefersHTTP2: there GOAWAY and REFUSED_STREAM would send it again.
func TestUpdateSpeaksHTTP1ToAServerThatPrefersHTTP2(t *testing.T) {
	seen := &arrivals{}
	s := httptest.NewUnstartedServer(counting(seen, change))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	c := newTestClient(t, s.URL)
	c.trust(s.Certificate())
	mustBe(t, update(t, c), accepted, "accepted")
	seen.mustBe(t, 1)
	if r := seen.seen[0]; r.Proto != "HTTP/1.1" || r.TLS.NegotiatedProtocol == "h2" {
		t.Errorf("%s, negotiated %q", r.Proto, r.TLS.NegotiatedProtocol)
	}
}

func TestUpdatePhaseLimitsEndTheWaitEarlier(t *testing.T) {
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, c := range map[string]struct {
		limit  func(*Config)
		answer http.HandlerFunc
		words  string
	}{
		"first byte": {func(c *Config) { c.FirstByteTimeout = 100 * time.Millisecond }, silent, "no answer came: the time was over"},
		"body":       {func(c *Config) { c.ReadTimeout = 100 * time.Millisecond }, drip, "the body had not ended in time"},
	} {
		t.Run(name, func(t *testing.T) {
			base, seen := serve(t, c.answer)
			mustBe(t, update(t, newTestClient(t, base, c.limit)), unknown, c.words)
			seen.mustBe(t, 1)
		})
	}
	base, seen := serve(t, silent)
	mustBe(t, newTestClient(t, base).Update(t.Context(), sampleUpdate(), time.Now().Add(300*time.Millisecond)), unknown, "no answer came: the time was over")
	seen.mustBe(t, 1)
}

func TestUpdateProvesThatNothingWasSentWhenNoConnectionCameAbout(t *testing.T) {
	for name, c := range map[string]struct {
		base, words, phase string
	}{
		"refused":      {"http://" + closedPort(t), "no connection to 127.0.0.1:", "connect"},
		"no such name": {"http://tabnews.invalid", `the name "tabnews.invalid" could not be resolved`, "connect"},
	} {
		t.Run(name, func(t *testing.T) {
			v := update(t, newTestClient(t, c.base))
			mustBe(t, v, publication.OutcomeNotSent, c.words)
			if v.Evidence.Phase != c.phase {
				t.Errorf("phase %s", v.Evidence.Phase)
			}
		})
	}
}

func TestUpdateHoldsNoSecretThatAnAnswerRepeats(t *testing.T) {
	base, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/?"+url.QueryEscape(r.Header.Get("Cookie")))
		w.WriteHeader(http.StatusOK)
		json.NewEncoder(w).Encode(map[string]string{"slug": strings.ToLower(testSession), "cookie": r.Header.Get("Cookie")})
	})
	c := newTestClient(t, base)
	v := update(t, c)
	mustBe(t, v, unknown, "id is missing")
	mustHoldNoSecret(t, c, v)
}
