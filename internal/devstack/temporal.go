package devstack

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
)

// searchAttributes are registered at start, although the worker registers what is missing too: a list asked for
// before the first worker is up then finds the names. Temporal accepts the same name and type again.
var searchAttributes = []string{"PublicationState", "PublicationRef", "PublicationAccount"}

// temporal is the development server: Temporal with its Web UI in one process, its state in one SQLite file.
type temporal struct {
	path string // the program
	file string
	env  []string
	tee  io.Writer

	grpc, ui, http, metrics int // ports
	proc                    *Process
}

// start runs the server until its default namespace answers.
func (t *temporal) start(ctx context.Context) error {
	proc, err := startProcess("temporal", t.path, t.args(), t.env, t.tee)
	if err != nil {
		return err
	}
	t.proc = proc
	return t.waitReady(ctx)
}

func (t *temporal) args() []string {
	args := []string{"server", "start-dev", "--ip", loopback,
		"--port", strconv.Itoa(t.grpc), "--ui-port", strconv.Itoa(t.ui),
		"--http-port", strconv.Itoa(t.http), "--metrics-port", strconv.Itoa(t.metrics),
		"--db-filename", t.file, "--log-level", "warn",
		// a search attribute registered a moment ago can be used at once
		"--dynamic-config-value", "system.forceSearchAttributesCacheRefreshOnRead=true",
	}
	for _, name := range searchAttributes {
		args = append(args, "--search-attribute", name+"=Keyword")
	}
	return args
}

func (t *temporal) waitReady(ctx context.Context) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := t.describe(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-t.proc.Done():
			return fmt.Errorf("temporal did not start: %w", t.proc.explain(errEnded))
		case <-ctx.Done():
			return fmt.Errorf("temporal does not answer on %s (%w): %w", address(t.grpc), err, t.proc.explain(ctx.Err()))
		}
	}
}

// describe asks through a fresh connection: a refused one would keep gRPC from trying again for a second.
func (t *temporal) describe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	c, err := client.NewNamespaceClient(client.Options{HostPort: address(t.grpc), Logger: silent{}})
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Describe(ctx, "default")
	return err
}

// lostPort tells whether start failed since another program was quicker to take one of the ports.
func (t *temporal) lostPort() bool {
	return t.proc != nil && (strings.Contains(t.proc.Log(), "address already in use") ||
		strings.Contains(t.proc.Log(), "can't set"))
}

func (t *temporal) stop(ctx context.Context) error {
	if t.proc == nil {
		return nil
	}
	return t.proc.Stop(ctx)
}

func temporalFile(dir string) string { return filepath.Join(dir, "temporal.db") }

// silent drops the SDK's words about connections that cannot be made yet.
type silent struct{}

var _ log.Logger = silent{}

func (silent) Debug(string, ...any) {}
func (silent) Info(string, ...any)  {}
func (silent) Warn(string, ...any)  {}
func (silent) Error(string, ...any) {}
