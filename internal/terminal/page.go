package terminal

import (
	"fmt"
	"strings"
)

// page collects lines of text.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) gap() { p.WriteByte('\n') }

func (p *page) heading(text string) {
	p.gap()
	p.line("%s", Bold(text))
}

// fact writes a labelled value, and nothing when there is none.
func (p *page) fact(label, value string) {
	if value != "" {
		p.line("  %s %s", Faint(fmt.Sprintf("%-12s", label)), value)
	}
}

func (p *page) block(text string) {
	if text != "" {
		p.line("%s", Indent(text, "    "))
	}
}

// Diff colours the lines of a unified diff.
func Diff(diff string) string {
	lines := strings.Split(strings.TrimRight(Plain(diff), "\n"), "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "+"):
			lines[i] = addedStyle.Render(line)
		case strings.HasPrefix(line, "-"):
			lines[i] = absentStyle.Render(line)
		}
	}
	return strings.Join(lines, "\n")
}
