package postgres

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ErrNotInstalled says that the machine has no PostgreSQL server, and exactly what to install.
var ErrNotInstalled = errors.New("no PostgreSQL server on this machine (looked for postgres and initdb in PATH, in `pg_config --bindir` and in /usr/lib/postgresql/*/bin); " +
	"install it with `apt-get install postgresql` (macOS: `brew install postgresql@17`), or set DATABASE_URL to a running one")

// Find gives the directory that holds both postgres and initdb: of PATH, else of pg_config, else the newest of where
// distributions keep them. They are not in PATH on Debian. The error is ErrNotInstalled.
func Find() (bindir string, err error) {
	for _, dir := range candidates() {
		if isExecutable(filepath.Join(dir, "postgres")) && isExecutable(filepath.Join(dir, "initdb")) {
			return dir, nil
		}
	}
	return "", ErrNotInstalled
}

func candidates() []string {
	var dirs []string
	if path, err := exec.LookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin"} {
		found, _ := filepath.Glob(pattern) // the only error is a malformed pattern
		slices.SortFunc(found, func(a, b string) int { return version(b) - version(a) })
		dirs = append(dirs, found...)
	}
	return dirs
}

// version gives the major version in a path such as /usr/lib/postgresql/15/bin, or 0. As text, 9 would sort after 15.
func version(path string) int {
	digits := strings.FieldsFunc(path, func(r rune) bool { return r < '0' || r > '9' })
	if len(digits) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(digits[0])
	return n
}

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
