package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
)

// sendOptions make the engine start a send at most once: one attempt, every failure final. MaximumAttempts alone does
// not achieve that (an operator can pause, reset and update an activity's options), so PostgreSQL's fence stands
// behind it. There is no HeartbeatTimeout, since a late heartbeat would only turn an answer into a doubt.
func (s Settings) sendOptions(summary string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		ScheduleToStartTimeout: s.ScheduleToStart,
		StartToCloseTimeout:    s.StartToClose,
		DisableEagerExecution:  true,
		WaitForCancellation:    true,
		Summary:                summary,
		RetryPolicy: &temporal.RetryPolicy{
			MaximumAttempts:        1,
			NonRetryableErrorTypes: []string{"TemporalTimeout:StartToClose", "TemporalTimeout:Heartbeat", "PanicError"},
		},
	}
}

// repeatable options are for reads and idempotent local writes: a few quick tries, after which the workflow says what
// it waits for and tries again on its own timer.
func (s Settings) repeatable(summary string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		StartToCloseTimeout: s.ActivityTimeout,
		Summary:             summary,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    200 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    2 * time.Second,
			MaximumAttempts:    4,
		},
	}
}

// readBackOptions poll with backoff for the read-back window. ScheduleToClose bounds the polling, not one read.
func (s Settings) readBackOptions(summary string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		StartToCloseTimeout:    s.ActivityTimeout,
		ScheduleToCloseTimeout: s.ReadBackWindow,
		Summary:                summary,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    500 * time.Millisecond,
			BackoffCoefficient: 1.7,
			MaximumInterval:    10 * time.Second,
		},
	}
}

// repairOptions go on for as long as it takes.
func (s Settings) repairOptions() workflow.ActivityOptions {
	return workflow.ActivityOptions{
		StartToCloseTimeout: s.ActivityTimeout,
		Summary:             "write the record to the ledger",
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 1.5,
			MaximumInterval:    5 * time.Second,
		},
	}
}

// lookOptions are for one round of the drift watch. It is given as long as a send, which a stopping worker waits for too;
// what one try has seen is in the ledger when the next one begins.
func (s Settings) lookOptions(summary string) workflow.ActivityOptions {
	options := s.repeatable(summary)
	options.StartToCloseTimeout = s.StartToClose
	options.HeartbeatTimeout = 4 * api.LookHeartbeat // unlike a send's: a lost round is read again, and nothing is in doubt
	return options
}
