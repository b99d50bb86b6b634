package devstack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	temporalVersion = "1.5.1"
	temporalModule  = "github.com/temporalio/cli/cmd/temporal@v" + temporalVersion
)

// findTemporal returns the official temporal program: from PATH, else from binDir; "" when it is in neither.
func findTemporal(binDir string) string {
	if path, err := exec.LookPath("temporal"); err == nil {
		return path
	}
	if path := filepath.Join(binDir, "temporal"); executable(path) {
		return path
	}
	return ""
}

// installTemporal builds the official program into binDir, from its released source: the one way that needs nothing
// but Go. say is told how far it is. The finished file is moved into place, so that an interrupted build leaves none.
func installTemporal(ctx context.Context, binDir string, say func(format string, args ...any)) (string, error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return "", errors.New("temporal is not in PATH, and there is no Go to build it: install the Temporal CLI (docs.temporal.io/cli) or Go")
	}
	if err := os.MkdirAll(binDir, 0o755); err != nil {
		return "", err
	}
	room, err := os.MkdirTemp(binDir, ".temporal-build-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(room)
	say("building the Temporal server %s, once: about five minutes on two cores", temporalVersion)
	if err := goInstall(ctx, goTool, room, say); err != nil {
		return "", err
	}
	path := filepath.Join(binDir, "temporal")
	return path, os.Rename(filepath.Join(room, "temporal"), path)
}

func goInstall(ctx context.Context, goTool, room string, say func(string, ...any)) error {
	args := []string{"install", "-trimpath",
		"-ldflags", "-s -w -X github.com/temporalio/cli/temporalcli.Version=" + temporalVersion, temporalModule}
	env := append(os.Environ(), "GOBIN="+room, "GOFLAGS=", "GOWORK=off")
	build, err := startProcess("the build of temporal", goTool, args, env, nil)
	if err != nil {
		return err
	}
	began, tick := time.Now(), time.NewTicker(15*time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			say("still building the Temporal server (%s)", time.Since(began).Round(time.Second))
		case <-build.Done():
			if build.err != nil {
				return fmt.Errorf("building %s: %w", temporalModule, build.explain(build.err))
			}
			return nil
		case <-ctx.Done():
			_ = build.killGroup()
			return ctx.Err()
		}
	}
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}
