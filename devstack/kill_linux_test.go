package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Not even a devstack that is killed leaves anything behind.
func TestKilledRunTakesEverythingWithIt(t *testing.T) {
	dir := t.TempDir() // for what it cannot remove any more
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	cmd, stdout := start(t, os.Stderr, "run", "--workers", "2", "--", "sh", "-c", siblings)
	var gone []unix.PollFd // becomes readable when its process ends, pidfd_open(2)
	for _, pid := range children(t, stdout) {
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
		gone = append(gone, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for i := range gone {
		if n, err := poll(gone[i : i+1]); err != nil || n != 1 {
			t.Errorf("a process outlived devstack (%v)", err)
		}
	}
	_ = cmd.Wait()
}

// poll waits for the end of a process. A signal that interrupts it, the Go runtime's own among them, says nothing
// (poll(2), EINTR).
func poll(gone []unix.PollFd) (int, error) {
	const patience = 20_000 // ms; Postgres ends its children first
	for {
		n, err := unix.Poll(gone, patience)
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
