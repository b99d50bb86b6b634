package tabnews

import (
	"net/http/httptrace"
	"sync"
)

// phase is how far an exchange came.
type phase int

const (
	phaseConnect  phase = iota // name lookup, TCP connection, the way through a proxy
	phaseTLS                   // TLS handshake
	phaseWrite                 // the request is being written
	phaseWait                  // the request was written, no byte of the answer came
	phaseHeaders               // the answer began
	phaseBody                  // its headers are complete
	phaseAnswered              // the answer is complete
)

var phaseNames = [...]string{"connect", "tls", "write", "wait", "headers", "body", "answered"}

func (p phase) String() string { return phaseNames[p] }

// trace keeps the furthest phase that an exchange reached. Events come from several goroutines and out of order: an
// answer may begin while the request is still being written.
type trace struct {
	mu      sync.Mutex
	reached phase
}

func (t *trace) reach(p phase) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reached = max(t.reached, p)
}

func (t *trace) phase() phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reached
}

// hooks tells net/http's events to the trace, and arms the gate at the moment after which only the request is written.
func (t *trace) hooks(g *gate) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		TLSHandshakeStart: func() { t.reach(phaseTLS) },
		GotConn: func(httptrace.GotConnInfo) {
			t.reach(phaseWrite)
			g.arm()
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				t.reach(phaseWait)
			}
		},
		GotFirstResponseByte: func() { t.reach(phaseHeaders) },
	}
}
