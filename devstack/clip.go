package main

import (
	"bytes"
	"fmt"
	"io"
)

// view is how much of a program's output a reader wants: the first lines and the last ones.
type view struct{ head, tail int }

var whole = view{head: 1 << 20}

// clip passes the first lines on as they come, keeps the last ones until the end, and says how many are left out.
type clip struct {
	to   io.Writer
	view view
	part []byte   // of a line that has not ended
	last [][]byte // at most view.tail lines
	seen int
	gone int
}

func (c *clip) Write(p []byte) (int, error) {
	c.part = append(c.part, p...)
	for {
		line, rest, ended := bytes.Cut(c.part, []byte("\n"))
		if !ended {
			return len(p), nil
		}
		c.part = bytes.Clone(rest)
		if err := c.line(bytes.Clone(line)); err != nil {
			return 0, err
		}
	}
}

func (c *clip) line(line []byte) error {
	if c.seen++; c.seen <= c.view.head {
		_, err := fmt.Fprintf(c.to, "%s\n", line)
		return err
	}
	if c.last = append(c.last, line); len(c.last) > c.view.tail {
		c.last = c.last[1:]
		c.gone++
	}
	return nil
}

// end writes what is still to be shown.
func (c *clip) end() {
	if c.gone > 0 {
		_, _ = fmt.Fprintf(c.to, "  […] %d lines\n", c.gone)
	}
	for _, line := range c.last {
		_, _ = fmt.Fprintf(c.to, "%s\n", line)
	}
}
