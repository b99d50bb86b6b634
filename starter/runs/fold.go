package runs

import (
	"slices"
	"strings"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	failurepb "go.temporal.io/api/failure/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/converter"

	"postonce/activities/api"
	"postonce/publication"
)

// fold goes through a history and keeps what each answer adds. What cannot be decoded adds nothing: a later version of
// postonce may have written it.
type fold struct {
	run     Run
	ordered map[int64]order // activities by the event that scheduled them
}

// order is an activity that was scheduled.
type order struct {
	name  string
	input *commonpb.Payloads
}

func newFold(op publication.OperationID, runID string) *fold {
	return &fold{run: Run{Operation: op, RunID: runID, Open: true, Status: "running"}, ordered: map[int64]order{}}
}

func decode(payloads *commonpb.Payloads, into any) bool {
	return len(payloads.GetPayloads()) > 0 && converter.GetDefaultDataConverter().FromPayloads(payloads, into) == nil
}

// add takes the next event.
func (f *fold) add(e *historypb.HistoryEvent) {
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
		f.started(e.GetWorkflowExecutionStartedEventAttributes())
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
		a := e.GetActivityTaskScheduledEventAttributes()
		f.scheduled(e.GetEventId(), order{a.GetActivityType().GetName(), a.GetInput()})
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
		a := e.GetActivityTaskCompletedEventAttributes()
		f.completed(f.ordered[a.GetScheduledEventId()], a.GetResult())
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT:
		a := e.GetActivityTaskTimedOutEventAttributes()
		f.failed(f.ordered[a.GetScheduledEventId()], a.GetFailure())
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_FAILED:
		a := e.GetActivityTaskFailedEventAttributes()
		f.failed(f.ordered[a.GetScheduledEventId()], a.GetFailure())
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED:
		f.result(e.GetWorkflowExecutionCompletedEventAttributes().GetResult())
		f.end(e)
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED:
		info := e.GetWorkflowExecutionFailedEventAttributes().GetFailure().GetApplicationFailureInfo()
		if info.GetType() == api.ErrorRejected {
			f.result(info.GetDetails())
		}
		f.end(e)
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW:
		f.end(e)
	}
}

func (f *fold) end(e *historypb.HistoryEvent) {
	word, _ := strings.CutPrefix(e.GetEventType().String(), "WorkflowExecution")
	f.run.Open, f.run.Status = false, strings.ToLower(word)
}

func (f *fold) started(a *historypb.WorkflowExecutionStartedEventAttributes) {
	if !decode(a.GetInput(), &f.run.Input) {
		return
	}
	in := f.run.Input
	f.run.Known, f.run.Memory = api.RecordInput{Payload: in.Payload, Base: in.Base, Snapshot: in.Snapshot()}, in.Memory()
	if in.LastState == publication.StateAccepted { // continued as new: the identity is in the run before, and this one proves none
		f.run.Known.Snapshot.State = publication.StateUnknown
	}
}

func (f *fold) scheduled(id int64, o order) {
	f.ordered[id] = o
	switch o.name {
	case api.Record: // the run's whole knowledge, at that moment
		var in api.RecordInput
		if decode(o.input, &in) {
			f.run.Known = in
		}
	case api.Send:
		var in api.SendInput
		if decode(o.input, &in) {
			f.run.ended(publication.Attempt{Number: in.Attempt, Outcome: publication.OutcomeSending, Digest: in.Digest, RunID: in.RunID})
		}
	}
}

