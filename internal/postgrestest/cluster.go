package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"postonce/internal/postgres"
)

// prefix names the directories of clusters in the temporary directory, followed by their process's ID.
const prefix = "postonce-postgres-"

// startTimeout bounds a start on a busy machine.
const startTimeout = 2 * time.Minute

// Cluster starts a private cluster for one test that stops, kills or restarts it; it ends with the test.
func Cluster(t testing.TB) *postgres.Cluster {
	t.Helper()
	cluster, stop, err := startCluster()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return cluster
}

// Main runs the tests of a package and then stops the cluster that they shared. It gives the exit code.
func Main(m *testing.M) int {
	code := m.Run()
	if err := stopShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

var shared struct {
	sync.Mutex
	url  string
	stop func() error
	err  error
}

// serverURL gives the server that the tests of this process share.
func serverURL() (string, error) {
	if url := os.Getenv("DATABASE_URL"); url != "" {
		return url, nil
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.url != "" || shared.err != nil {
		return shared.url, shared.err
	}
	cluster, stop, err := startCluster()
	if err != nil {
		shared.err = err
		return "", err
	}
	shared.url, shared.stop = cluster.URL("postgres"), stop
	return shared.url, nil
}

func stopShared() error {
	shared.Lock()
	defer shared.Unlock()
	if shared.stop == nil {
		return nil
	}
	stop := shared.stop
	shared.url, shared.stop = "", nil
	return stop()
}

func startCluster() (*postgres.Cluster, func() error, error) {
	sweep()
	dir, err := os.MkdirTemp("", prefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	cluster, err := postgres.Start(ctx, postgres.Options{Dir: dir, Volatile: true})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return cluster, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
		defer cancel()
		return errors.Join(cluster.Stop(ctx), os.RemoveAll(dir))
	}, nil
}

// sweep removes what test processes that were killed have left. Their servers ended with them.
func sweep() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, dir := range dirs {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
		n, err := strconv.Atoi(pid)
		if err == nil && n > 0 && errors.Is(syscall.Kill(n, 0), syscall.ESRCH) {
			_ = os.RemoveAll(dir) // another user's is left to him
		}
	}
}
