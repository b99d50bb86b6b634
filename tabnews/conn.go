package tabnews

import (
	"errors"
	"net"
	"sync"
	"time"
)

var (
	errPastSendBy       = errors.New("the time to send was over; no byte was let through after it")
	errSealed           = errors.New("the send has ended; no byte is let through any more")
	errSecondConnection = errors.New("a second connection for one send was refused")
)

// gate stands between one send and the network. It knows whether a byte of the request was let through, and it is where
// a send that was frozen (a stopped process, a sleeping machine) wakes up too late and is held back.
type gate struct {
	sendBy time.Time // wall clock: its monotonic reading is stripped, for that clock may stand still in a frozen machine
	write  time.Duration
	now    func() time.Time

	mu       sync.Mutex
	dialled  bool  // a connection was asked for
	armed    bool  // what is written from now on is the request
	tried    bool  // a write of the request was let through, so a byte may have left
	written  int64 // bytes of the request that the connection took
	pastDue  bool  // a write was held back because of sendBy
	sealed   bool  // the send is over
	deadline time.Time
}

func newGate(sendBy time.Time, write time.Duration, now func() time.Time) *gate {
	return &gate{sendBy: sendBy.Round(0), write: write, now: now}
}

// late tells whether sendBy has passed by the wall clock.
func (g *gate) late() bool { return !g.now().Round(0).Before(g.sendBy) }

// dial lets one connection through, whatever net/http has in mind.
func (g *gate) dial() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.sealed:
		return errSealed
	case g.dialled:
		return errSecondConnection
	case g.late():
		return errPastSendBy
	}
	g.dialled = true
	return nil
}

// arm says that the connection is ready: handshakes with a proxy and of TLS are done, what follows is the request.
func (g *gate) arm() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.armed = true
}

// enter asks whether n bytes may pass, and notes that they do: an answer can be here before the write has returned. What
// passes before arm is no part of the request.
func (g *gate) enter(n int) (writeBy time.Time, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.sealed:
		return time.Time{}, errSealed
	case g.late():
		g.pastDue = true
		return time.Time{}, errPastSendBy
	case !g.armed:
		return time.Time{}, nil
	case !g.tried && g.write > 0:
		g.deadline = g.now().Add(g.write)
	}
	g.tried = true
	g.written += int64(n)
	return g.deadline, nil
}

// leave takes back what the connection did not take.
func (g *gate) leave(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tried {
		g.written -= int64(n)
	}
}

// sent is what left, for sure once the gate is sealed.
type sent struct {
	tried   bool  // a byte may have left
	written int64 // bytes of the request that the connection took; below TLS through a proxy, so with TLS' own
	pastDue bool  // sendBy held back the rest
}

// seal ends the send: nothing passes afterwards, so what it returns stays true.
func (g *gate) seal() sent {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sealed = true
	return sent{tried: g.tried, written: g.written, pastDue: g.pastDue}
}

// gatedConn asks the gate before every write. It embeds the interface, not a *net.TCPConn, so that no ReadFrom goes
// round Write.
type gatedConn struct {
	net.Conn
	gate *gate
}

func (c *gatedConn) Write(p []byte) (int, error) {
	writeBy, err := c.gate.enter(len(p))
	if err != nil {
		return 0, err
	}
	if !writeBy.IsZero() {
		if err := c.SetWriteDeadline(writeBy); err != nil {
			c.gate.leave(len(p))
			return 0, err
		}
	}
	n, err := c.Conn.Write(p)
	c.gate.leave(len(p) - n)
	return n, err
}
