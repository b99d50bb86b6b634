package devstack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"postonce/internal/postgres"
)

// Setup sees to it that the machine has what the set needs and returns the Temporal program. What is missing is
// installed: Temporal is built into binDir, Postgres comes from apt when we are root; else the error says what to
// install. say is told of what takes long.
func Setup(ctx context.Context, binDir string, say func(format string, args ...any)) (temporal string, err error) {
	if err := setupPostgres(ctx, say); err != nil {
		return "", err
	}
	if path := findTemporal(binDir); path != "" {
		return path, nil
	}
	return installTemporal(ctx, binDir, say)
}

func setupPostgres(ctx context.Context, say func(string, ...any)) error {
	_, err := postgres.Find()
	if !errors.Is(err, postgres.ErrNotInstalled) {
		return err
	}
	say("installing Postgres, once, with apt-get: about a minute")
	var output bytes.Buffer
	if err := postgres.Install(ctx, &output); err != nil {
		if last := lastLines(output.String(), 10); last != "" {
			return fmt.Errorf("%w; its last lines:\n%s", err, last)
		}
		return err
	}
	return nil
}

// BinDir is where the project's programs are: beside the one that runs, else bin/ of the module that the working
// directory is in (so for tests), else bin/ of the working directory.
func BinDir() string {
	if self, err := os.Executable(); err == nil && executable(filepath.Join(filepath.Dir(self), "worker")) {
		return filepath.Dir(self)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "bin"
	}
	for parent := dir; ; parent = filepath.Dir(parent) {
		if _, err := os.Stat(filepath.Join(parent, "go.mod")); err == nil {
			return filepath.Join(parent, "bin")
		}
		if parent == filepath.Dir(parent) {
			return filepath.Join(dir, "bin")
		}
	}
}
