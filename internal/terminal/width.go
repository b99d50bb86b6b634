package terminal

import (
	"os"
)

// Width is how many columns the terminal w has; 0 when it is none, or does not tell.
func Width(w any) int {
	f, ok := w.(*os.File)
	if !ok || !IsTerminal(f) {
		return 0
	}
	return columnsOf(f)
}

// Height is how many lines the terminal w has; 0 when it is none, or does not tell.
func Height(w any) int {
	f, ok := w.(*os.File)
	if !ok || !IsTerminal(f) {
		return 0
	}
	return linesOf(f)
}