// completed takes an activity's answer.
func (f *fold) completed(o order, result *commonpb.Payloads) {
	switch o.name {
	case api.OpenOperation:
		var out api.Opened
		if decode(result, &out) {
			f.run.Opened, f.run.Memory = true, out.Memory
			f.run.Known = api.RecordInput{Payload: out.Payload, Base: out.Base, Snapshot: out.Snapshot}
		}
	case api.Prepare:
		var out api.Prepared
		if decode(result, &out) {
			f.run.became(out.State)
		}
	case api.Send:
		f.sent(o, result)
	case api.Settle:
		var out api.Settled
		if decode(result, &out) && out.InFlight <= 0 {
			f.run.ended(out.Attempt)
			f.run.became(out.State)
		}
	case api.Decide:
		f.decided(o, result)
	case api.MarkMissed:
		var out api.Missed
		if decode(result, &out) {
			f.run.Known.Snapshot.Schedule = out.Schedule
		}
	case api.ReadBack:
		var out api.ReadBackOutput
		if decode(result, &out) {
			f.run.Known.Snapshot.Verification = out.Verification
		}
	case api.Record:
		f.run.Opened = true
		f.run.Known.Snapshot.LocalRecord = publication.LocalRecorded
	}
}

func (f *fold) sent(o order, result *commonpb.Payloads) {
	var in api.SendInput
	var out api.SendOutput
	if !decode(o.input, &in) || !decode(result, &out) {
		return
	}
	switch {
	case out.Existing != nil: // another send has the number; the ledger is asked next
	case out.NotBefore > 0, out.Refusal != "":
		f.run.dropAttempt(in.Attempt)
		f.run.became(publication.StatePlanned)
	default:
		f.run.ended(out.Attempt)
	}
}

// decided takes a decision that the ledger answered. The identity that a person adopts is in the request alone.
func (f *fold) decided(o order, result *commonpb.Payloads) {
	var in api.DecideInput
	var out api.Decided
	if !decode(o.input, &in) || !decode(result, &out) {
		return
	}
	f.run.putDecision(out.Decision)
	if !out.Taken {
		return
	}
	switch out.Kind {
	case publication.DecisionReschedule:
		f.run.Known.Snapshot.Schedule = out.Schedule
	case publication.DecisionNotCreated:
		f.run.Known.Snapshot.Schedule = nil // the person who decides it means now
	}
	if i := f.attemptOf(out.Attempt); i >= 0 {
		a := f.run.Known.Snapshot.Attempts[i]
		switch {
		case out.Kind == publication.DecisionAdopt && in.Identity != nil:
			a.Outcome, a.Identity = publication.OutcomeAccepted, in.Identity
			f.run.ended(a)
		case out.Kind == publication.DecisionNotCreated:
			a.Outcome = publication.OutcomeNotCreated
			f.run.ended(a)
		}
	}
	f.run.became(out.State)
}

func (f *fold) attemptOf(number int) int {
	return slices.IndexFunc(f.run.Known.Snapshot.Attempts, func(a publication.Attempt) bool { return a.Number == number })
}

// failed takes the identity that a send's heartbeat left before the send itself was lost.
func (f *fold) failed(o order, failure *failurepb.Failure) {
	var in api.SendInput
	if o.name != api.Send || !decode(o.input, &in) {
		return
	}
	for ; failure != nil; failure = failure.GetCause() {
		if f.beaten(in.Attempt, failure.GetTimeoutFailureInfo().GetLastHeartbeatDetails()) {
			return
		}
	}
}

// beaten takes a heartbeat's identity.
func (f *fold) beaten(attempt int, details *commonpb.Payloads) bool {
	var identity publication.Identity
	if !decode(details, &identity) || identity.ID == "" {
		return false
	}
	a := publication.Attempt{Number: attempt}
	if i := f.attemptOf(attempt); i >= 0 {
		a = f.run.Known.Snapshot.Attempts[i]
	}
	a.Outcome, a.Identity = publication.OutcomeAccepted, &identity
	f.run.ended(a)
	return true
}

// result takes what the run itself said at its end.
func (f *fold) result(details *commonpb.Payloads) {
	var s publication.Snapshot
	if decode(details, &s) && s.Operation == f.run.Operation {
		f.run.Known.Snapshot = s
	}
}
