package tabnews

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"postonce/publication"
)

func accept(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusCreated)
	w.Write(createdJSON(samplePayload(), nil))
}

func TestCreateSendsTheApprovedBytesAndNothingThatInvitesARepeat(t *testing.T) {
	var body string
	base, seen := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b := make([]byte, r.ContentLength)
		r.Body.Read(b)
		body = string(b)
		accept(w, r)
	})
	v := create(t, newTestClient(t, base))
	mustBe(t, v, publication.OutcomeAccepted, "accepted")
	seen.mustBe(t, 1)
	r := seen.seen[0]
	if want := string(samplePayload().CanonicalJSON()); body != want || r.Method != "POST" || r.URL.String() != "/api/v1/contents" {
		t.Errorf("%s %s %s, want %s", r.Method, r.URL, body, want)
	}
	want := http.Header{
		"Accept": {"application/json"}, "Accept-Encoding": {"identity"}, "Connection": {"close"}, "Content-Type": {"application/json"},
		"Cookie": {"session_id=" + testSession}, "User-Agent": {"postonce/1.2.3"}, "Content-Length": {fmt.Sprint(len(body))},
	}
	if fmt.Sprint(r.Header) != fmt.Sprint(want) || r.Proto != "HTTP/1.1" {
		t.Errorf("%s headers %v\nwant %v", r.Proto, r.Header, want)
	}
	if e := v.Evidence; e.Phase != "answered" || e.RequestBytes <= int64(len(body)) || e.HTTPStatus != 201 || e.StartedAt.IsZero() || e.Headers["date"] == "" {
		t.Errorf("evidence %+v", e)
	}
}

func TestCreateFollowsNoRedirect(t *testing.T) {
	other, second := serve(t, accept)
	for _, status := range []int{301, 302, 303, 307, 308} {
		base, first := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other+"/api/v1/contents", status) })
		v := create(t, newTestClient(t, base))
		mustBe(t, v, publication.OutcomeUnknown, fmt.Sprintf("%d redirect to %q, not followed", status, other+"/api/v1/contents"))
		first.mustBe(t, 1)
	}
	second.mustBe(t, 0)
}

// TestCreateOnAConnectionThatCloses has a server which answers the first request, keeps the connection open, and closes
// it when a second one comes: the case in which net/http sends again.
func TestCreateOnAConnectionThatCloses(t *testing.T) {
	base, seen := serveRaw(t, func(conn *net.TCPConn, arrive func() *http.Request) {
		if r := arrive(); r != nil && r.Method == http.MethodGet {
			fmt.Fprintf(conn, "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n")
			untilGone(conn)
		}
	})
	c := newTestClient(t, base)
	c.Content(context.Background(), publication.Reference{Owner: "autora", Slug: "ola"})
	mustBe(t, create(t, c), publication.OutcomeUnknown, "no answer came")
	mustBe(t, create(t, c), publication.OutcomeUnknown, "no answer came")
	seen.mustBe(t, 3)
}

