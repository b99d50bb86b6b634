package devstack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"
)

var errEnded = errors.New("the process ended")

// Process is a child of this program with its output kept.
type Process struct {
	name string
	cmd  *exec.Cmd
	out  *capture
	done chan struct{} // closed once the process has ended and its output is complete
	err  error         // of cmd.Wait; read after done

	asked atomic.Bool // a signal was sent by us: its end is no accident
}

// startProcess starts a program in a process group of its own; tee, if not nil, sees its output too.
func startProcess(name, path string, args, env []string, tee io.Writer) (*Process, error) {
	cmd := exec.Command(path, args...)
	cmd.Env = env
	cmd.SysProcAttr = childAttributes()
	p := &Process{name: name, cmd: cmd, out: newCapture(tee), done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.out, p.out
	cmd.WaitDelay = 2 * time.Second // a grandchild that keeps the pipe open must not keep us waiting
	if err := spawn(cmd); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// Name says which part this is: "temporal", "worker-1".
func (p *Process) Name() string { return p.name }

// Pid is the process ID; the process may have ended.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Signal sends sig; os.ErrProcessDone when the process has ended.
func (p *Process) Signal(sig os.Signal) error {
	p.asked.Store(true)
	return p.cmd.Process.Signal(sig)
}

// Kill ends the process as a power cut would (SIGKILL) and waits until it is gone.
func (p *Process) Kill() error {
	if err := p.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.done
	return nil
}

// killGroup ends the process and those it started.
func (p *Process) killGroup() error {
	err := syscall.Kill(-p.Pid(), syscall.SIGKILL)
	<-p.done
	return err
}

// Done is closed once the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait returns how the process ended: nil for exit code 0, else an *exec.ExitError.
func (p *Process) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stop asks the process to finish (SIGTERM) and waits. When ctx ends first the process is killed, and the error says so.
func (p *Process) Stop(ctx context.Context) error {
	if err := p.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
	}
	if err := p.Kill(); err != nil {
		return err
	}
	return fmt.Errorf("%s did not stop in time and was killed", p.name)
}

// Log is what the process wrote so far to stdout and stderr; of a very long output, the end.
func (p *Process) Log() string { return p.out.String() }

// WaitLog waits until the process has written text. It fails when the process ends without.
func (p *Process) WaitLog(ctx context.Context, text string) error {
	err := p.out.wait(ctx, text, p.done)
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: waiting for %q: %w", p.name, text, p.explain(err))
}

// explain adds how the process ended, if it did, and its last words.
func (p *Process) explain(err error) error {
	select {
	case <-p.done:
		if p.err != nil && !errors.Is(err, p.err) {
			err = fmt.Errorf("%w (%w)", err, p.err)
		}
	default:
	}
	if last := lastLines(p.Log(), 10); last != "" {
		return fmt.Errorf("%w; its last lines:\n%s", err, last)
	}
	return err
}
