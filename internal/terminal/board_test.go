package terminal

import (
	"bytes"
	"strings"
	"testing"
)

// screen plays a terminal that knows two commands: up, and clear what is below.
func screen(t *testing.T, written string) []string {
	t.Helper()
	var lines []string
	for written != "" {
		if rest, ok := strings.CutPrefix(written, "\x1b["); ok {
			up := 0
			for rest != "" && rest[0] >= '0' && rest[0] <= '9' {
				up, rest = 10*up+int(rest[0]-'0'), rest[1:]
			}
			rest, ok = strings.CutPrefix(rest, "A\x1b[J")
			if !ok || up > len(lines) {
				t.Fatalf("cannot go up %d of %q before %q", up, lines, rest)
			}
			lines, written = lines[:len(lines)-up], rest
			continue
		}
		line, rest, _ := strings.Cut(written, "\n")
		lines, written = append(lines, line), rest
	}
	return lines
}

func boardOf(out *bytes.Buffer, width, height int) *Board {
	b := NewBoard(out, []string{"a.md", "b.md"})
	b.size = func() (int, int) { return width, height }
	return b
}

func TestALiveBoardIsDrawnOverItself(t *testing.T) {
	var out bytes.Buffer
	b := boardOf(&out, 80, 24)
	b.Set(0, "sending")
	b.Say("no worker answers\n")
	b.Set(0, "accepted")
	b.Set(1, "planned")
	want := "no worker answers|     FILE  STATE|1/2  a.md  accepted|2/2  b.md  planned"
	if got := strings.Join(screen(t, out.String()), "|"); got != want {
		t.Errorf("the screen shows\n%s\nwant\n%s", got, want)
	}
	b.Close()
	if got := strings.Join(screen(t, out.String()), "|"); got != "no worker answers" {
		t.Errorf("after the end the screen shows %s", got)
	}
}

// A line that wraps would stay on the screen when the table is drawn anew.
func TestALiveBoardKeepsItsRowsOnOneLineEach(t *testing.T) {
	var out bytes.Buffer
	b := boardOf(&out, 20, 24)
	b.Set(0, "planned"+strings.Repeat(", waiting for its turn", 5))
	for _, line := range screen(t, out.String()) {
		if n := len([]rune(line)); n > 19 {
			t.Errorf("%q is %d wide", line, n)
		}
	}
}

// Elsewhere, and where the table is higher than the terminal, each change is a line.
func TestABoardWithoutAScreenTellsEachChangeOnce(t *testing.T) {
	for _, height := range []int{0, 3} {
		var out bytes.Buffer
		b := boardOf(&out, 80*min(height, 1), height)
		b.Set(0, "sending")
		b.Set(0, "sending")
		b.Say("talk\n")
		b.Set(1, "a\t\x1b[2Jb")
		b.Close()
		if got, want := out.String(), "[1/2] a.md: sending\ntalk\n[2/2] b.md: a <U+001B>[2Jb\n"; got != want {
			t.Errorf("height %d: %q, want %q", height, got, want)
		}
	}
}

func TestATableShowsWhatWouldMoveTheCursor(t *testing.T) {
	got := Table([][]string{{"A"}, {"\x1b[2Jgone"}})
	if !strings.Contains(got, "<U+001B>[2Jgone") {
		t.Errorf("got %q", got)
	}
	if got := Stated("accepted, verification matched"); got != State("accepted")+", verification matched" {
		t.Errorf("got %q", got)
	}
	if got := Stated("accepted_by nobody"); got != "accepted_by nobody" {
		t.Errorf("got %q", got)
	}
}
