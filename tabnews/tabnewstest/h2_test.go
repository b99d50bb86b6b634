package tabnewstest_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"strings"
	"testing"

	"postonce/tabnews/tabnewstest"
)

// overH2 gives a client that speaks HTTP/2 without TLS from the first byte.
func overH2(c *client) *client {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	other := *c
	transport := &http.Transport{Protocols: protocols}
	other.http = &http.Client{Transport: transport}
	c.t.Cleanup(transport.CloseIdleConnections)
	return &other
}

func TestHTTP2WithoutTLS(t *testing.T) {
	s := start(t)
	c := overH2(login(t, s, "autora"))
	c.create(article("um", "published"))
	want(t, c.do("GET", um, nil), 200, object{"slug": "um"})
	if got := stored(s, "um").IP; got != "127.0.0.1" {
		t.Errorf("the IP is %q", got)
	}
}

func TestFaultsOverHTTP2(t *testing.T) {
	for _, row := range []struct {
		fault    string
		stored   bool
		arrivals int
		says     string
	}{
		{"refuse", false, 0, ""},
		{"drop_before_read", false, 1, "stream error"},
		{"drop_after_store", true, 1, "stream error"},
		{"cut_body", true, 1, ""},
		{"h2_refused_stream", false, 1, "REFUSED_STREAM"},
		{"h2_refused_stream_after_store", true, 1, "REFUSED_STREAM"},
		{"h2_rst_stream_after_store", true, 1, "INTERNAL_ERROR"},
		{"h2_goaway", false, 1, ""},
		{"h2_goaway_after_store", true, 1, ""},
	} {
		t.Run(row.fault, func(t *testing.T) {
			s := start(t)
			c := overH2(login(t, s, "autora"))
			s.Inject(tabnewstest.Fault{On: "create", Fault: row.fault})
			r := c.do("POST", "/api/v1/contents", article("um", "draft"))
			if r.err == nil || !strings.Contains(r.err.Error(), row.says) {
				t.Errorf("%d, %v; want an error that says %q", r.status, r.err, row.says)
			}
			if n := len(arrivedOf(s, "POST")); n != row.arrivals {
				t.Errorf("%d arrivals, want %d", n, row.arrivals)
			}
			if (stored(s, "um") != nil) != row.stored {
				t.Errorf("stored: %v, want %v", stored(s, "um") != nil, row.stored)
			}
		})
	}
}

// A client whose request can be sent again does send it again on REFUSED_STREAM: this is the trap that the fault is
// there to show.
func TestRefusedStreamIsSentAgainWhenTheBodyCanBe(t *testing.T) {
	s := start(t)
	c := overH2(login(t, s, "autora"))
	s.Inject(tabnewstest.Fault{On: "create", Fault: "h2_refused_stream_after_store"})
	req, _ := http.NewRequest("POST", s.URL()+"/api/v1/contents", strings.NewReader(`{"title":"T","slug":"um","body":"texto"}`))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Cookie", "session_id="+c.token)
	want(t, receive(c.http.Do(req)), 400, object{"key": "slug"})
	if n := len(arrivedOf(s, "POST")); n != 2 {
		t.Errorf("%d arrivals, want 2", n)
	}
}

func TestTLSFailsForWhoDoesNotTrust(t *testing.T) {
	s := tabnewstest.New()
	if err := s.StartTLS("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := anonymous(t, s)
	var unknown x509.UnknownAuthorityError
	if r := c.do("GET", "/api/v1/contents", nil); !errors.As(r.err, &unknown) {
		t.Errorf("%d, %v; want an untrusted certificate", r.status, r.err)
	}
	if n := len(s.Arrivals()); n != 0 {
		t.Errorf("%d arrivals, want none", n)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(s.Certificate())
	c.http = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, ForceAttemptHTTP2: true}}
	resp, err := c.http.Get(s.URL() + "/api/v1/contents")
	if err != nil || resp.ProtoMajor != 2 {
		t.Fatalf("%v %v, want HTTP/2", resp, err)
	}
	resp.Body.Close()
	s.Inject(tabnewstest.Fault{On: "list", Fault: "h2_goaway"})
	if r := c.do("GET", "/api/v1/contents", nil); r.err == nil {
		t.Errorf("answered %d, want a reset", r.status)
	}
	plain := start(t)
	if plain.Certificate() != nil {
		t.Error("a server without TLS has a certificate")
	}
}
