package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"postonce/publication"
	"postonce/workflows"
)

// timeFlags are the choices of when something is sent.
type timeFlags struct{ at, tz string }

func (f *timeFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.at, "at", "", "send it at this `TIME`, 2026-12-24T09:00 with --tz, or with its offset 2026-12-24T09:00-03:00")
	set.StringVar(&f.tz, "tz", "", "the `ZONE` of --at, a name such as America/Sao_Paulo")
}

// schedule reads the time, which must lie ahead.
func (f *timeFlags) schedule() (publication.Schedule, error) {
	s, err := publication.ParseSchedule(f.at, f.tz)
	switch {
	case err != nil:
		return s, badInput(fmt.Errorf("--at, --tz: %w", err))
	case !s.SendAt.After(time.Now()):
		return s, usage(fmt.Sprintf("--at: %s is in the past", s), "name a later time")
	}
	return s, nil
}

// scheduleFlags are the choices of the commands that may send later than now.
type scheduleFlags struct {
	timeFlags
	late    time.Duration
	changed func(string) bool
}

func (f *scheduleFlags) registerSchedule(set *pflag.FlagSet) {
	f.register(set)
	set.DurationVar(&f.late, "late", publication.DefaultLate, "how much later than --at it may still be sent by itself; after that a person is asked")
	f.changed = set.Changed
}

// wanted is the schedule that the flags order, or nil.
func (f *scheduleFlags) wanted() (*publication.Schedule, error) {
	switch {
	case f.at == "" && (f.tz != "" || f.changed("late")):
		return nil, usage("--tz, --late: belong to --at", "say when with --at 2026-12-24T09:00, or leave them out")
	case f.at == "":
		return nil, nil
	case f.late < time.Second:
		return nil, usage(fmt.Sprintf("--late: %s is too short for a send to begin in", f.late), "write at least a second, such as 15m")
	}
	s, err := f.schedule()
	s.Late = publication.Lateness(f.late)
	return &s, err
}

// heldTime is the time that an operation would be sent at: the one that is ordered, else the one that the ledger keeps
// of a start before. A change of it is told.
func (a *app) heldTime(ctx context.Context, op publication.OperationID, ordered *publication.Schedule) *publication.Schedule {
	s, err := a.recorded(ctx, op)
	if err != nil || s.Schedule == nil || s.State != publication.StateProposed && s.State != publication.StatePlanned {
		return ordered
	}
	switch {
	case ordered == nil:
		a.say("%s keeps its time: %s; ordered on its own with --at it gets another", op, s.Schedule)
		return s.Schedule
	case !publication.SameTime(ordered, s.Schedule):
		a.say("%s was to be sent at %s; this start makes it %s", op, s.Schedule, ordered)
	}
	return ordered
}

// otherTime tells that an operation which is there already keeps its own time.
func (a *app) otherTime(first publication.Snapshot, in workflows.PublishInput) {
	if in.Schedule == nil || publication.SameTime(first.Schedule, in.Schedule) {
		return
	}
	when := "has no time"
	if first.Schedule != nil {
		when = "has the time " + first.Schedule.String()
	}
	way := "nothing of it waits to be sent"
	if unsent(first) {
		way = fmt.Sprintf("`starter reschedule %s --at %s` gives it this one", first.Operation, in.Schedule.SendAt.Format(time.RFC3339))
	}
	a.say("%s %s, not %s; %s", first.Operation, when, in.Schedule, way)
}

// unsent reports whether nothing of an operation was sent, and it may be.
func unsent(s publication.Snapshot) bool {
	return s.State == publication.StateProposed || s.State == publication.StatePlanned
}

// awaitsTime reports whether an approved operation waits for a time that lies ahead.
func awaitsTime(s publication.Snapshot) bool {
	return s.State == publication.StatePlanned && s.Schedule != nil && s.WaitingFor != "" && s.Schedule.SendAt.After(time.Now())
}

// sayTime tells when what is to be approved would be sent, as it is by now: it may have been moved since it was started.
func (a *app) sayTime(s publication.Snapshot) {
	switch {
	case s.Missed():
		a.say("its time, %s, has passed: an approval alone sends nothing", s.Schedule)
	case s.Schedule != nil:
		a.say("to be sent at %s", s.Schedule)
	}
}
