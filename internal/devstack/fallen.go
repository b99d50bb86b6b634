package devstack

// Fallen is a part that ended although nobody here asked it to.
type Fallen struct {
	Name string
	How  error // how it ended, with its last words
}

// Fallen gives the parts that end by themselves, as it happens. A worker that a test kills through its Process is not
// among them; one killed from outside is.
func (s *Stack) Fallen() <-chan Fallen { return s.fallen }

func (s *Stack) watch(p *Process) {
	<-p.done
	if p.asked.Load() {
		return
	}
	select {
	case s.fallen <- Fallen{p.name, p.explain(errEnded)}:
	default: // nobody listens, and the first ones tell enough
	}
}
