package ledger

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// cutter is a TCP proxy before PostgreSQL that breaks one connection at a chosen moment.
type cutter struct {
	net.Listener
	server string
	mu     sync.Mutex
	marker []byte // cut at the message that holds it; nil: pass everything
	after  bool   // let the server work on the message, and cut before its answer arrives
	cuts   int
}

// newCutter gives the proxy and the ledger's address through it.
func newCutter(t *testing.T, address string) (*cutter, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	c := &cutter{Listener: listener, server: u.Host}
	u.Host = listener.Addr().String()
	go c.serve()
	return c, u.String()
}

// cut arms the proxy for one cut.
func (c *cutter) cut(marker string, after bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.marker, c.after = []byte(marker), after
}

func (c *cutter) serve() {
	for {
		client, err := c.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", c.server)
		if err != nil {
			client.Close()
			continue
		}
		go c.forward(client, server)
	}
}

func (c *cutter) forward(client, server net.Conn) {
	defer client.Close()
	defer server.Close()
	answers := &gate{to: client}
	go func() {
		defer client.Close()
		io.Copy(answers, server)
	}()
	buffer := make([]byte, 1<<16)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		if hit, after := c.hits(buffer[:n]); hit {
			if after {
				answered := answers.shut()
				server.Write(buffer[:n])
				<-answered
			}
			return
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func (c *cutter) hits(message []byte) (hit, after bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.marker == nil || !bytes.Contains(message, c.marker) {
		return false, false
	}
	c.marker = nil
	c.cuts++
	return true, c.after
}

// gate passes answers to the client until it is shut; the next answer is then announced and dropped.
type gate struct {
	to       net.Conn
	mu       sync.Mutex
	answered chan struct{}
}

func (g *gate) shut() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answered = make(chan struct{})
	return g.answered
}

func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.answered != nil {
		close(g.answered)
		return 0, io.ErrClosedPipe
	}
	return g.to.Write(p)
}
