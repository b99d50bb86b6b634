package terminal

import (
	"io"
	"os"

	"charm.land/lipgloss/v2"
	"github.com/mattn/go-isatty"

	"postonce/publication"
)

// colours of the states. Unknown has its own, which is not that of a failure: it may well be published.
var stateStyles = map[publication.State]lipgloss.Style{
	publication.StateProposed:  lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Cyan),
	publication.StatePlanned:   lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Blue),
	publication.StateSending:   lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Blue),
	publication.StateAccepted:  lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Green),
	publication.StateUnknown:   lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Yellow),
	publication.StateRejected:  lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Red),
	publication.StateAbandoned: lipgloss.NewStyle().Bold(true).Foreground(lipgloss.BrightBlack),
}

var (
	boldStyle   = lipgloss.NewStyle().Bold(true)
	faintStyle  = lipgloss.NewStyle().Faint(true)
	addedStyle  = lipgloss.NewStyle().Foreground(lipgloss.Green)
	absentStyle = lipgloss.NewStyle().Foreground(lipgloss.Red)
	warnStyle   = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
)

// State gives the state's name in its colour.
func State(s publication.State) string { return stateStyles[s].Render(string(s)) }

// Bold and Faint give text with emphasis, for one line at a time.
func Bold(s string) string { return boldStyle.Render(s) }

// Faint gives text that steps back.
func Faint(s string) string { return faintStyle.Render(s) }

// Print writes text with the colours that w can show: none when it is no terminal.
func Print(w io.Writer, text string) { lipgloss.Fprint(w, text) }

// IsTerminal reports whether stream is a person's terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
