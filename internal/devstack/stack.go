package devstack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"postonce/internal/postgres"
)

// database is the name of ours in the Postgres cluster.
const database = "postonce"

// Stack is a running set.
type Stack struct {
	opts     Options
	account  string // the TabNews user that the workers publish as
	dir      string
	temporal *temporal
	postgres *postgres.Cluster
	pgPort   int
	emulator *emulator // nil with Options.TabNewsURL
	fallen   chan Fallen

	mu      sync.Mutex
	workers []*Process
	started int // workers so far, for their names
}

// Start starts the set and returns once all of it answers, or with an error that has the failed part's last words;
// then nothing is left running.
func Start(ctx context.Context, o Options) (*Stack, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Stack{opts: o, fallen: make(chan Fallen, 16)}
	if err := s.start(ctx); err != nil {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		return nil, errors.Join(err, s.Stop(stop))
	}
	return s, nil
}

func (s *Stack) start(ctx context.Context) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	g, servers := errgroup.WithContext(ctx)
	g.Go(func() error { return s.startPostgres(servers) })
	g.Go(func() error { return s.startTemporal(servers) })
	g.Go(s.startEmulator)
	if err := g.Wait(); err != nil {
		return err
	}
	g, workers := errgroup.WithContext(ctx)
	for range s.opts.Workers {
		g.Go(func() error {
			_, err := s.StartWorker(workers)
			return err
		})
	}
	return g.Wait()
}

// prepare finds the programs before anything is started, and makes room for the state.
func (s *Stack) prepare(ctx context.Context) error {
	if s.opts.Workers > 0 {
		if err := s.findWorker(); err != nil {
			return err
		}
	}
	if err := s.findAccount(ctx); err != nil {
		return err
	}
	path, err := Setup(ctx, s.opts.BinDir, s.opts.say)
	if err != nil {
		return err
	}
	if err := s.makeDir(); err != nil {
		return err
	}
	s.temporal = &temporal{path: path, file: temporalFile(s.dir), env: plainEnviron(s.opts.Environ), tee: s.tee("temporal")}
	return s.choosePorts()
}

func (s *Stack) makeDir() (err error) {
	if s.opts.Dir == "" {
		if s.dir, err = os.MkdirTemp("", "postonce-devstack-"); err == nil {
			err = os.Chmod(s.dir, 0o755) // Postgres may run as another user, who has to pass through
		}
	} else if s.dir, err = filepath.Abs(s.opts.Dir); err == nil {
		err = os.MkdirAll(s.dir, 0o755)
	}
	if err != nil {
		return fmt.Errorf("making room for the state: %w", err)
	}
	return os.WriteFile(s.temporalConfig(), nil, 0o644)
}

func (s *Stack) temporalConfig() string { return filepath.Join(s.dir, "temporal.toml") }

// Stop ends the workers first, each after what it is sending, then the servers they need. When ctx ends before, what
// still runs is killed and the error names it. Whatever the error, nothing is left running. It may be called again.
func (s *Stack) Stop(ctx context.Context) error {
	errs := []error{s.stopWorkers(ctx)}
	if s.emulator != nil {
		s.emulator.stop()
	}
	if s.temporal != nil {
		errs = append(errs, s.temporal.stop(ctx))
	}
	if s.postgres != nil {
		errs = append(errs, s.postgres.Stop(ctx))
	}
	if s.opts.Dir == "" && s.dir != "" {
		errs = append(errs, os.RemoveAll(s.dir))
	}
	return errors.Join(errs...)
}

// UIURL is Temporal's Web UI.
func (s *Stack) UIURL() string { return "http://" + address(s.temporal.ui) }

// TabNewsURL is the emulator, or the server that Options named.
func (s *Stack) TabNewsURL() string {
	if s.emulator == nil {
		return s.opts.TabNewsURL
	}
	return s.emulator.url()
}

// Postgres is the cluster, to be stopped, killed and restarted by tests.
func (s *Stack) Postgres() *postgres.Cluster { return s.postgres }

// TemporalAddress is the server's gRPC address.
func (s *Stack) TemporalAddress() string { return address(s.temporal.grpc) }

// PostgresPort is the cluster's port on loopback.
func (s *Stack) PostgresPort() int { return s.pgPort }
