package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// server is one run of the postmaster.
type server struct {
	pid  int
	log  *serverLog
	done chan struct{} // closed when it ended
	err  error         // how it ended; valid once done is closed
}

func (s *server) ended() bool {
	if s == nil {
		return true
	}
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *server) signal(sig syscall.Signal) error { return syscall.Kill(s.pid, sig) }

// start runs the postmaster until it takes connections. Two refusals pass by themselves and are tried again: another
// program took the free port, and the children of a killed postmaster have not noticed its death yet.
func (c *Cluster) start(ctx context.Context) error {
	for {
		if err := c.choosePort(); err != nil {
			return err
		}
		err := c.startOnce(ctx)
		var refused *startError
		switch {
		case err == nil:
			return nil
		case !errors.As(err, &refused):
			return err
		case refused.portTaken() && c.options.Port == 0 && c.server == nil:
			c.port = 0
		case !refused.leftovers():
			return err
		}
		if err := pause(ctx); err != nil {
			return errors.Join(err, refused)
		}
	}
}

func (c *Cluster) startOnce(ctx context.Context) error {
	s, err := c.launch()
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	if err := c.awaitReady(ctx, s); err != nil {
		if !s.ended() {
			_ = s.signal(syscall.SIGQUIT)
			<-s.done
		}
		return err
	}
	c.server = s
	return nil
}

// launch starts the postmaster on a thread of its own that lives as long as it: Linux sends the death signal when the
// thread that forked ends, not the process (prctl(2)).
func (c *Cluster) launch() (*server, error) {
	s := &server{log: &serverLog{to: c.options.Log}, done: make(chan struct{})}
	cmd := exec.Command(filepath.Join(c.bindir, "postgres"), c.arguments()...)
	cmd.Dir = c.options.Dir
	cmd.Stdout, cmd.Stderr = s.log, s.log
	cmd.SysProcAttr = processAttributes(c.account)
	cmd.WaitDelay = time.Second // backends that outlive a killed postmaster hold the log open
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			s.pid = cmd.Process.Pid
		}
		started <- err
		if err == nil {
			s.err = cmd.Wait()
			close(s.done)
		}
	}()
	return s, <-started
}

func (c *Cluster) arguments() []string {
	settings := []string{
		"listen_addresses=127.0.0.1", "port=" + strconv.Itoa(c.port),
		"unix_socket_directories=", // one way in is enough, and a socket's path may be too long
		"max_connections=200", "timezone=UTC", "log_timezone=UTC", "logging_collector=off",
	}
	if c.options.Volatile {
		settings = append(settings, "fsync=off", "full_page_writes=off", "shared_buffers=32MB") // commits still survive a kill of the server
	}
	args := []string{"-D", c.dataDir()}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// choosePort asks the kernel for a free port unless one is settled.
func (c *Cluster) choosePort() error {
	if c.port != 0 {
		return nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("find a free port: %w", err)
	}
	c.port = listener.Addr().(*net.TCPAddr).Port
	return listener.Close()
}

func (c *Cluster) awaitReady(ctx context.Context, s *server) error {
	for {
		conn, err := pgx.Connect(ctx, c.url("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.done:
			return &startError{lastLines(s.log.text(), 6), s.err}
		default:
		}
		if paused := pause(ctx); paused != nil {
			return fmt.Errorf("start PostgreSQL: it does not take connections: %w (%w)", paused, err)
		}
	}
}

// startError says that the postmaster ended instead of taking connections.
type startError struct {
	log string
	err error
}

func (e *startError) Error() string {
	return fmt.Sprintf("start PostgreSQL: it ended at once (%v): %s", e.err, e.log)
}
func (e *startError) Unwrap() error { return e.err }
func (e *startError) portTaken() bool {
	return strings.Contains(e.log, "could not create any TCP/IP sockets")
}
func (e *startError) leftovers() bool { return strings.Contains(e.log, "is still in use") }

// pause lets a starting server go on; a server has no event that says it is ready.
func pause(ctx context.Context) error {
	select {
	case <-time.After(20 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
