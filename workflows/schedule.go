package workflows

import (
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// errWithdrawn ends a run whose operation a person withdrew.
var errWithdrawn = errors.New("the operation was withdrawn")

// errorNotInTime is the type of an error that ends the checks before a send whose time passed, or was moved, meanwhile.
const errorNotInTime = "NotInTime"

// inTime reports whether an attempt may begin now. Too early, it waits on a durable timer; too late, it asks a person.
// False without an error: look at the state again.
func (p *publish) inTime(ctx workflow.Context) (bool, error) {
	if err := p.takePlan(ctx); err != nil {
		return false, err
	}
	s, now := p.snap.Schedule, workflow.Now(ctx)
	switch {
	case s == nil:
		return true, nil
	case s.Overdue(now):
		return false, p.missed(ctx)
	case now.Before(s.SendAt):
		err := p.wait(ctx, "its time, "+s.String(), s.SendAt.Sub(now))
		p.snap.WaitingFor = ""
		if err == nil {
			err = p.mayContinue(ctx)
		}
		return false, err
	}
	return true, nil
}

// stillInTime is for who waits for something else: the time may pass, or be moved, meanwhile.
func (p *publish) stillInTime(ctx workflow.Context) error {
	s, now := p.snap.Schedule, workflow.Now(ctx)
	if s != nil && (s.Overdue(now) || now.Before(s.SendAt)) {
		return temporal.NewNonRetryableApplicationError("its time passed or was moved", errorNotInTime, nil)
	}
	return nil
}

// missed notes that the time passed, and then waits for a person to say what that means.
func (p *publish) missed(ctx workflow.Context) error {
	if !p.snap.Schedule.Missed {
		return p.markMissed(ctx)
	}
	d, err := p.awaitDecision(ctx)
	switch {
	case err != nil || d == nil:
		return err
	case plans(d.Kind):
		return p.takePlan(ctx)
	}
	return p.answer(ctx, *d, "")
}

// markMissed writes it to the ledger first: where that knows of another time, or another state, its record counts.
func (p *publish) markMissed(ctx workflow.Context) error {
	in := api.MarkMissedInput{Operation: p.in.Operation, Schedule: *p.snap.Schedule}
	var out api.Missed
	err := p.untilDone(ctx, "the ledger, to note that its time passed", func(ctx workflow.Context) error {
		ctx = workflow.WithActivityOptions(ctx, p.settings.repeatable("note that its time passed"))
		return workflow.ExecuteActivity(ctx, api.MarkMissed, in).Get(ctx, &out)
	})
	switch {
	case is(err, api.ErrorForgotten):
		return p.untilDone(ctx, "the ledger, to rebuild the record", p.record)
	case err != nil:
		return err
	case out.Schedule != nil && !out.Schedule.Missed && publication.SameTime(out.Schedule, &in.Schedule):
		return p.open(ctx)
	}
	p.snap.Schedule = out.Schedule
	p.show(ctx)
	return nil
}

// awaitPerson waits for a decision. Where a time is set that nobody approved yet, it waits until that is missed.
func (p *publish) awaitPerson(ctx workflow.Context, decided func() bool) error {
	s := p.snap.Schedule
	if p.snap.State != publication.StateProposed || s == nil || s.Missed {
		return workflow.Await(ctx, decided)
	}
	_, err := workflow.AwaitWithTimeout(ctx, s.LastMoment().Sub(workflow.Now(ctx))+time.Second, decided)
	return err
}

// plans reports whether a decision is about what was not sent yet, at whatever step before the send that is.
func plans(k publication.DecisionKind) bool {
	return k == publication.DecisionReschedule || k == publication.DecisionCancel
}

// takePlan takes the reschedule or cancel that is pending, if one is. errWithdrawn: the run ends.
func (p *publish) takePlan(ctx workflow.Context) error {
	if p.inbox.pending == nil || !plans(p.inbox.pending.Kind) || p.planning {
		return nil
	}
	p.planning = true
	defer func() { p.planning = false }()
	d := *p.inbox.pending
	if refusal := judge(p.snap, d); refusal != "" {
		return p.answer(ctx, d, refusal)
	}
	// A cancellation waits for the ledger's answer: a write under way must not come after what the cancellation writes.
	detached, _ := workflow.NewDisconnectedContext(ctx)
	stored, err := p.decide(detached, api.DecideInput{Operation: p.in.Operation, Decision: d})
	if err != nil || !stored.Taken {
		return err
	}
	if d.Kind == publication.DecisionCancel {
		p.become(publication.StateProposed)
		return errWithdrawn
	}
	p.snap.Schedule = d.Schedule
	p.show(ctx)
	// Who said something else meanwhile is heard before an attempt may begin.
	if err := workflow.Await(ctx, func() bool { return len(p.inbox.raw) == 0 || p.inbox.pending != nil }); err != nil {
		return err
	}
	p.planning = false
	return p.takePlan(ctx)
}

// readTime completes a reschedule with the moment that it names. The time zone database differs between machines, so
// what it says is recorded once.
func (p *publish) readTime(ctx workflow.Context, raw []byte, d *publication.Decision) error {
	var in RescheduleInput
	if err := strictJSON(raw, &in); err != nil || in.At == now {
		return err
	}
	var read struct {
		Schedule publication.Schedule `json:"schedule"`
		Problem  string               `json:"problem,omitempty"`
	}
	err := workflow.SideEffect(ctx, func(workflow.Context) any {
		s, err := publication.ParseSchedule(in.At, in.Zone)
		read.Schedule, read.Problem = s, ""
		if err != nil {
			read.Problem = err.Error()
		}
		return read
	}).Get(&read)
	switch {
	case err != nil:
		return err
	case read.Problem != "":
		return errors.New(read.Problem)
	case !read.Schedule.SendAt.After(d.At):
		return fmt.Errorf("at: %s is in the past; name a later time, or \"now\"", read.Schedule)
	}
	d.Schedule = &read.Schedule
	d.Schedule.Late = publication.Lateness(publication.DefaultLate)
	if before := p.snap.Schedule; before != nil {
		d.Schedule.Late = before.Late
	}
	return nil
}

// now is the time of a reschedule that takes the time away.
const now = "now"
