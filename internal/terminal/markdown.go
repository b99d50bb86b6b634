package terminal

import (
	"io"
	"strings"

	"charm.land/glamour/v2"
)

const columns = 100

// Body gives an article's Markdown for w: rendered at a terminal, where a person reads it, and as it is written
// elsewhere. It is a view; the exact bytes are those of the request body.
func Body(w io.Writer, markdown string) string {
	markdown = Plain(markdown)
	if IsTerminal(w) {
		if text, err := rendered(markdown); err == nil {
			return text
		}
	}
	return Indent(markdown, "  ") + "\n"
}

func rendered(markdown string) (string, error) {
	renderer, err := glamour.NewTermRenderer(glamour.WithEnvironmentConfig(), glamour.WithWordWrap(columns))
	if err != nil {
		return "", err
	}
	return renderer.Render(markdown)
}

// Indent puts prefix before every line of s that holds something.
func Indent(s, prefix string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = prefix + line
		}
	}
	return strings.Join(lines, "\n")
}
