package devstack

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// WipeTemporal stops the Temporal server, deletes its database, and starts it again, empty, on the same ports.
func (s *Stack) WipeTemporal(ctx context.Context) error {
	if err := s.StopTemporal(ctx); err != nil {
		return err
	}
	files, err := filepath.Glob(s.temporal.file + "*") // with SQLite's journals
	for _, file := range files {
		err = errors.Join(err, os.Remove(file))
	}
	if err != nil {
		return err
	}
	return s.StartTemporal(ctx)
}
