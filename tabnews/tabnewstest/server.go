package tabnewstest

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Server is the emulator. Its methods may be called from any goroutine.
type Server struct {
	options options
	bell    bell

	mu       sync.Mutex
	state    *state
	closed   bool
	listener net.Listener
	http     *http.Server
	second   *host

	certificate *x509.Certificate // of a server with TLS
}

// state is all that Reset throws away. A request goes on with the state it began with.
type state struct {
	store    *store
	arrivals *arrivalLog
	faults   *faultQueue
	cache    *cache
	done     chan struct{} // closed when the state was thrown away or the server closed
}

// New makes an empty emulator with its two users. It listens from Start on; until then it can be used as a Handler.
func New(opts ...Option) *Server {
	s := &Server{options: options{now: time.Now, ratingRule: true}}
	for _, o := range opts {
		o(&s.options)
	}
	s.state = s.newState()
	return s
}

func (s *Server) newState() *state {
	done := make(chan struct{})
	st := &state{
		store:    newStore(s.options, done, s.bell.ring),
		arrivals: &arrivalLog{bell: &s.bell},
		faults:   &faultQueue{},
		cache:    &cache{},
		done:     done,
	}
	st.cache.set(s.options.cache)
	return st
}

func (s *Server) current() *state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// silent takes what net/http says of connections that break, which here they do on purpose.
var silent = log.New(io.Discard, "", 0)

// idleTimeout is after how long the server closes an idle connection (TabNews API, section 1, Response headers).
const idleTimeout = 5 * time.Second

// Start listens on addr ("127.0.0.1:0" for a free port) and serves HTTP/1.1 and, to clients that begin with it, HTTP/2
// without TLS.
func (s *Server) Start(addr string) error { return s.start(addr, nil) }

func (s *Server) start(addr string, secure *tls.Config) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener != nil {
		return errors.New("tabnewstest: the server was started before")
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s.listener = l
	s.http = &http.Server{Handler: s, IdleTimeout: idleTimeout, ErrorLog: silent, ConnContext: withConn}
	s.http.Protocols = new(http.Protocols)
	s.http.Protocols.SetHTTP1(true)
	s.http.Protocols.SetUnencryptedHTTP2(true)
	if secure == nil {
		go s.http.Serve(faultyListener{l, s})
		return nil
	}
	s.http.Protocols.SetHTTP2(true)
	s.http.TLSConfig = secure
	s.certificate = secure.Certificates[0].Leaf
	go s.http.ServeTLS(faultyListener{l, s}, "", "")
	return nil
}

// URL is the address of the server, such as http://127.0.0.1:41234; "" before Start.
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		return ""
	}
	if s.certificate != nil {
		return "https://" + s.listener.Addr().String()
	}
	return "http://" + s.listener.Addr().String()
}

// Close stops listening, ends what stalls and closes all connections.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.state.done)
	server, second := s.http, s.second
	s.mu.Unlock()
	if second != nil {
		second.http.Close()
	}
	if server == nil {
		return nil
	}
	return server.Close()
}

// Reset empties the server: contents, sessions, arrivals, armed faults, cache; settings are again what New was given.
// The two users get new ids, and every login is gone.
func (s *Server) Reset() {
	s.mu.Lock()
	old, closed := s.state, s.closed
	s.state = s.newState()
	if closed {
		close(s.state.done)
	} else {
		close(old.done)
	}
	second := s.second
	s.mu.Unlock()
	if second != nil {
		second.forget()
	}
	s.bell.ring()
}

// Contents gives every stored row in the order of storing: drafts, hidden and deleted ones too.
func (s *Server) Contents() []Content { return s.current().store.contents() }

// ServeHTTP answers a request of the TabNews API, or a control request below /_emulator/.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if rest, ok := strings.CutPrefix(r.URL.Path, controlRoot); ok {
		s.control(w, r, rest)
		return
	}
	s.serve(w, r)
}
