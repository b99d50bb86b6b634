package devstack

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// TestMain lets links to the test binary be the programs that the tests need, told apart by their names.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "worker":
		standInWorker()
	case "go":
		standInGo()
	default:
		os.Exit(m.Run())
	}
}

// standInWorker behaves as devstack sees a worker: it refuses a setting, or is ready and ends when it is asked to.
func standInWorker() {
	if reason := os.Getenv("STAND_IN_REFUSES"); reason != "" {
		fmt.Fprintln(os.Stderr, "worker:", reason)
		os.Exit(2)
	}
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	fmt.Fprintln(os.Stderr, "lane interval", os.Getenv("POSTONCE_LANE_INTERVAL"))
	fmt.Fprintln(os.Stderr, "msg=\"worker ready\"")
	<-terminated
	if os.Getenv("STAND_IN_STAYS") != "" {
		select {}
	}
	os.Exit(0)
}

// programs returns a folder with a stand-in for the worker and the real Temporal.
func programs(t *testing.T) string {
	t.Helper()
	temporal, err := Setup(t.Context(), BinDir(), t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	link(t, temporal, filepath.Join(dir, "temporal"))
	standIn(t, filepath.Join(dir, "worker"))
	return dir
}

func standIn(t *testing.T, path string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link(t, self, path)
}

func link(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Symlink(from, to); err != nil {
		t.Fatal(err)
	}
}

// start starts a set that is stopped at the end of the test.
func start(t *testing.T, o Options) *Stack {
	t.Helper()
	if o.BinDir == "" {
		o.BinDir = programs(t)
	}
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop(t.Context()) }) // the context has ended: what still runs is killed
	return s
}

func mustBeGone(t *testing.T, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d is still there (%v)", pid, err)
		}
	}
}

func mustBeFree(t *testing.T, ports ...int) {
	t.Helper()
	for _, port := range ports {
		if c, err := net.Dial("tcp", address(port)); err == nil {
			_ = c.Close()
			t.Errorf("somebody still answers on port %d", port)
		}
	}
}

func mustNotExist(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is still there (%v)", path, err)
	}
}

// temporaryFolder makes one of the test's own the place for temporary files, and lets Postgres' user pass through.
func temporaryFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	return dir
}
