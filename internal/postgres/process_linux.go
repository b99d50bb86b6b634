package postgres

import "syscall"

// processAttributes ties the server's life to ours: when this process dies, however, the kernel asks the postmaster
// for a fast shutdown (prctl(2), PR_SET_PDEATHSIG). A process group of its own keeps a Ctrl-C at the terminal from
// stopping it before we do.
func processAttributes(a *account) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential(), Setpgid: true, Pdeathsig: syscall.SIGINT}
}
