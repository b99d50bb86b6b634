package devstack

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// oneAtATime lets several goroutines write to one writer.
type oneAtATime struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneAtATime) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// prefixed writes whole lines, each with the name of the part that wrote it.
type prefixed struct {
	mu   sync.Mutex
	name string
	part []byte // of a line not ended yet
	to   io.Writer
}

func (w *prefixed) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.part = append(w.part, p...)
	for {
		line, rest, found := bytes.Cut(w.part, []byte("\n"))
		if !found {
			return len(p), nil
		}
		_, _ = fmt.Fprintf(w.to, "%s: %s\n", w.name, line)
		w.part = append([]byte(nil), rest...)
	}
}
