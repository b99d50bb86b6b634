package tabnewstest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// Arrival is a request whose headers reached the server.
type Arrival struct {
	Method string    `json:"method"`
	Path   string    `json:"path"` // with the query
	At     time.Time `json:"at"`
	Slug   string    `json:"slug"`   // of the JSON body of a create or update, else of the path
	IP     string    `json:"ip"`     // what the firewall counts it under
	Fault  string    `json:"fault"`  // the fault it met, if any
	Status int       `json:"status"` // of the answer; 0 while there is none, and for good when none was sent
}

// bell wakes everybody who waits for something to change.
type bell struct {
	mu sync.Mutex
	ch chan struct{}
}

// rings gives a channel that closes at the next ring.
func (b *bell) rings() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch == nil {
		b.ch = make(chan struct{})
	}
	return b.ch
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch != nil {
		close(b.ch)
		b.ch = nil
	}
}

// until waits until done or the context ends.
func (b *bell) until(ctx context.Context, done func() bool) error {
	for {
		next := b.rings() // before the look, so that nothing is missed between
		if done() {
			return nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// arrivalLog keeps the arrivals in order.
type arrivalLog struct {
	bell *bell
	mu   sync.Mutex
	list []Arrival
}

// add counts a and gives its place.
func (l *arrivalLog) add(a Arrival) int {
	l.mu.Lock()
	defer l.bell.ring()
	defer l.mu.Unlock()
	l.list = append(l.list, a)
	return len(l.list) - 1
}

// set changes what is known of an arrival later than its headers.
func (l *arrivalLog) set(place int, change func(*Arrival)) {
	l.mu.Lock()
	defer l.bell.ring()
	defer l.mu.Unlock()
	change(&l.list[place])
}

func (l *arrivalLog) all() []Arrival {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list)
}

// Arrivals gives the requests that arrived, in order. Control requests and refused connections are not among them.
func (s *Server) Arrivals() []Arrival { return s.current().arrivals.all() }

// WaitArrivals blocks until n requests with this method and path prefix were counted, or ctx ends. A request counts as
// soon as its headers were read.
func (s *Server) WaitArrivals(ctx context.Context, method, pathPrefix string, n int) error {
	return s.bell.until(ctx, func() bool {
		count := 0
		for _, a := range s.Arrivals() {
			if a.Method == method && strings.HasPrefix(a.Path, pathPrefix) {
				count++
			}
		}
		return count >= n
	})
}

// WaitContents blocks until n rows are stored, or ctx ends.
func (s *Server) WaitContents(ctx context.Context, n int) error {
	return s.Wait(ctx, func() bool { return len(s.Contents()) >= n })
}

// Wait blocks until done gives true, or ctx ends. It asks at each change of what Arrivals and Contents show.
func (s *Server) Wait(ctx context.Context, done func() bool) error { return s.bell.until(ctx, done) }
