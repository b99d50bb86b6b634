// Package e2e tells stories with real processes: a Temporal server, PostgreSQL, workers and the command line, really
// started and really killed. TabNews is played by the emulator. Each story reads like what a person would do and see.
package e2e
