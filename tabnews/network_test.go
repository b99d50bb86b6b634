package tabnews

import (
	"bufio"
	"errors"
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

// closedPort is an address at which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (c *Client) via(t *testing.T, proxy string) *Client {
	t.Helper()
	u, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	c.proxy = func(*http.Request) (*url.URL, error) { return u, nil }
	return c
}

func TestCreateProvesThatNothingWasSentWhenNoConnectionCameAbout(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(accept))
	defer secure.Close()
	plain, seen := serve(t, accept)
	silent, _ := serveRaw(t, func(conn *net.TCPConn, _ func() *http.Request) { untilGone(conn) })
	hurry := func(c *Config) { c.TLSTimeout = 100 * time.Millisecond }
	for name, c := range map[string]struct {
		client *Client
		words  string
		phase  string
	}{
		"refused":             {newTestClient(t, "http://"+closedPort(t)), "no connection to 127.0.0.1:", "connect"},
		"no such name":        {newTestClient(t, "http://tabnews.invalid"), `the name "tabnews.invalid" could not be resolved`, "connect"},
		"foreign certificate": {newTestClient(t, secure.URL), "the TLS handshake with 127.0.0.1:", "tls"},
		"no TLS there":        {newTestClient(t, "https"+plain[4:]), "the TLS handshake with 127.0.0.1:", "tls"},
		"silence in TLS":      {newTestClient(t, "https"+silent[4:], hurry), "failed: the time was over", "tls"},
		"no proxy there":      {newTestClient(t, plain).via(t, "http://user:proxysecret@"+closedPort(t)), "through the proxy 127.0.0.1:", "connect"},
		"no socks proxy":      {newTestClient(t, plain).via(t, "socks5://user:proxysecret@"+closedPort(t)), "through the proxy 127.0.0.1:", "connect"},
		"proxy is no proxy":   {newTestClient(t, secure.URL).via(t, "https"+plain[4:]), "through the proxy 127.0.0.1:", "tls"},
	} {
		t.Run(name, func(t *testing.T) {
			v := create(t, c.client)
			mustBe(t, v, publication.OutcomeNotSent, c.words)
			if v.Evidence.Phase != c.phase || v.Evidence.Error == "" {
				t.Errorf("phase %s, error %q", v.Evidence.Phase, v.Evidence.Error)
			}
			mustHoldNoSecret(t, c.client, v)
			if strings.Contains(fmt.Sprint(v), "proxysecret") {
				t.Errorf("the proxy's password is in %+v", v)
			}
		})
	}
	seen.mustBe(t, 0)
}

func TestAProxysAddressThatIsNoneIsToldWithoutItsPassword(t *testing.T) {
	base, seen := serve(t, accept)
	c := newTestClient(t, base)
	c.proxy = func(*http.Request) (*url.URL, error) {
		return nil, errors.New(`invalid proxy address "http://user:proxysecret@ "`)
	}
	v := create(t, c)
	mustBe(t, v, publication.OutcomeNotSent, "HTTP_PROXY, HTTPS_PROXY: is not a proxy's address")
	_, err := c.Content(t.Context(), publication.Reference{Owner: "autora", Slug: "ola"})
	if !errors.Is(err, errBadProxy) || strings.Contains(fmt.Sprint(v, err), "proxysecret") {
		t.Errorf("%v, %+v", err, v)
	}
	seen.mustBe(t, 0)
}

