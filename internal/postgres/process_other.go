//go:build !linux

package postgres

import "syscall"

// processAttributes: outside Linux nothing stops the server when this process is killed; a later Start in the same
// directory says so.
func processAttributes(a *account) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential(), Setpgid: true}
}
