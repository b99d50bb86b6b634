package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"postonce/internal/devstack"
)

// TestMain lets copies of the test binary be the programs that the tests need, told apart by their names.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "devstack":
		main()
	case "worker":
		standInWorker()
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
	fmt.Fprintln(os.Stderr, "msg=\"worker ready\"")
	<-terminated
	os.Exit(0)
}

// programs returns a folder with devstack, a stand-in for the worker, and the real Temporal.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	temporal, err := devstack.Setup(t.Context(), devstack.BinDir(), t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(temporal, filepath.Join(dir, "temporal")); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"devstack", "worker"} {
		copyProgram(t, self, filepath.Join(dir, name))
	}
	return dir
}

// copyProgram copies, since a program finds those beside it by its own real path.
func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o755); err != nil {
		t.Fatal(err)
	}
}

// start starts devstack as a process of its own; its standard output can be read line by line while it runs.
func start(t *testing.T, stderr io.Writer, args ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(filepath.Join(programs(t), "devstack"), args...)
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewScanner(stdout)
}

func TestRunPassesOutputAndExitCode(t *testing.T) {
	cmd, stdout := start(t, os.Stderr, "run", "--", "sh", "-c", `echo "$POSTONCE_ACCOUNT $TABNEWS_EMAIL"; exit 7`)
	if stdout.Scan(); stdout.Text() != "autora autora@example.com" {
		t.Errorf("the command saw %q", stdout.Text())
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("ended with %v, not with the command's 7", cmd.ProcessState)
	}
}

func TestRunIsQuiet(t *testing.T) {
	var stderr bytes.Buffer
	cmd, _ := start(t, &stderr, "run", "--", "true")
	if err := cmd.Wait(); err != nil || stderr.Len() != 0 {
		t.Errorf("%v, and it said %q", err, stderr.String())
	}
}

func TestRunEndsWithTheWordsOfAWorkerThatRefuses(t *testing.T) {
	t.Setenv("STAND_IN_REFUSES", "POSTONCE_LANE_INTERVAL: too short")
	var stderr bytes.Buffer
	cmd, stdout := start(t, &stderr, "run", "--", "echo", "ran")
	if stdout.Scan() {
		t.Errorf("the command ran all the same: %q", stdout.Text())
	}
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "worker: POSTONCE_LANE_INTERVAL: too short") {
		t.Errorf("%v: %s", cmd.ProcessState, stderr.String())
	}
}

// siblings is a command that prints the process IDs of devstack's children, then "all", and stays.
const siblings = `ps -A -o pid=,ppid= | awk -v parent=$PPID '$2 == parent {print $1}'; echo all; exec sleep 600`

func children(t *testing.T, stdout *bufio.Scanner) (pids []int) {
	t.Helper()
	for stdout.Scan() && stdout.Text() != "all" {
		var pid int
		if _, err := fmt.Sscan(stdout.Text(), &pid); err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	if len(pids) < 5 {
		t.Fatalf("children %v; Temporal, Postgres, two workers and the command should be among them", pids)
	}
	return pids
}

func TestSignalToRunStopsEverything(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		cmd, stdout := start(t, os.Stderr, "run", "--workers", "2", "--", "sh", "-c", siblings)
		pids := children(t, stdout)
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 128+int(sig) {
			t.Errorf("%s: ended with %v, not as its command did", sig, cmd.ProcessState)
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("%s: process %d is still there", sig, pid)
			}
		}
	}
}

func TestUpServesUntilItIsStopped(t *testing.T) {
	var stderr bytes.Buffer
	cmd, stdout := start(t, &stderr, "up")
	var shown strings.Builder
	for stdout.Scan() && !strings.HasPrefix(stdout.Text(), "Ctrl-C") {
		shown.WriteString(stdout.Text() + "\n")
	}
	for _, want := range []string{"Web UI    http://127.0.0.1:", "bin/starter publish", "/env\n"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("no %q in:\n%s", want, shown.String())
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, stderr.String())
	}
}

func TestEmulatorServesUntilItIsStopped(t *testing.T) {
	cmd, stdout := start(t, os.Stderr, "emulator", "--addr", "127.0.0.1:0")
	if stdout.Scan(); !strings.HasPrefix(stdout.Text(), "http://127.0.0.1:") {
		t.Fatalf("it printed %q", stdout.Text())
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	for _, name := range []string{"TABNEWS_EMAIL", "TABNEWS_PASSWORD", "TABNEWS_SESSION", "POSTONCE_ACCOUNT"} {
		t.Setenv(name, "")
	}
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"a server without credentials": {[]string{"run", "--tabnews", "http://127.0.0.1:9", "--", "true"}, 2, "set TABNEWS_EMAIL and TABNEWS_PASSWORD"},
		"fewer than no workers":        {[]string{"run", "--workers", "-1", "--", "true"}, 2, "-1 is less than 0"},
		"no command":                   {[]string{"run"}, 2, "requires at least 1 arg"},
		"an unknown command":           {[]string{"start"}, 2, `unknown command "start"`},
		"an unknown flag":              {[]string{"up", "--port", "1"}, 2, "unknown flag: --port"},
		"a command that is not there":  {[]string{"run", "--", "no-such-program"}, 127, "no-such-program"},
		"an address that is taken":     {[]string{"emulator", "--addr", "256.0.0.1:0"}, 1, "cannot listen on 256.0.0.1:0"},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			code := run(context.Background(), c.args, strings.NewReader(""), io.Discard, &stderr)
			if code != c.code || !strings.Contains(stderr.String(), c.says) || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("exit code %d and %q; want %d and one line with %q", code, stderr.String(), c.code, c.says)
			}
		})
	}
}
