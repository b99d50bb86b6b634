package activities

import (
	"context"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
)

// TabNews is what the activities need of the TabNews API.
type TabNews interface {
	CheckSession(ctx context.Context) (tabnews.User, error)
	Create(ctx context.Context, p publication.Payload, sendBy time.Time) tabnews.Verdict
	Update(ctx context.Context, u tabnews.Update, sendBy time.Time) tabnews.Verdict
	Content(ctx context.Context, ref publication.Reference) (tabnews.Content, error)
	UserContents(ctx context.Context, username string, page, perPage int) ([]tabnews.Content, error)
	ProbeSlug(ctx context.Context, slug string, sendBy time.Time) tabnews.SlugProbe
}

// Ledger is what the activities need of the record in PostgreSQL.
type Ledger interface {
	OpenOperation(ctx context.Context, req ledger.OpenRequest) (ledger.Record, error)
	MarkMissed(ctx context.Context, op publication.OperationID, s publication.Schedule) (ledger.Record, error)
	RefuseBeforeSend(ctx context.Context, op publication.OperationID, runID string, found publication.Candidate, note string) (ledger.Record, error)
	Claim(ctx context.Context, req ledger.ClaimRequest) (ledger.ClaimResult, error)
	Finish(ctx context.Context, req ledger.FinishRequest) error
	Find(ctx context.Context, account, slug string) ([]ledger.Record, error)
	Memory(ctx context.Context) (string, error)
	Load(ctx context.Context, op publication.OperationID) (ledger.Record, error)
	Settle(ctx context.Context, req ledger.SettleRequest) (ledger.SettleResult, error)
	SaveInvestigation(ctx context.Context, op publication.OperationID, attempt int, found publication.Investigation) error
	Decide(ctx context.Context, op publication.OperationID, d publication.Decision, identity *publication.Identity, v publication.Verification) (publication.Decision, error)
	Record(ctx context.Context, req ledger.RecordRequest) error
	AffectedByIncident(ctx context.Context, op publication.OperationID, attempt int) ([]ledger.Affected, error)
	MarkHidden(ctx context.Context, op, by publication.OperationID) error
}

// Activities serve one account through one lane.
type Activities struct {
	TabNews TabNews
	Ledger  Ledger
	Account string
	Lane    string      // a configured name of the egress IP
	Pace    ledger.Pace // what the lane keeps (POSTONCE_LANE_INTERVAL, _WINDOW, _LIMIT, POSTONCE_QUIET_TIME)
	// Pause is how long an incident pauses the lane (POSTONCE_LANE_PAUSE).
	Pause time.Duration
	// Reach is how long after its claim a send may still create content: its deadline and the quiet time.
	Reach time.Duration
	// ResendUnsent lets an attempt of which provably no byte was written be planned again without a person.
	ResendUnsent bool
	Drift        Drift
	Log          *slog.Logger
}

// Registry is the part of a Temporal worker that activities are registered with.
type Registry interface {
	RegisterActivityWithOptions(a any, options activity.RegisterOptions)
}

// Register registers every activity under its name in api.
func (a *Activities) Register(r Registry) {
	for name, f := range map[string]any{
		api.OpenOperation: a.OpenOperation,
		api.MarkMissed:    a.MarkMissed,
		api.Prepare:       a.Prepare,
		api.Send:          a.Send,
		api.Settle:        a.Settle,
		api.Probe:         a.Probe,
		api.Investigate:   a.Investigate,
		api.ReadReference: a.ReadReference,
		api.ReadBack:      a.ReadBack,
		api.Decide:        a.Decide,
		api.Record:        a.Record,
		api.FindHidden:    a.FindHidden,
		api.Look:          a.Look,
	} {
		r.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: name})
	}
}
