package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"postonce/internal/devstack"
)

// bin holds the programs under test, built once from the tree as it is.
var bin string

// shared is the stack of the stories that break nothing that others need. Its settings are short, so that no story
// waits for a default; the lane's distance and the firewall have a story of their own.
var shared *devstack.Stack

// quick are settings for stories. They keep every rule between them; internal/config would refuse others.
var quick = []string{
	"POSTONCE_SEND_TIMEOUT=2s", "POSTONCE_QUIET_TIME=1s", "POSTONCE_LANE_INTERVAL=20ms",
	"POSTONCE_LANE_WINDOW=20ms", "POSTONCE_LANE_LIMIT=50", // the lane's rule has stories of its own
	"POSTONCE_READ_BACK_WINDOW=10s", "POSTONCE_ACTIVITY_TIMEOUT=5s", "POSTONCE_RPC_TIMEOUT=20s",
	"POSTONCE_DRIFT_AFTER=off", // what the watch asks TabNews for would be counted by other stories; it has its own
}

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if bin, err = os.MkdirTemp("", "postonce-e2e-"); err != nil {
		return 1, err
	}
	defer os.RemoveAll(bin)
	if err := build(); err != nil {
		return 1, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	if shared, err = start(ctx, 1); err != nil {
		return 1, err
	}
	defer func() {
		stop, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if stopErr := shared.Stop(stop); stopErr != nil && err == nil {
			code, err = 1, stopErr
		}
	}()
	return m.Run(), nil
}

// build makes the programs in bin, and finds the Temporal binary that the project keeps in its own bin folder.
func build() error {
	cmd := exec.Command("go", "build", "-o", bin, "./starter", "./worker", "./devstack")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building: %w\n%s", err, out)
	}
	temporal, err := devstack.Setup(context.Background(), filepath.Join("..", "bin"), func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	})
	if err != nil {
		return err
	}
	if temporal, err = filepath.Abs(temporal); err != nil {
		return err
	}
	return os.Symlink(temporal, filepath.Join(bin, "temporal"))
}

// start starts a stack with its own state.
func start(ctx context.Context, workers int, env ...string) (*devstack.Stack, error) {
	return devstack.Start(ctx, devstack.Options{Workers: workers, BinDir: bin, Env: append(append([]string{}, quick...), env...), Log: os.Stderr})
}
