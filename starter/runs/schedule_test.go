package runs

import (
	"testing"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"

	"postonce/activities/api"
	"postonce/publication"
	"postonce/workflows"

	historypb "go.temporal.io/api/history/v1"
)

func payloads(t *testing.T, value any) *commonpb.Payloads {
	t.Helper()
	p, err := converter.GetDefaultDataConverter().ToPayloads(value)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is recorded from a history decides when the next approval sends: the time is the newest that the ledger told.
func TestAHistoryTellsTheNewestTime(t *testing.T) {
	set := publication.Schedule{SendAt: time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC), SendZone: "UTC", Late: publication.Lateness(time.Hour)}
	moved, missed := set, set
	moved.SendAt = set.SendAt.Add(time.Hour)
	missed.Missed = true
	decided := func(d publication.Decision, state publication.State) func(*fold) {
		return func(f *fold) {
			f.completed(order{api.Decide, payloads(t, api.DecideInput{Decision: d})}, payloads(t, api.Decided{Decision: d, State: state}))
		}
	}
	for name, c := range map[string]struct {
		happens func(*fold)
		want    *publication.Schedule
	}{
		"nothing":           {func(*fold) {}, &set},
		"moved":             {decided(publication.Decision{ID: "a", Kind: publication.DecisionReschedule, Schedule: &moved, Taken: true}, publication.StatePlanned), &moved},
		"now":               {decided(publication.Decision{ID: "a", Kind: publication.DecisionReschedule, Taken: true}, publication.StatePlanned), nil},
		"a move refused":    {decided(publication.Decision{ID: "a", Kind: publication.DecisionReschedule, Schedule: &moved}, publication.StatePlanned), &set},
		"nothing created":   {decided(publication.Decision{ID: "a", Kind: publication.DecisionNotCreated, Attempt: 1, Taken: true}, publication.StatePlanned), nil},
		"withdrawn":         {decided(publication.Decision{ID: "a", Kind: publication.DecisionCancel, Taken: true}, publication.StateProposed), &set},
		"missed":            {func(f *fold) { f.completed(order{name: api.MarkMissed}, payloads(t, api.Missed{Schedule: &missed})) }, &missed},
		"missed, and moved": {func(f *fold) { f.completed(order{name: api.MarkMissed}, payloads(t, api.Missed{Schedule: &moved})) }, &moved},
	} {
		t.Run(name, func(t *testing.T) {
			in := workflows.PublishInput{Operation: "publish/autora/ola", ApprovedBy: "ana", Schedule: &set}
			f := newFold(in.Operation, "run")
			f.started(&historypb.WorkflowExecutionStartedEventAttributes{Input: payloads(t, in)})
			c.happens(f)
			got := f.run.Snapshot().Schedule
			if !publication.SameTime(got, c.want) || got != nil && got.Missed != c.want.Missed {
				t.Errorf("it is to be sent at %v, want %v", got, c.want)
			}
		})
	}
}

// A run that was continued as new shows what the one before knew, and proves nothing by it.
func TestARunThatWasContinuedProvesNoAcceptanceByItself(t *testing.T) {
	f := newFold("publish/autora/ola", "run")
	f.started(&historypb.WorkflowExecutionStartedEventAttributes{Input: payloads(t, workflows.PublishInput{LastState: publication.StateAccepted})})
	if s := f.run.Snapshot().State; s != publication.StateUnknown {
		t.Errorf("it is %s", s)
	}
}

func TestCandidatesStayWithTheirAttempt(t *testing.T) {
	f := newFold("publish/autora/ola", "run")
	f.run.ended(publication.Attempt{Number: 1, Outcome: publication.OutcomeUnknown, Candidates: []publication.Candidate{{}}})
	f.run.ended(publication.Attempt{Number: 1, Outcome: publication.OutcomeNotCreated})
	if a := f.run.Snapshot().Attempts; len(a) != 1 || len(a[0].Candidates) != 1 {
		t.Errorf("got %+v", a)
	}
}
