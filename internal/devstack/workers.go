package devstack

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// workerReady is in the line that a worker writes once it polls.
const workerReady = "worker ready"

// StartWorker starts one more worker and returns once it polls. extraEnv wins over all else. A worker that refuses its
// configuration gives an error with its own words.
func (s *Stack) StartWorker(ctx context.Context, extraEnv ...string) (*Process, error) {
	if err := s.findWorker(); err != nil {
		return nil, err
	}
	name := s.workerName()
	var p *Process
	err := s.opts.step(name+" polls", func() (err error) {
		env := slices.Concat(s.Environ(), s.healthOff(name), s.opts.Env, extraEnv)
		if p, err = startProcess(name, s.workerPath(), nil, env, s.tee(name)); err != nil {
			return err
		}
		s.mu.Lock()
		s.workers = append(s.workers, p)
		s.mu.Unlock()
		if err = p.out.wait(ctx, workerReady, p.done); err != nil {
			return fmt.Errorf("%s did not start: %w", name, p.explain(err))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	go s.watch(p)
	return p, nil
}

// healthOff keeps a POSTONCE_HEALTH_ADDR that was inherited for the first worker alone: one address serves one.
func (s *Stack) healthOff(name string) []string {
	if name == "worker-1" {
		return nil
	}
	return []string{"POSTONCE_HEALTH_ADDR="}
}

func (s *Stack) workerName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started++
	return fmt.Sprintf("worker-%d", s.started)
}

// Workers are those started so far, in that order, ended ones too.
func (s *Stack) Workers() []*Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.workers)
}

func (s *Stack) workerPath() string { return filepath.Join(s.opts.BinDir, "worker") }

func (s *Stack) findWorker() error {
	if executable(s.workerPath()) {
		return nil
	}
	return fmt.Errorf("there is no program %s: build it with `make build`", s.workerPath())
}

// stopWorkers asks all of them at once, for each may have a send to end.
func (s *Stack) stopWorkers(ctx context.Context) error {
	ended := make(chan error)
	workers := s.Workers()
	for _, w := range workers {
		go func() { ended <- w.Stop(ctx) }()
	}
	var errs []error
	for range workers {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}
