package terminal

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"

	"postonce/publication"
)

// Table draws rows as columns, the first row as their names. Cells are plain text, from wherever it comes.
func Table(rows [][]string) string {
	drawn := make([][]string, len(rows))
	for i, row := range rows {
		draw := Stated
		if i == 0 {
			draw = Faint
		}
		for _, cell := range row {
			drawn[i] = append(drawn[i], draw(cell))
		}
	}
	return align(drawn)
}

// Stated is Line, with the colour of the state that text begins with, if it does.
func Stated(text string) string {
	text = Line(text)
	for _, s := range publication.States() {
		if rest, ok := strings.CutPrefix(text, string(s)); ok && (rest == "" || rest[0] == ',') {
			return State(s) + rest
		}
	}
	return text
}

// Board shows what happens to several things at a time: on a terminal a table that is drawn anew with each change, else
// a line for each change.
type Board struct {
	w     io.Writer
	names []string
	words []string
	drawn int // lines of the table that stand on the screen
	size  func() (width, height int)
}

// NewBoard makes a board on w for the named things. Nothing is drawn before the first Set.
func NewBoard(w io.Writer, names []string) *Board {
	size := func() (int, int) { return Width(w), Height(w) } // a person may change it meanwhile
	return &Board{w: w, names: names, words: make([]string, len(names)), size: size}
}

// live reports whether w is a terminal on which the whole table can be drawn anew: lines that have left the screen
// cannot.
func (b *Board) live() bool {
	width, height := b.size()
	return width > 0 && height > len(b.names)+1
}

// Set tells where one of them stands. The same words again are no change.
func (b *Board) Set(i int, words string) {
	if b.words[i] == words {
		return
	}
	b.words[i] = words
	if b.live() {
		b.erase()
		b.draw()
		return
	}
	Print(b.w, fmt.Sprintf("[%d/%d] %s: %s\n", i+1, len(b.names), Line(b.names[i]), Stated(words)))
}

// Say writes text above the table.
func (b *Board) Say(text string) {
	b.erase()
	Print(b.w, text)
	if b.live() {
		b.draw()
	}
}

// Close takes a live table off the screen: what comes next tells it all.
func (b *Board) Close() { b.erase() }

func (b *Board) erase() {
	if b.drawn > 0 {
		fmt.Fprintf(b.w, "\x1b[%dA\x1b[J", b.drawn) // up, and clear to the end of the screen (ECMA-48, CUU and ED)
		b.drawn = 0
	}
}

// draw keeps each row on one line of the terminal, so that erase knows how many there are.
func (b *Board) draw() {
	rows := [][]string{{"", "FILE", "STATE"}}
	for i, name := range b.names {
		rows = append(rows, []string{fmt.Sprintf("%d/%d", i+1, len(b.names)), name, b.words[i]})
	}
	width, _ := b.size()
	cut := lipgloss.NewStyle().MaxWidth(width - 1)
	for line := range strings.Lines(Table(rows)) {
		Print(b.w, cut.Render(strings.TrimRight(line, "\n"))+"\n")
		b.drawn++
	}
}
