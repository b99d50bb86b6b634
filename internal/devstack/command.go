package devstack

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// patience is how long a command may take to end once it was asked to.
const patience = 10 * time.Second

// Command is a program to run with the set.
type Command struct {
	Args           []string // the program first
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Interrupt says what to send the command when the context ends; nil: nothing, as it was told already.
	Interrupt func() os.Signal
}

// Run runs a command with the set's environment until it ends, and returns its exit code; 128 + n for signal n, as a
// shell does. When ctx ends the command is asked to end, and killed when it does not.
func (s *Stack) Run(ctx context.Context, c Command) (int, error) {
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Env = s.Environ()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	cmd.SysProcAttr = foregroundAttributes()
	cmd.WaitDelay = 2 * time.Second // what it left in the background must not keep us waiting
	if err := spawn(cmd); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return exitCode(err)
	case <-ctx.Done():
		return exitCode(interrupt(cmd, c.Interrupt(), ended))
	}
}

func interrupt(cmd *exec.Cmd, sig os.Signal, ended <-chan error) error {
	if sig != nil {
		_ = cmd.Process.Signal(sig) // fails only when it has just ended
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		return <-ended
	}
}

func exitCode(err error) (int, error) {
	exit := (*exec.ExitError)(nil)
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return 0, nil
	case !errors.As(err, &exit):
		return 0, err
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}