// forwardProxy is an HTTP proxy: CONNECT is a tunnel, unless refusal is set; other requests are answered by itself.
func forwardProxy(t *testing.T, refusal string, itself http.HandlerFunc) (string, *arrivals) {
	t.Helper()
	seen := &arrivals{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.add(r)
		switch {
		case r.Method != http.MethodConnect:
			itself(w, r)
		case refusal != "":
			http.Error(w, refusal, http.StatusProxyAuthRequired)
		default:
			tunnel(w, r.Host)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, seen
}

func tunnel(w http.ResponseWriter, host string) {
	far, err := net.Dial("tcp", host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	near, _, _ := http.NewResponseController(w).Hijack()
	defer near.Close()
	defer far.Close()
	io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { defer far.Close(); io.Copy(far, near) }()
	io.Copy(near, far)
}

func TestCreateThroughATunnelCountsTheRequestAndNotTheHandshakes(t *testing.T) {
	seen := &arrivals{}
	s := httptest.NewTLSServer(counting(seen, accept))
	defer s.Close()
	proxy, _ := forwardProxy(t, "", nil)
	c := newTestClient(t, s.URL).via(t, proxy)
	c.trust(s.Certificate())
	direct := newTestClient(t, s.URL)
	direct.trust(s.Certificate())
	v, other := create(t, c), create(t, direct)
	mustBe(t, v, publication.OutcomeAccepted, "accepted")
	seen.mustBe(t, 2)
	if e := v.Evidence; e.Proxy != strings.TrimPrefix(proxy, "http://") || e.RequestBytes < other.Evidence.RequestBytes || e.RequestBytes > other.Evidence.RequestBytes+200 {
		t.Errorf("proxy %q; %d bytes through it, %d without", e.Proxy, e.RequestBytes, other.Evidence.RequestBytes)
	}
}

func TestCreateThroughAProxyThatRefusesTheTunnelSentNothing(t *testing.T) {
	seen := &arrivals{}
	s := httptest.NewTLSServer(counting(seen, accept))
	defer s.Close()
	proxy, tunnels := forwardProxy(t, "no", nil)
	v := create(t, newTestClient(t, s.URL).via(t, proxy))
	mustBe(t, v, publication.OutcomeNotSent, "through the proxy "+strings.TrimPrefix(proxy, "http://")+": Proxy Authentication Required")
	seen.mustBe(t, 0)
	tunnels.mustBe(t, 1)
}

func TestCreateThroughATunnelWithAForeignCertificateSentNothing(t *testing.T) {
	seen := &arrivals{}
	s := httptest.NewTLSServer(counting(seen, accept))
	defer s.Close()
	proxy, _ := forwardProxy(t, "", nil)
	v := create(t, newTestClient(t, s.URL).via(t, proxy))
	mustBe(t, v, publication.OutcomeNotSent, "its certificate is not trusted")
	if v.Evidence.Phase != "tls" {
		t.Errorf("phase %s", v.Evidence.Phase)
	}
	seen.mustBe(t, 0)
}

func TestCreateThroughATunnelThatBreaksUnderTheRequestIsUnknown(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer s.Close()
	proxy, _ := forwardProxy(t, "", nil)
	c := newTestClient(t, s.URL).via(t, proxy)
	c.trust(s.Certificate())
	v := create(t, c)
	mustBe(t, v, publication.OutcomeUnknown, "the request was written")
	if v.Evidence.RequestBytes == 0 {
		t.Error("no bytes are in the evidence")
	}
}

func TestAProxysOwnAnswerToACreateProvesNothing(t *testing.T) {
	proxy, seen := forwardProxy(t, "", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "bad gateway", 502) })
	v := create(t, newTestClient(t, "http://tabnews.invalid").via(t, proxy))
	mustBe(t, v, publication.OutcomeUnknown, "502 that is not TabNews' own JSON: somebody in front of TabNews answered (proxy 127.0.0.1:")
	seen.mustBe(t, 1)
}

func TestAnAnswerBeforeTheRequestIsNotTakenForOne(t *testing.T) {
	base, _ := serveRaw(t, func(conn *net.TCPConn, _ func() *http.Request) {
		fmt.Fprintf(conn, "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
		io.Copy(io.Discard, bufio.NewReader(conn))
	})
	v := create(t, newTestClient(t, base))
	if v.Outcome == publication.OutcomeAccepted || v.Outcome == publication.OutcomeRejected {
		t.Errorf("outcome %s: %s", v.Outcome, v.Evidence.Summary)
	}
}

func TestGateLetsOneConnectionThroughAndNothingAfterTheEnd(t *testing.T) {
	g := newGate(soon(), 0, time.Now)
	if err := g.dial(); err != nil {
		t.Fatal(err)
	}
	if err := g.dial(); !errors.Is(err, errSecondConnection) {
		t.Errorf("second connection: %v", err)
	}
	near, far := net.Pipe()
	defer far.Close()
	g.arm()
	g.seal()
	if n, err := (&gatedConn{near, g}).Write([]byte("POST")); n != 0 || !errors.Is(err, errSealed) {
		t.Errorf("write after the end: %d, %v", n, err)
	}
	if err := g.dial(); !errors.Is(err, errSealed) {
		t.Errorf("connection after the end: %v", err)
	}
	if err := newGate(time.Now(), 0, time.Now).dial(); !errors.Is(err, errPastSendBy) {
		t.Errorf("connection after sendBy: %v", err)
	}
}

func TestGateCountsWhatTheConnectionTook(t *testing.T) {
	g := newGate(soon(), time.Minute, time.Now)
	near, far := net.Pipe()
	far.Close()
	conn := &gatedConn{near, g}
	conn.Write([]byte("CONNECT"))
	if s := g.seal(); s.tried || s.written != 0 {
		t.Errorf("a handshake is counted: %+v", s)
	}
	g = newGate(soon(), time.Minute, time.Now)
	g.arm()
	near.Close() // its deadlines cannot be set any more
	conn = &gatedConn{near, g}
	if _, err := conn.Write([]byte("POST")); err == nil {
		t.Error("a closed connection took something")
	}
	if s := g.seal(); !s.tried || s.written != 0 {
		t.Errorf("%+v", s)
	}
}
