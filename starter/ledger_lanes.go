package main

import (
	"context"
	"time"

	"postonce/ledger"
)

// laneRecords is what the lane commands need of the ledger. A lane is changed by the command line itself, since no
// workflow owns it.
type laneRecords interface {
	Lanes(context.Context) ([]ledger.Lane, error)
	// PauseLane pauses for a while; 0: until somebody resumes it.
	PauseLane(ctx context.Context, lane string, length time.Duration, by, reason string) error
	// ResumeLane gives false when the lane was not paused.
	ResumeLane(ctx context.Context, lane string) (bool, error)
}

func (l *ledgerRecords) Lanes(ctx context.Context) ([]ledger.Lane, error) {
	lanes, err := l.ledger.Lanes(ctx)
	switch {
	case noTables(err):
		return nil, nil
	case err != nil:
		return nil, ledgerError(err)
	}
	return lanes, nil
}

func (l *ledgerRecords) PauseLane(ctx context.Context, lane string, length time.Duration, by, reason string) error {
	if err := l.ledger.PauseLane(ctx, lane, length, by, reason); err != nil {
		return ledgerError(err)
	}
	return nil
}

func (l *ledgerRecords) ResumeLane(ctx context.Context, lane string) (bool, error) {
	paused, err := l.ledger.ResumeLane(ctx, lane)
	if err != nil {
		return false, ledgerError(err)
	}
	return paused, nil
}