func TestCreateIsOneRequestWhereverTheConnectionBreaks(t *testing.T) {
	const head = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n"
	whole := string(createdJSON(samplePayload(), nil))
	sized := head + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(whole))
	for name, c := range map[string]struct {
		answer string
		reset  bool
		want   publication.Outcome
		words  string
		phase  string
	}{
		"closed without an answer":   {"", false, publication.OutcomeUnknown, "no answer came: EOF", "wait"},
		"reset without an answer":    {"", true, publication.OutcomeUnknown, "no answer came: the connection was reset", "wait"},
		"cut status line":            {"HTTP/1.1 20", false, publication.OutcomeUnknown, "the answer broke before its headers were complete", "headers"},
		"cut headers":                {head, false, publication.OutcomeUnknown, "the answer broke before its headers were complete", "headers"},
		"reset after the headers":    {sized, true, publication.OutcomeUnknown, "201 seen, then the body stopped after 0 of", "body"},
		"cut body":                   {sized + whole[:120], false, publication.OutcomeUnknown, fmt.Sprintf("201 seen, then the body stopped after 120 of %d bytes", len(whole)), "body"},
		"reset in the body":          {sized + whole[:120], true, publication.OutcomeUnknown, "201 seen, then the body stopped after", "body"},
		"too long a Content-Length":  {head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(whole)+5, whole), false, publication.OutcomeUnknown, "201 seen, then the body stopped", "body"},
		"too short a Content-Length": {head + "Content-Length: 100\r\n\r\n" + whole, false, publication.OutcomeUnknown, "its JSON breaks off", "answered"},
		"chunks without an end":      {head + fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(whole), whole), false, publication.OutcomeUnknown, "201 seen, then the body stopped", "body"},
		"no length at all":           {head + "\r\n" + whole, false, publication.OutcomeAccepted, "accepted", "answered"},
		"103 first":                  {"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + sized + whole, false, publication.OutcomeAccepted, "accepted", "answered"},
		"100 first":                  {"HTTP/1.1 100 Continue\r\n\r\n" + sized + whole, false, publication.OutcomeAccepted, "accepted", "answered"},
		"102 and then nothing":       {"HTTP/1.1 102 Processing\r\n\r\n", false, publication.OutcomeUnknown, "the answer broke before", "headers"},
		"not HTTP":                   {"SSH-2.0-OpenSSH\r\n\r\n", false, publication.OutcomeUnknown, "malformed HTTP", "headers"},
		"gzip that nobody asked for": {head + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08", false, publication.OutcomeUnknown, "201 seen, but its body is not", "answered"},
		"headers without end":        {head + "X-Fill: " + strings.Repeat("x", headerLimit+5000), false, publication.OutcomeUnknown, "broke before its headers", "headers"},
		"two answers":                {sized + whole + sized + whole, false, publication.OutcomeAccepted, "accepted", "answered"},
	} {
		t.Run(name, func(t *testing.T) {
			base, seen := serveRaw(t, func(conn *net.TCPConn, arrive func() *http.Request) {
				arrive()
				conn.Write([]byte(c.answer))
				if c.reset {
					reset(conn)
				}
			})
			v := create(t, newTestClient(t, base))
			mustBe(t, v, c.want, c.words)
			if !c.reset && v.Evidence.Phase != c.phase { // a reset may overtake what was sent before it
				t.Errorf("phase %s, want %s", v.Evidence.Phase, c.phase)
			}
			if v.Outcome == publication.OutcomeUnknown && v.Evidence.RequestBytes == 0 {
				t.Error("a request left, and the evidence says that none did")
			}
			seen.mustBe(t, 1)
		})
	}
}

func TestCreateResetOnAcceptIsNeverMoreThanUnknown(t *testing.T) {
	base, seen := serveRaw(t, func(conn *net.TCPConn, _ func() *http.Request) { reset(conn) })
	v := create(t, newTestClient(t, base))
	// Whether the reset or the first byte is earlier is a race; the evidence must say which it was.
	if v.Outcome != publication.OutcomeUnknown && v.Outcome != publication.OutcomeNotSent {
		t.Errorf("outcome %s", v.Outcome)
	}
	if v.Outcome == publication.OutcomeNotSent != v.Evidence.ProvenUnsent {
		t.Errorf("outcome %s, proven unsent %v", v.Outcome, v.Evidence.ProvenUnsent)
	}
	seen.mustBe(t, 0)
}

func TestCreateReadsABoundedBody(t *testing.T) {
	taken := make(chan int, 1)
	base, seen := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusCreated)
		total := 0
		for r.Context().Err() == nil {
			n, _ := w.Write([]byte(strings.Repeat("<p>", 10000)))
			total += n
		}
		taken <- total
	})
	v := create(t, newTestClient(t, base))
	mustBe(t, v, publication.OutcomeUnknown, fmt.Sprintf("a body without end: reading stopped after %d bytes", bodyLimit))
	if n := len(v.Evidence.Body); n > publication.EvidenceBodyLimit+len("…") {
		t.Errorf("%d bytes of the body are kept", n)
	}
	if n := <-taken; n > 32<<20 { // what the network holds comes on top of the limit
		t.Errorf("the server could send %d bytes", n)
	}
	seen.mustBe(t, 1)
}

