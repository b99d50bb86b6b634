package tabnews

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"
)

// onlyHTTP1 keeps HTTP/2 out: its client sends a request again after GOAWAY and REFUSED_STREAM.
func onlyHTTP1() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	return p
}

// newReader makes the client for logins and reads. It uses no connection twice, so that no answer is taken for another's
// and a login is not sent again. It follows no redirect, so that the session reaches one host only,
// and has no cookie jar, which would not send a Secure cookie over http and would keep TabNews' session_id=invalid.
func (c *Client) newReader() *http.Client {
	l := c.limits.forReads()
	dialer := &net.Dialer{Timeout: l.connect}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  func(r *http.Request) (*url.URL, error) { return c.proxyFor(r) },
			DialContext:            dialer.DialContext,
			TLSClientConfig:        c.tlsConfig(""),
			TLSHandshakeTimeout:    l.tls,
			ResponseHeaderTimeout:  l.firstByte,
			MaxResponseHeaderBytes: headerLimit,
			DisableCompression:     true,
			DisableKeepAlives:      true,
			Protocols:              onlyHTTP1(),
		},
	}
}

// newSendTransport makes the transport of one send: one fresh connection through the gate, never used again.
func (c *Client) newSendTransport(via *url.URL, g *gate, t *trace) *http.Transport {
	tr := &http.Transport{
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := c.dial(ctx, network, addr, g)
			if err != nil {
				return nil, err
			}
			return &gatedConn{conn, g}, nil
		},
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := c.dial(ctx, network, addr, g)
			if err != nil {
				return nil, err
			}
			return c.handshake(ctx, conn, addr, g, t)
		},
		TLSClientConfig:        c.tlsConfig(""),
		TLSHandshakeTimeout:    c.limits.tls,
		ResponseHeaderTimeout:  c.limits.firstByte,
		MaxResponseHeaderBytes: headerLimit,
		DisableCompression:     true,
		DisableKeepAlives:      true,
		Protocols:              onlyHTTP1(),
	}
	if via != nil {
		tr.Proxy = http.ProxyURL(via)
	}
	return tr
}

func (c *Client) dial(ctx context.Context, network, addr string, g *gate) (net.Conn, error) {
	if err := g.dial(); err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: c.limits.connect, Deadline: g.sendBy}
	return dialer.DialContext(ctx, network, addr)
}

// handshake puts TLS under the gate, so that the gate counts the request's own bytes and TLS' none. net/http calls it
// for TabNews itself, and for a proxy that is spoken to in TLS.
func (c *Client) handshake(ctx context.Context, conn net.Conn, addr string, g *gate, t *trace) (net.Conn, error) {
	t.reach(phaseTLS)
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	ctx, cancel := context.WithTimeout(ctx, min(c.limits.tls, time.Until(g.sendBy)))
	defer cancel()
	secure := tls.Client(conn, c.tlsConfig(host))
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, &handshakeError{err}
	}
	return &gatedConn{secure, g}, nil
}

// tlsConfig offers HTTP/1.1 by name, so that a server which prefers HTTP/2 does not choose it.
func (c *Client) tlsConfig(host string) *tls.Config {
	cfg := &tls.Config{}
	if c.tls != nil {
		cfg = c.tls.Clone()
	}
	cfg.ServerName = host
	cfg.NextProtos = []string{"http/1.1"}
	return cfg
}

// handshakeError marks a TLS handshake that failed.
type handshakeError struct{ cause error }

func (e *handshakeError) Error() string { return "TLS handshake: " + e.cause.Error() }
func (e *handshakeError) Unwrap() error { return e.cause }

// errBadProxy does not repeat the address, which may hold a password.
var errBadProxy = errors.New("HTTP_PROXY, HTTPS_PROXY: is not a proxy's address; give it as http://host:port")

// proxyFor asks the environment (net/http, ProxyFromEnvironment) for the proxy in between; nil: none.
func (c *Client) proxyFor(r *http.Request) (*url.URL, error) {
	via, err := c.proxy(r)
	if err != nil {
		return nil, errBadProxy
	}
	return via, nil
}

// proxyHost names a proxy without its credentials.
func proxyHost(via *url.URL) string {
	if via == nil {
		return ""
	}
	return via.Host
}
