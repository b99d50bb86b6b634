package tabnewstest

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/net/http2"
)

// faultyListener accepts connections that can be made to fail.
type faultyListener struct {
	net.Listener
	server *Server
}

// Accept resets connections at once while a refusal on connect is armed.
func (l faultyListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		conn := &faultyConn{Conn: c, server: l.server}
		if !l.server.current().refuses(onConnect) {
			return conn, nil
		}
		conn.reset()
	}
}

// faultyConn is a real connection whose smallest parts can be broken.
type faultyConn struct {
	net.Conn
	server *Server
	served atomic.Int64 // requests read from it

	// Used by Read alone, which net/http never calls twice at once.
	looked bool
	ahead  []byte // read and not handed on yet

	mu     sync.Mutex
	frames *frames // over HTTP/2
	usual  []byte  // a status line that Go writes
	reason []byte  // and the one to write in its place
}

var errRefused = errors.New("tabnewstest: connection refused")

// Read hands on the client's bytes, once the first line has shown that the request is not to be refused. If it is, the
// connection is reset, and the server never gets to read it.
func (c *faultyConn) Read(b []byte) (int, error) {
	if !c.looked {
		c.looked = true
		if err := c.look(); err != nil {
			return 0, err
		}
	}
	if len(c.ahead) > 0 {
		n := copy(b, c.ahead)
		c.ahead = c.ahead[n:]
		return n, nil
	}
	n, err := c.Conn.Read(b)
	c.follow(b[:n])
	return n, err
}

// look reads the first line ahead. What does not begin like a request (TLS) it leaves alone after the first bytes.
func (c *faultyConn) look() error {
	const most = 4 << 10
	for buffer := make([]byte, most); len(c.ahead) < most; {
		n, err := c.Conn.Read(buffer)
		if n == 0 && err != nil {
			return err
		}
		c.ahead = append(c.ahead, buffer[:n]...)
		line, _, complete := bytes.Cut(c.ahead, []byte("\r\n"))
		if complete && c.server.current().refuses(kindOfLine(string(line))) {
			c.ahead = nil
			c.reset()
			return errRefused
		}
		if complete || c.ahead[0] < 'A' || c.ahead[0] > 'Z' {
			break
		}
	}
	if bytes.HasPrefix(c.ahead, []byte("PRI * HTTP/2.0\r\n")) {
		c.mu.Lock()
		c.frames = &frames{skip: len(http2.ClientPreface)}
		c.mu.Unlock()
	}
	c.follow(c.ahead)
	return nil
}

// follow keeps up with the frames of HTTP/2.
func (c *faultyConn) follow(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frames != nil {
		c.frames.see(b)
	}
}

func kindOfLine(line string) string {
	parts := strings.Split(line, " ")
	if len(parts) != 3 {
		return ""
	}
	path, _, _ := strings.Cut(parts[1], "?")
	return kindOf(parts[0], path)
}

// Write replaces a status line that was renamed.
func (c *faultyConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	usual, reason := c.usual, c.reason
	if usual != nil && bytes.HasPrefix(b, usual) {
		c.usual = nil
		c.mu.Unlock()
		if _, err := c.Conn.Write(bytes.Replace(b, usual, reason, 1)); err != nil {
			return 0, err
		}
		return len(b), nil
	}
	c.mu.Unlock()
	return c.Conn.Write(b)
}

// rename makes the next status line say another reason; net/http knows no way to.
func (c *faultyConn) rename(usual, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.usual, c.reason = []byte(usual), []byte(reason)
}

// reset closes the connection with a TCP reset.
func (c *faultyConn) reset() {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.Conn.Close()
}

type connKey struct{}

// withConn lets a handler get at its connection.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// connOf gives the connection of a request that came over HTTP/1; over HTTP/2 it is shared and not to be broken.
func connOf(r *http.Request) *faultyConn {
	if r.ProtoMajor != 1 {
		return nil
	}
	return anyConnOf(r)
}

// anyConnOf gives the connection of a request, below TLS too; nil when none of ours carried it.
func anyConnOf(r *http.Request) *faultyConn {
	switch c := r.Context().Value(connKey{}).(type) {
	case *faultyConn:
		return c
	case *tls.Conn:
		plain, _ := c.NetConn().(*faultyConn)
		return plain
	}
	return nil
}
