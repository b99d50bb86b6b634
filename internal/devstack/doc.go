// Package devstack starts the whole set on one machine, and stops it again: a Temporal server with its Web UI, a
// PostgreSQL cluster, the TabNews emulator, and workers, all on loopback.
//
// It is what `bin/devstack` runs, and what the end-to-end tests stand on: the parts are real processes, and a test may
// kill or stop each of them. Nothing outlives the process that started the set: Stop ends the parts in order, and on
// Linux the kernel ends them should that process be killed.
//
// It may import the domain, the emulator and internal/postgres; it knows workers and the command line only as programs.
package devstack
