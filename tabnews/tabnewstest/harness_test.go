package tabnewstest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"postonce/tabnews/tabnewstest"
)

// good is a body that earns a TabCoin, so that the rating rule stays out of the way.
const good = "Texto exemplo contendo palavras suficientes para receber moedas iniciais normalmente."

// clock is a clock that moves only when told.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// soon bounds a wait for an event, so that one that never comes fails the test by name.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func start(t *testing.T, opts ...tabnewstest.Option) *tabnewstest.Server {
	t.Helper()
	s := tabnewstest.New(opts...)
	if err := s.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// client speaks to the emulator with plain net/http: a fresh connection for each request, no redirects followed.
type client struct {
	t     *testing.T
	base  string
	token string
	ip    string
	http  *http.Client
}

func anonymous(t *testing.T, s *tabnewstest.Server) *client {
	return &client{t: t, base: s.URL(), http: &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func login(t *testing.T, s *tabnewstest.Server, name string) *client {
	t.Helper()
	c := anonymous(t, s)
	r := c.do("POST", "/api/v1/sessions", object{"email": name + "@example.com", "password": "senha-" + name + "-123"})
	if r.status != 201 {
		t.Fatalf("login as %s: %d %s", name, r.status, r.raw)
	}
	c.token = r.text("token")
	return c
}

// at gives the same client behind another IP.
func (c *client) at(ip string) *client {
	other := *c
	other.ip = ip
	return &other
}

type object = map[string]any

type result struct {
	status int
	header http.Header
	raw    string
	json   object
	list   []object
	err    error // of the exchange or of reading the body
}

func (r result) text(key string) string { return fmt.Sprint(r.json[key]) }

// do sends one request. A body that is a string is sent as it stands. An odd number of headers is a mistake.
func (c *client) do(method, path string, body any, headers ...string) result {
	return c.doCtx(c.t.Context(), method, path, body, headers...)
}

func (c *client) doCtx(ctx context.Context, method, path string, body any, headers ...string) result {
	c.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			c.t.Fatal(err)
		}
		reader = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, reader)
	if err != nil {
		c.t.Fatal(err)
	}
	req.GetBody = nil
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Cookie", "session_id="+c.token)
	}
	if c.ip != "" {
		req.Header.Set("X-Forwarded-For", c.ip)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] == "" {
			req.Header.Del(headers[i])
		} else {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	return receive(c.http.Do(req))
}

func receive(resp *http.Response, err error) result {
	if err != nil {
		return result{err: err}
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	r := result{status: resp.StatusCode, header: resp.Header, raw: string(raw), err: err}
	json.Unmarshal(raw, &r.json)
	json.Unmarshal(raw, &r.list)
	return r
}

// create posts a content and fails the test unless it is created.
func (c *client) create(fields object) result {
	c.t.Helper()
	r := c.do("POST", "/api/v1/contents", fields)
	if r.status != 201 {
		c.t.Fatalf("POST %v: %d %s", fields, r.status, r.raw)
	}
	return r
}

// article is a root content with a good body.
func article(slug, status string) object {
	return object{"title": "Título de " + slug, "slug": slug, "body": good, "status": status}
}

func comment(parentID, slug string) object {
	return object{"parent_id": parentID, "slug": slug, "body": good, "status": "published"}
}

// want checks status and some fields of a result.
func want(t *testing.T, r result, status int, fields object) {
	t.Helper()
	if r.err != nil {
		t.Fatalf("error %v, want %d", r.err, status)
	}
	if r.status != status {
		t.Fatalf("status %d, want %d: %s", r.status, status, r.raw)
	}
	for k, v := range fields {
		got, there := r.json[k]
		if fmt.Sprint(got) != fmt.Sprint(v) || !there {
			t.Errorf("%s is %v (there: %v), want %v", k, got, there, v)
		}
	}
}

// stored gives the row with a slug, nil when there is none.
func stored(s *tabnewstest.Server, slug string) *tabnewstest.Content {
	for _, c := range s.Contents() {
		if c.Slug == slug {
			return &c
		}
	}
	return nil
}

func slugs(list []object) string {
	var all []string
	for _, o := range list {
		all = append(all, fmt.Sprint(o["slug"]))
	}
	return strings.Join(all, " ")
}

// fieldOrder gives the top-level field names of a JSON object in their order.
func fieldOrder(t *testing.T, raw string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(raw))
	d.Token()
	var names []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprint(name))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(names, " ")
}
