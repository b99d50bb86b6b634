package tabnews

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"postonce/publication"
)

const (
	testSession  = "SeSsIoN0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789zyxwvutsrqponmlkj"
	testPassword = `se"nh<a-autora-123`
	testID       = "0b4b3c1e-8d0f-4d52-9a0e-5f3f6d7c8b9a"
)

func samplePayload() publication.Payload {
	return publication.Payload{Title: "Olá", Slug: "ola", Body: "Um texto com palavras.", Status: publication.StatusPublished}
}

// newTestClient has a session and an account, and speaks directly.
func newTestClient(t *testing.T, base string, change ...func(*Config)) *Client {
	t.Helper()
	cfg := Config{BaseURL: base, Account: "autora", Session: testSession, Version: "1.2.3"}
	for _, f := range change {
		f(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	t.Cleanup(c.reader.CloseIdleConnections)
	return c
}

// trust makes the client accept a test server's certificate.
func (c *Client) trust(certificate *x509.Certificate) {
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	c.tls = &tls.Config{RootCAs: roots}
	c.reader = c.newReader()
}

func soon() time.Time { return time.Now().Add(30 * time.Second) }

func create(t *testing.T, c *Client) Verdict {
	t.Helper()
	return c.Create(context.Background(), samplePayload(), soon())
}

// createdJSON is TabNews' 201 for p, with some fields changed; a nil value removes the field.
func createdJSON(p publication.Payload, changes map[string]any) []byte {
	fields := []struct {
		name  string
		value any
	}{
		{"id", testID}, {"owner_id", "7b4b3c1e-8d0f-4d52-9a0e-5f3f6d7c8b9a"}, {"parent_id", nil}, {"slug", p.Slug}, {"title", p.Title},
		{"body", p.Body}, {"status", string(p.Status)}, {"type", "content"}, {"source_url", nil}, {"created_at", "2026-01-02T03:04:05.678Z"},
		{"updated_at", "2026-01-02T03:04:05.678Z"}, {"published_at", "2026-01-02T03:04:05.679Z"}, {"deleted_at", nil},
		{"owner_username", "autora"}, {"tabcoins", 1}, {"tabcoins_credit", 0}, {"tabcoins_debit", 0},
	}
	if p.ParentID != "" {
		fields[2].value = p.ParentID
	}
	var out strings.Builder
	out.WriteByte('{')
	for _, f := range fields {
		if value, changed := changes[f.name]; changed {
			if value == nil {
				continue
			}
			f.value = value
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		value, _ := json.Marshal(f.value)
		fmt.Fprintf(&out, "%q:%s", f.name, value)
	}
	out.WriteByte('}')
	return []byte(out.String())
}

// apiErrorJSON is TabNews' error JSON; fields come in pairs of name and value.
func apiErrorJSON(status int, name, message string, fields ...string) []byte {
	out := map[string]any{
		"name": name, "message": message, "action": "Tente.", "status_code": status,
		"error_id": "11111111-2222-4333-8444-555555555555", "request_id": "gru1::abc-123",
	}
	for i := 0; i < len(fields); i += 2 {
		out[fields[i]] = fields[i+1]
	}
	text, _ := json.Marshal(out)
	return text
}

// arrivals counts the requests that reached a server.
type arrivals struct {
	mu   sync.Mutex
	seen []*http.Request
}

func (a *arrivals) add(r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, r)
}

func (a *arrivals) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.seen)
}

func (a *arrivals) mustBe(t *testing.T, want int) {
	t.Helper()
	if got := a.count(); got != want {
		t.Errorf("arrivals = %d, want %d", got, want)
	}
}

// serve is an HTTP server that reads every request whole, counts it, and then answers.
func serve(t *testing.T, answer http.HandlerFunc) (string, *arrivals) {
	t.Helper()
	seen := &arrivals{}
	s := httptest.NewServer(counting(seen, answer))
	t.Cleanup(s.Close)
	return s.URL, seen
}

func counting(seen *arrivals, answer http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		seen.add(r)
		answer(w, r)
	})
}

// serveRaw is a TCP server: every connection goes to answer, which reads a request with arrive if it likes.
func serveRaw(t *testing.T, answer func(conn *net.TCPConn, arrive func() *http.Request)) (string, *arrivals) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	seen := &arrivals{}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer conn.Close()
				answer(conn.(*net.TCPConn), func() *http.Request {
					r, err := http.ReadRequest(bufio.NewReader(conn))
					if err != nil {
						t.Errorf("no request came: %v", err)
						return nil
					}
					io.Copy(io.Discard, r.Body)
					seen.add(r)
					return r
				})
			})
		}
	})
	t.Cleanup(func() { l.Close(); running.Wait() })
	return "http://" + l.Addr().String(), seen
}

// reset closes a connection with a TCP reset.
func reset(conn *net.TCPConn) {
	conn.SetLinger(0)
	conn.Close()
}

// untilGone waits until the peer has closed.
func untilGone(conn net.Conn) { io.Copy(io.Discard, conn) }

func mustBe(t *testing.T, v Verdict, want publication.Outcome, words string) {
	t.Helper()
	if v.Outcome != want || !strings.Contains(v.Evidence.Summary, words) {
		t.Errorf("outcome = %s, summary %q\nwant %s, %q\nerror %q, phase %s", v.Outcome, v.Evidence.Summary, want, words, v.Evidence.Error, v.Evidence.Phase)
	}
	if (v.Outcome == publication.OutcomeAccepted) != (v.Identity != nil) {
		t.Errorf("outcome %s with identity %v", v.Outcome, v.Identity)
	}
	if v.Outcome == publication.OutcomeNotSent && (!v.Evidence.ProvenUnsent || v.Evidence.RequestBytes != 0) {
		t.Errorf("not sent without proof: %+v", v.Evidence)
	}
}
