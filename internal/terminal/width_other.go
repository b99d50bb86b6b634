//go:build !unix

package terminal

import "os"

func columnsOf(*os.File) int { return 0 }

func linesOf(*os.File) int { return 0 }
