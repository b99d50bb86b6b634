package tabnewstest

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// exchange is one request and what becomes of it. Behaviours are written with its verbs.
type exchange struct {
	http.ResponseWriter
	q       *request
	server  *Server
	state   *state
	place   int // among the arrivals
	kind    string
	fault   Fault
	stallAt Pause
	bodyErr error
}

// serve counts a request whose headers were read and lets it meet its fault.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	st := s.current()
	x := &exchange{ResponseWriter: w, server: s, state: st, kind: kindOf(r.Method, r.URL.Path)}
	x.q = &request{Request: r, store: st.store, ip: clientIP(r), hold: x.hold}
	if r.ProtoMajor == 2 && st.refuses(x.kind) {
		if c := anyConnOf(r); c != nil {
			c.reset() // over HTTP/2 nothing shows the kind before the request is read
		}
		x.abort()
	}
	reused := false
	if c := connOf(r); c != nil {
		reused = c.served.Add(1) > 1
	}
	x.fault, _ = st.faults.take(func(f Fault) bool {
		return f.On == x.kind && f.Fault != refuseFault && (reused || f.Fault != keepaliveClose)
	})
	_, names, _ := route(r.URL.Path)
	arrival := Arrival{Method: r.Method, Path: r.URL.RequestURI(), At: s.options.now(), IP: x.q.ip, Fault: x.fault.Fault}
	if len(names) > 1 {
		arrival.Slug = names[1]
	}
	x.place = st.arrivals.add(arrival)
	if x.fault.Fault == "" {
		x.usual()
		return
	}
	behaviours[x.fault.Fault].meet(x)
}

// refuses uses up a refusal of this kind, if one is armed.
func (st *state) refuses(kind string) bool {
	_, refused := st.faults.take(func(f Fault) bool { return f.Fault == refuseFault && f.On == kind && kind != "" })
	return refused
}

// usual is what happens without a fault.
func (x *exchange) usual() {
	x.read()
	x.send(x.answer())
}

// read reads the whole body. A body that was cut short ends everything: nothing is stored, nothing answered.
func (x *exchange) read() {
	x.bodyErr = x.q.readBody()
	if errors.Is(x.bodyErr, errCutShort) {
		panic(http.ErrAbortHandler)
	}
	if sent, ok := x.q.body.(map[string]any); ok && (x.kind == "create" || x.kind == "update") {
		if slug, ok := sent["slug"].(string); ok {
			x.state.arrivals.set(x.place, func(a *Arrival) { a.Slug = slug })
		}
	}
}

// answer lets TabNews act on the request: what it stores is stored when this returns.
func (x *exchange) answer() *answer {
	produce := func() *answer { return x.q.respond(x.bodyErr) }
	if x.kind == "read" || x.kind == "list" {
		return x.state.cache.answer(x.q.URL.RequestURI(), x.server.options.now, produce)
	}
	return produce()
}

// hold is called by writes at their pauses.
func (x *exchange) hold(p Pause) {
	if x.server.options.pause != nil {
		x.server.options.pause(p)
	}
	if x.stallAt == p {
		x.wait()
	}
}

// wait lets the fault's delay pass, whether the client is still there or not, as TabNews goes on too. Closing or
// emptying the server ends it.
func (x *exchange) wait() {
	delay := time.NewTimer(time.Duration(x.fault.DelayMS) * time.Millisecond)
	defer delay.Stop()
	select {
	case <-delay.C:
	case <-x.state.done:
	}
}

// head sends status and headers. length is the Content-Length to claim, below zero for none.
func (x *exchange) head(a *answer, length int) {
	a.setEdge(x.q.Request)
	h := x.Header()
	for name, list := range a.header {
		h[name] = list
	}
	if a.header.Get("Content-Type") == "" {
		h["Content-Type"] = nil // keeps net/http from guessing one
	}
	if length >= 0 && a.status != http.StatusNotModified && a.status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(length))
	}
	if c := connOf(x.q.Request); c != nil && a.reason != "" {
		line := "HTTP/1.1 " + strconv.Itoa(a.status) + " "
		c.rename(line+http.StatusText(a.status), line+a.reason)
	}
	x.state.arrivals.set(x.place, func(arrival *Arrival) { arrival.Status = a.status })
	x.WriteHeader(a.status)
}

// send sends the answer as it should be.
func (x *exchange) send(a *answer) {
	x.head(a, len(a.body))
	x.Write(a.body)
}

// flush puts on the wire what was written.
func (x *exchange) flush() { http.NewResponseController(x.ResponseWriter).Flush() }

// abort closes the connection as it is, without more bytes; over HTTP/2 it resets the stream.
func (x *exchange) abort() { panic(http.ErrAbortHandler) }

// reset closes the connection with a TCP reset; over HTTP/2 it resets the stream.
func (x *exchange) reset() {
	if c := connOf(x.q.Request); c != nil {
		c.reset()
	}
	x.abort()
}

// sendPart claims the whole body, sends its first n bytes and closes.
func (x *exchange) sendPart(a *answer, n int) {
	x.head(a, len(a.body))
	x.Write(a.body[:n])
	x.flush()
	x.abort()
}
