package terminal

import (
	"strings"

	"charm.land/lipgloss/v2"
	udiff "github.com/aymanbagabas/go-udiff"
)

const (
	// SideBySideWidth is how many columns a terminal needs to show two texts beside each other without being asked to.
	SideBySideWidth = 120
	// leastWidth is what a cell needs to be readable, however narrow the terminal is.
	leastWidth = 20
	middle     = " │ "
)

// row is one line of both texts; where one of them has none, its cell is empty.
type row struct {
	left, right string
	differs     bool
}

// sideBySide draws both texts of a field beside each other within width columns: the lines that differ, with a few
// around them.
func sideBySide(field, before, after string, width int) string {
	edits := udiff.Lines(ended(before), ended(after))
	diff, err := udiff.ToUnifiedDiff("", "", ended(before), edits, udiff.DefaultContextLines)
	if err != nil {
		return "" // cannot be: the edits are of this text
	}
	cell := max((width-2-lipgloss.Width(middle))/2, leastWidth)
	var out page
	out.line("  %s", Faint(pad(field+" now", cell)+middle+field+" then"))
	for i, hunk := range diff.Hunks {
		if i > 0 {
			out.line("  %s", Faint("…"))
		}
		for _, r := range rowsOf(hunk) {
			drawRow(&out, r, cell)
		}
	}
	return out.String()
}

// rowsOf pairs the lines that go with the lines that come in their place.
func rowsOf(hunk *udiff.Hunk) []row {
	var rows []row
	var gone, come []string
	flush := func() {
		for i := range max(len(gone), len(come)) {
			rows = append(rows, row{at(gone, i), at(come, i), true})
		}
		gone, come = nil, nil
	}
	for _, line := range hunk.Lines {
		text := strings.TrimSuffix(line.Content, "\n")
		switch line.Kind {
		case udiff.Delete:
			gone = append(gone, text)
		case udiff.Insert:
			come = append(come, text)
		default:
			flush()
			rows = append(rows, row{left: text, right: text})
		}
	}
	flush()
	return rows
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func drawRow(out *page, r row, cell int) {
	left, right := wrapped(r.left, cell), wrapped(r.right, cell)
	for i := range max(len(left), len(right)) {
		l, rt := at(left, i), at(right, i)
		if r.differs && l != "" {
			l = absentStyle.Render(l)
		}
		if r.differs && rt != "" {
			rt = addedStyle.Render(rt)
		}
		out.line("  %s", pad(l, cell)+Faint(middle)+rt)
	}
}

// wrapped breaks a line into what a cell holds; tabs have no width that a table could count on.
func wrapped(line string, cell int) []string {
	line = strings.ReplaceAll(Plain(line), "\t", "    ")
	return strings.Split(lipgloss.Wrap(line, cell, ""), "\n")
}

// pad fills up by what a terminal shows.
func pad(s string, width int) string { return s + strings.Repeat(" ", max(0, width-lipgloss.Width(s))) }
