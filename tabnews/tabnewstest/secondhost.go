package tabnewstest

import (
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// SecondHostArrival is a request that followed a redirect to another host, where it has no business.
type SecondHostArrival struct {
	Method        string    `json:"method"`
	Path          string    `json:"path"`
	At            time.Time `json:"at"`
	Cookie        bool      `json:"cookie"`        // it carried a cookie
	Authorization bool      `json:"authorization"` // it carried credentials
	Length        int64     `json:"length"`        // of its body, -1 when not told
}

// host is the second host: it answers everything with a friendly page.
type host struct {
	listener net.Listener
	http     *http.Server
	mu       sync.Mutex
	list     []SecondHostArrival
}

func (h *host) url() string { return "http://" + h.listener.Addr().String() }

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.list = append(h.list, SecondHostArrival{
		Method: r.Method, Path: r.URL.RequestURI(), At: time.Now(), Cookie: r.Header.Get("Cookie") != "",
		Authorization: r.Header.Get("Authorization") != "", Length: r.ContentLength,
	})
	h.mu.Unlock()
	w.Header().Set("Content-Type", htmlType)
	w.Write([]byte("<!DOCTYPE html><html><body><h1>Bem-vindo</h1></body></html>"))
}

// secondHost starts the second host at the first redirect.
func (s *Server) secondHost() (*host, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.second != nil {
		return s.second, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &host{listener: l}
	h.http = &http.Server{Handler: h, ErrorLog: silent}
	go h.http.Serve(l)
	s.second = h
	return h, nil
}

// SecondHostArrivals gives the requests that reached the host that redirects point to.
func (s *Server) SecondHostArrivals() []SecondHostArrival {
	s.mu.Lock()
	h := s.second
	s.mu.Unlock()
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.list)
}

func (h *host) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = nil
}
