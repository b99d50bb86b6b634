package workflows

import (
	"time"

	"postonce/activities/api"
)

// margin is what scheduling and clocks may add.
const margin = 2 * time.Second

// Settings are the times that a worker's configuration decides. A run records them at its start, so that a worker
// with other settings replays it the same way.
type Settings struct {
	SendTimeout     time.Duration `json:"send_timeout"`      // POSTONCE_SEND_TIMEOUT: claim to last byte of the answer
	RPCTimeout      time.Duration `json:"rpc_timeout"`       // POSTONCE_RPC_TIMEOUT: how long a result is offered to Temporal
	QuietTime       time.Duration `json:"quiet_time"`        // POSTONCE_QUIET_TIME: how long TabNews may work on after a send ended
	ReadBackWindow  time.Duration `json:"read_back_window"`  // POSTONCE_READ_BACK_WINDOW: how long reading back is tried
	ActivityTimeout time.Duration `json:"activity_timeout"`  // POSTONCE_ACTIVITY_TIMEOUT: one read or local write
	ScheduleToStart time.Duration `json:"schedule_to_start"` // POSTONCE_SCHEDULE_TO_START: how long a send may wait for a worker
	StartToClose    time.Duration `json:"start_to_close"`    // POSTONCE_SEND_START_TO_CLOSE: at least NeededStartToClose
}

// DefaultSettings are safe for the public TabNews.
func DefaultSettings() Settings {
	s := Settings{
		SendTimeout: 30 * time.Second,
		RPCTimeout:  60 * time.Second,
		// A request that TabNews has read may wait twice 10 s for a database connection (TabNews API, section 6).
		QuietTime:       20 * time.Second,
		ReadBackWindow:  60 * time.Second,
		ActivityTimeout: 20 * time.Second,
		ScheduleToStart: 10 * time.Minute,
	}
	s.StartToClose = s.NeededStartToClose()
	return s
}

// SendDuration is the longest that Send takes by itself, without delivering its result.
func (s Settings) SendDuration() time.Duration {
	return api.LanePatience + api.ClaimTimeout + s.SendTimeout + api.FinishTimeout + margin
}

// NeededStartToClose is longer than a send and the delivery of its result, so that an answer is not lost while Temporal
// is away for less than RPCTimeout.
func (s Settings) NeededStartToClose() time.Duration { return s.SendDuration() + s.RPCTimeout + margin }

// NeededStopTimeout is how long a stopping worker must let its activities end: longer than any of them.
func (s Settings) NeededStopTimeout() time.Duration {
	return max(s.NeededStartToClose(), s.ActivityTimeout) + margin
}
