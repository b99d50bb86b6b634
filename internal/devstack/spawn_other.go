//go:build !linux

package devstack

import "syscall"

// childAttributes puts a child into a process group of its own, so that Ctrl-C in the terminal reaches only us and the
// parts are stopped in order. Only Linux can also end it when this program is killed.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// foregroundAttributes is for the person's own command: it stays in the terminal's foreground group, or it could not
// read from it.
func foregroundAttributes() *syscall.SysProcAttr { return nil }