func TestCreateWaitsUntilSendByAndNoLonger(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		words  string
	}{
		"no answer":    {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no answer came: the time was over"},
		"slow headers": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(103); <-r.Context().Done() }, "the time was over"},
		"no body":      {func(w http.ResponseWriter, r *http.Request) { startBody(w); <-r.Context().Done() }, "201 seen, then the body had not ended in time: 0"},
		"slow drip":    {drip, "201 seen, then the body had not ended in time:"},
	} {
		t.Run(name, func(t *testing.T) {
			base, seen := serve(t, c.answer)
			began := time.Now()
			v := newTestClient(t, base).Create(context.Background(), samplePayload(), began.Add(300*time.Millisecond))
			mustBe(t, v, publication.OutcomeUnknown, c.words)
			if took := time.Since(began); took < 250*time.Millisecond || took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			seen.mustBe(t, 1)
		})
	}
}

func startBody(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "600")
	w.WriteHeader(http.StatusCreated)
	w.(http.Flusher).Flush()
}

// drip sends a byte whenever the last one is through.
func drip(w http.ResponseWriter, r *http.Request) {
	startBody(w)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			w.Write([]byte{' '})
			w.(http.Flusher).Flush()
		}
	}
}

func TestCreatePhaseLimitsEndTheWaitEarlier(t *testing.T) {
	for name, c := range map[string]struct {
		limit  func(*Config)
		answer http.HandlerFunc
		words  string
	}{
		"first byte": {func(c *Config) { c.FirstByteTimeout = 100 * time.Millisecond }, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no answer came: the time was over"},
		"body":       {func(c *Config) { c.ReadTimeout = 100 * time.Millisecond }, drip, "the body had not ended in time"},
	} {
		t.Run(name, func(t *testing.T) {
			base, seen := serve(t, c.answer)
			v := create(t, newTestClient(t, base, c.limit))
			mustBe(t, v, publication.OutcomeUnknown, c.words)
			seen.mustBe(t, 1)
		})
	}
}

func TestCreateWriteLimit(t *testing.T) {
	// A server that never reads: the request fills the buffers and then stands still.
	base, _ := serveRaw(t, func(conn *net.TCPConn, _ func() *http.Request) {
		conn.SetReadBuffer(4096)
		one := make([]byte, 1)
		conn.Read(one)
		<-t.Context().Done()
	})
	p := samplePayload()
	p.Body = strings.Repeat("muito texto ", 2<<20)
	c := newTestClient(t, base, func(c *Config) { c.WriteTimeout = 200 * time.Millisecond })
	v := c.Create(context.Background(), p, soon())
	mustBe(t, v, publication.OutcomeUnknown, "the connection failed while the request was being written")
	if v.Evidence.Phase != "write" || v.Evidence.RequestBytes == 0 || !strings.Contains(v.Evidence.Summary, "the time was over") {
		t.Errorf("evidence %+v", v.Evidence)
	}
}

func TestCreateCancelledOnTheWayIsHeardOut(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	base, seen := serve(t, func(w http.ResponseWriter, r *http.Request) { cancel(); accept(w, r) })
	mustBe(t, newTestClient(t, base).Create(ctx, samplePayload(), soon()), publication.OutcomeAccepted, "accepted")
	seen.mustBe(t, 1)
}

func TestCreateThatCannotBeginSendsNothing(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	base, seen := serve(t, accept)
	for name, c := range map[string]struct {
		client *Client
		ctx    context.Context
		sendBy time.Time
		words  string
	}{
		"cancelled":        {newTestClient(t, base), cancelled, soon(), "it was cancelled before it began"},
		"too late":         {newTestClient(t, base), context.Background(), time.Now().Add(-time.Millisecond), "the time for the send was over"},
		"no time at all":   {newTestClient(t, base), context.Background(), time.Time{}, "the time for the send was over"},
		"no session":       {newTestClient(t, base, func(c *Config) { c.Session = "" }), context.Background(), soon(), "no session is known: CheckSession must come first"},
		"no known account": {newTestClient(t, base, func(c *Config) { c.Account = "" }), context.Background(), soon(), "the session's account is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			mustBe(t, c.client.Create(c.ctx, samplePayload(), c.sendBy), publication.OutcomeNotSent, c.words)
		})
	}
	seen.mustBe(t, 0)
}

