package devstack

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
)

// captureLimit bounds what is kept of one process's output; `devstack up` may run for days.
const captureLimit = 8 << 20

// capture keeps what a process writes, lets others wait for a text in it, and passes it on to tee, if there is one.
type capture struct {
	mu      sync.Mutex
	text    []byte
	changed chan struct{} // closed and replaced at every write
	tee     io.Writer
}

func newCapture(tee io.Writer) *capture {
	return &capture{changed: make(chan struct{}), tee: tee}
}

// Write never fails: a full disk or a closed terminal behind tee must not make a worker's log writes fail.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text = append(c.text, p...)
	if len(c.text) > captureLimit {
		c.text = append([]byte("[older output dropped]\n"), c.text[len(c.text)-captureLimit/2:]...)
	}
	if c.tee != nil {
		_, _ = c.tee.Write(p)
	}
	close(c.changed)
	c.changed = make(chan struct{})
	return len(p), nil
}

func (c *capture) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.text)
}

// wait returns once the output holds text; ended, closed when no more output can come, makes it give up.
func (c *capture) wait(ctx context.Context, text string, ended <-chan struct{}) error {
	for {
		c.mu.Lock()
		found, changed := bytes.Contains(c.text, []byte(text)), c.changed
		c.mu.Unlock()
		if found {
			return nil
		}
		select {
		case <-changed:
		case <-ended:
			if strings.Contains(c.String(), text) {
				return nil
			}
			return errEnded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lastLines returns the last n lines of s that are not blank, each indented, to be shown below an error.
func lastLines(s string, n int) string {
	var kept []string
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			kept = append(kept, "    "+line)
		}
	}
	return strings.Join(kept[max(0, len(kept)-n):], "\n")
}
