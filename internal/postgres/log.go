package postgres

import (
	"io"
	"strings"
	"sync"
)

// serverLog passes the server's log on and keeps its end, to tell why a server did not start.
type serverLog struct {
	to   io.Writer
	mu   sync.Mutex
	tail []byte
}

func (l *serverLog) Write(p []byte) (int, error) {
	const kept = 4096
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, p...)
	if over := len(l.tail) - kept; over > 0 {
		l.tail = l.tail[over:]
	}
	if l.to != nil {
		_, _ = l.to.Write(p) // a log that cannot be written must not stop the server
	}
	return len(p), nil
}

func (l *serverLog) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.tail)
}

// lastLines gives the last n lines of text that are not empty, as one line.
func lastLines(text string, n int) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	return strings.Join(lines[max(0, len(lines)-n):], " | ")
}