// TestCreateFrozenBeforeTheWriteSendsNothing lets the clock jump after the connection was made, as it does for a process
// that was stopped, or a machine that slept.
func TestCreateFrozenBeforeTheWriteSendsNothing(t *testing.T) {
	gone := make(chan struct{})
	base, seen := serveRaw(t, func(conn *net.TCPConn, _ func() *http.Request) { untilGone(conn); close(gone) })
	c := newTestClient(t, base)
	sendBy := soon()
	var looks atomic.Int32
	c.now = func() time.Time {
		if looks.Add(1) > 2 { // the first looks are before the send and before the connection
			return sendBy.Add(time.Hour)
		}
		return time.Now()
	}
	v := c.Create(context.Background(), samplePayload(), sendBy)
	mustBe(t, v, publication.OutcomeNotSent, "the time for the send was over before the request could be written")
	<-gone
	seen.mustBe(t, 0)
}

// TestCreateFrozenWithinTheWriteSendsNoMore is the same with a part of the request already gone.
func TestCreateFrozenWithinTheWriteSendsNoMore(t *testing.T) {
	broke := make(chan error, 1)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		broke <- err
	}))
	defer s.Close()
	c := newTestClient(t, s.URL)
	sendBy := soon()
	var looks atomic.Int32
	c.now = func() time.Time {
		if looks.Add(1) > 3 { // one more look than above: the first part of the request
			return sendBy.Add(time.Hour)
		}
		return time.Now()
	}
	p := samplePayload()
	p.Body = strings.Repeat("muito texto ", 50000)
	v := c.Create(context.Background(), p, sendBy)
	mustBe(t, v, publication.OutcomeUnknown, "over while the request was being written")
	if n := v.Evidence.RequestBytes; n == 0 || n >= int64(len(p.Body)) {
		t.Errorf("%d bytes left", n)
	}
	if err := <-broke; err == nil {
		t.Error("the request arrived whole")
	}
}

func TestCreateSpeaksHTTP1ToAServerThatPrefersHTTP2(t *testing.T) {
	seen := &arrivals{}
	s := httptest.NewUnstartedServer(counting(seen, accept))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	c := newTestClient(t, s.URL)
	c.trust(s.Certificate())
	v := create(t, c)
	mustBe(t, v, publication.OutcomeAccepted, "accepted")
	seen.mustBe(t, 1)
	if r := seen.seen[0]; r.Proto != "HTTP/1.1" || r.TLS.NegotiatedProtocol == "h2" {
		t.Errorf("%s, negotiated %q", r.Proto, r.TLS.NegotiatedProtocol)
	}
	// The count is of the request, not of TLS: it is what a server without TLS receives.
	plain, _ := serve(t, accept)
	same := newTestClient(t, plain)
	if a, b := v.Evidence.RequestBytes, create(t, same).Evidence.RequestBytes; a != b+int64(len(s.Listener.Addr().String())-len(same.base.Host)) {
		t.Errorf("%d bytes in TLS, %d without", a, b)
	}
}

func TestCreateSpeaksToNoServerOfHTTP2Alone(t *testing.T) {
	seen := &arrivals{}
	s := httptest.NewUnstartedServer(counting(seen, accept))
	s.TLS = &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		if !slices.Contains(hello.SupportedProtos, "h2") {
			return nil, errors.New("only HTTP/2 is spoken here")
		}
		return nil, nil
	}}
	s.StartTLS()
	defer s.Close()
	c := newTestClient(t, s.URL)
	c.trust(s.Certificate())
	mustBe(t, create(t, c), publication.OutcomeNotSent, "the TLS handshake with")
	seen.mustBe(t, 0)
}
