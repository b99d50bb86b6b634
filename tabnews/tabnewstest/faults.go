package tabnewstest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Fault is met by the next Times requests of the kind On.
type Fault struct {
	On      string `json:"on"`       // create, update, read, list, login, user; for refuse also connect
	Fault   string `json:"fault"`    // one of FaultNames
	Times   int    `json:"times"`    // how many requests meet it; 0 stands for 1
	DelayMS int    `json:"delay_ms"` // of faults that stall or drip
}

// kinds are the requests that a fault can be on.
var kinds = []string{"create", "update", "read", "list", "login", "user"}

const (
	refuseFault    = "refuse"
	onConnect      = "connect"
	keepaliveClose = "keepalive_close"
)

// FaultNames lists the faults, sorted.
func FaultNames() []string {
	names := append(slices.Collect(maps.Keys(behaviours)), refuseFault)
	slices.Sort(names)
	return names
}

// check gives f with its defaults, or an error that names the field and what it may be.
func (f Fault) check() (Fault, error) {
	if f.Times == 0 {
		f.Times = 1
	}
	b, known := behaviours[f.Fault]
	allowed := kinds
	switch {
	case f.Fault == refuseFault:
		allowed = append([]string{onConnect}, kinds...)
	case !known:
		return f, fmt.Errorf("fault: %q is none; allowed: %s", f.Fault, strings.Join(FaultNames(), ", "))
	case b.on != nil:
		allowed = b.on
	}
	switch {
	case !slices.Contains(allowed, f.On):
		return f, fmt.Errorf("on: %q is none for the fault %s; allowed: %s", f.On, f.Fault, strings.Join(allowed, ", "))
	case f.Times < 1:
		return f, fmt.Errorf("times: %d; allowed: 1 and more", f.Times)
	case f.DelayMS < 0:
		return f, fmt.Errorf("delay_ms: %d; allowed: 0 and more", f.DelayMS)
	}
	return f, nil
}

// Inject arms a fault. Several wait in order. It panics on a fault that does not exist, with the list of those that do.
func (s *Server) Inject(f Fault) {
	f, err := f.check()
	if err != nil {
		panic("tabnewstest: " + err.Error())
	}
	s.current().faults.arm(f)
}

// faultQueue holds the armed faults.
type faultQueue struct {
	mu    sync.Mutex
	armed []Fault
}

func (q *faultQueue) arm(f Fault) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.armed = append(q.armed, f)
}

// take uses up one time of the first armed fault that matches; it gives the zero Fault when there is none.
func (q *faultQueue) take(match func(Fault) bool) (Fault, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, f := range q.armed {
		if !match(f) {
			continue
		}
		if q.armed[i].Times--; q.armed[i].Times == 0 {
			q.armed = slices.Delete(q.armed, i, i+1)
		}
		return f, true
	}
	return Fault{}, false
}
