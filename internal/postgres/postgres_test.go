package postgres

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestMain lets the test binary be the process that starts a cluster and is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("POSTONCE_TEST_CLUSTER_DIR"); dir != "" {
		holdCluster(dir)
	}
	os.Exit(m.Run())
}

func holdCluster(dir string) {
	c, err := Start(context.Background(), Options{Dir: dir, Volatile: true})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("pid", c.PID())
	select {}
}

func start(t *testing.T, options Options) *Cluster {
	t.Helper()
	c, err := Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}

func query(t *testing.T, c *Cluster, database, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), c.URL(database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var text string
	if err := conn.QueryRow(t.Context(), sql).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestKeptDataIsDurableAndSurvivesAKill(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cluster")
	c := start(t, Options{Dir: dir})
	if got := query(t, c, "postgres", "select current_setting('fsync') || current_setting('synchronous_commit')"); got != "onon" {
		t.Errorf("fsync and synchronous_commit are %q, want both on", got)
	}
	for range 2 {
		if err := c.CreateDatabase(t.Context(), "kept"); err != nil {
			t.Fatal(err)
		}
	}
	url := c.URL("kept")
	if err := c.Kill(); err != nil {
		t.Fatal(err)
	}
	if c.PID() != 0 {
		t.Error("it has a process ID after it was killed")
	}
	if err := c.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c.URL("kept") != url {
		t.Errorf("after a restart the address is another one: %s, was %s", c.URL("kept"), url)
	}
	query(t, c, "kept", "select 'there'")
}

func TestADirectoryIsTakenUpAgain(t *testing.T) {
	dir := t.TempDir()
	first := start(t, Options{Dir: dir, Volatile: true})
	if err := first.CreateDatabase(t.Context(), "kept"); err != nil {
		t.Fatal(err)
	}
	if err := first.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	query(t, start(t, Options{Dir: dir, Volatile: true}), "kept", "select 'there'")
}

func TestASecondServerInADirectoryIsRefusedWithItsReason(t *testing.T) {
	dir := t.TempDir()
	start(t, Options{Dir: dir, Volatile: true})
	_, err := Start(t.Context(), Options{Dir: dir, Volatile: true})
	if err == nil || !strings.Contains(err.Error(), "postmaster.pid") {
		t.Errorf("got %v, want the server's own words about postmaster.pid", err)
	}
}

func TestStrangersNeedThePassword(t *testing.T) {
	c := start(t, Options{Dir: t.TempDir(), Volatile: true})
	conn, err := pgx.Connect(t.Context(), strings.Replace(c.URL("postgres"), c.password, "guess", 1))
	if err == nil {
		conn.Close(context.Background())
		t.Error("a wrong password was let in")
	}
}

func TestTheServerEndsWithTheProcessThatStartedIt(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "POSTONCE_TEST_CLUSTER_DIR="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	line, _ := bufio.NewReader(out).ReadString('\n')
	if _, err := fmt.Sscanf(line, "pid %d", &pid); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for running(pid) {
		if err := pause(t.Context()); err != nil {
			t.Fatal("PostgreSQL outlived the process that started it")
		}
	}
}

func running(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(stat), ") Z ") {
		return false // ended; whoever inherited it has not asked yet
	}
	return syscall.Kill(pid, 0) == nil
}

func TestFindNamesWhatToInstall(t *testing.T) {
	bindir, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(bindir) {
		t.Errorf("%q is no absolute path", bindir)
	}
	if !strings.Contains(ErrNotInstalled.Error(), "apt-get install postgresql") {
		t.Errorf("%q does not say what to install", ErrNotInstalled)
	}
}
