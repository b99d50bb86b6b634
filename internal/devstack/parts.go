package devstack

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"postonce/internal/postgres"
)

// choosePorts reserves what the servers will listen on. The emulator has a port of its own choosing too, so that it
// comes back at the same address after RestartEmulator.
func (s *Stack) choosePorts() error {
	ports, err := freePorts(6)
	if err != nil {
		return err
	}
	usual := []int{7233, 8233, 0, 0, 5432, 3900}
	for i, port := range usual {
		switch {
		case !s.opts.UsualPorts || port == 0:
		case portFree(port):
			ports[i] = port
		default:
			s.opts.say("port %d is taken by another program: %d is used instead", port, ports[i])
		}
	}
	t := s.temporal
	t.grpc, t.ui, t.http, t.metrics = ports[0], ports[1], ports[2], ports[3]
	s.pgPort = ports[4]
	if s.opts.TabNewsURL == "" {
		s.emulator = &emulator{addr: address(ports[5])}
	}
	return nil
}

func (s *Stack) startPostgres(ctx context.Context) error {
	return s.opts.step("Postgres answers on "+address(s.pgPort), func() (err error) {
		s.postgres, err = postgres.Start(ctx, postgres.Options{
			Dir: filepath.Join(s.dir, "postgres"), Port: s.pgPort, Log: s.tee("postgres"),
			Volatile: s.opts.Dir == "", // a folder that is removed at the end need not outlive a power cut
		})
		if err != nil {
			return err
		}
		return s.postgres.CreateDatabase(ctx, database)
	})
}

// startTemporal tries again with other ports when another program was quicker. The server also takes ports that it
// chooses by itself and that no flag names.
func (s *Stack) startTemporal(ctx context.Context) error {
	const tries = 3
	for try := 1; ; try++ {
		err := s.StartTemporal(ctx)
		if err == nil || try == tries || !s.temporal.lostPort() {
			return err
		}
		ports, portErr := freePorts(4)
		if portErr != nil {
			return portErr
		}
		t := s.temporal
		t.grpc, t.ui, t.http, t.metrics = ports[0], ports[1], ports[2], ports[3]
	}
}

// StartTemporal starts the Temporal server again, with the same database file and the same ports.
func (s *Stack) StartTemporal(ctx context.Context) error {
	what := fmt.Sprintf("Temporal answers on %s, its Web UI on %s", address(s.temporal.grpc), s.UIURL())
	err := s.opts.step(what, func() error { return s.temporal.start(ctx) })
	if err == nil {
		go s.watch(s.temporal.proc)
	}
	return err
}

// StopTemporal stops the Temporal server alone; StartTemporal brings it back.
func (s *Stack) StopTemporal(ctx context.Context) error { return s.temporal.stop(ctx) }

// Temporal is the server's process, to be killed by tests. It is another one after StartTemporal.
func (s *Stack) Temporal() *Process { return s.temporal.proc }

func (s *Stack) startEmulator() error {
	if s.emulator == nil {
		return nil
	}
	return s.opts.step("the TabNews emulator answers on "+s.emulator.addr, s.emulator.start)
}

// RestartEmulator closes the emulator, so that all its connections break, and starts it at the same address, empty.
func (s *Stack) RestartEmulator() error {
	s.emulator.stop()
	return s.emulator.start()
}

// StopEmulator closes the emulator: TabNews refuses connections until RestartEmulator.
func (s *Stack) StopEmulator() { s.emulator.stop() }

// tee is where a part's output goes besides its own log.
func (s *Stack) tee(name string) io.Writer {
	if !s.opts.Output {
		return nil
	}
	return &prefixed{name: name, to: s.opts.Log}
}
