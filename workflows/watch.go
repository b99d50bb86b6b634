package workflows

import (
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// WatchID is the ID of the one workflow that watches what an account published.
func WatchID(account string) string { return "watch/" + account }

// WatchInput starts Watch. Changes and Answers are what an earlier run of the chain showed; Asks is what it left.
type WatchInput struct {
	Account string           `json:"account"`
	Asks    []api.LookAsk    `json:"asks,omitempty"`
	Changes []api.Change     `json:"changes,omitempty"`
	Answers []api.LookAnswer `json:"answers,omitempty"`
}

// LookRequest is the JSON of the signal look; all of it is optional. Without an operation, the watch reads what is due.
type LookRequest struct {
	By        string                  `json:"by,omitempty"`
	Operation publication.OperationID `json:"operation,omitempty"` // whose content is read now, due or not
	ID        string                  `json:"id,omitempty"`        // to find the answer again
}

// WatchStatus is what the query status of a watch answers.
type WatchStatus struct {
	Account    string           `json:"account"`
	NextLook   *time.Time       `json:"next_look,omitempty"` // nil: nothing is due, as far as is known now
	WaitingFor string           `json:"waiting_for,omitempty"`
	Changes    []api.Change     `json:"changes,omitempty"` // the newest ones, oldest first
	Answers    []api.LookAnswer `json:"answers,omitempty"`
	Problems   []string         `json:"problems,omitempty"` // of the last round
}

// Bounds of what waits to be asked, and of what was answered: all of a round can be found until the next one ends.
const (
	maxAsks    = 20
	maxAnswers = 2 * maxAsks
)

// minPause keeps two rounds apart, whatever is said to be due.
const minPause = time.Second

// watch is one run of Watch. Its memory is for people alone: what is watched, and what was told, is in the ledger.
type watch struct {
	settings Settings
	in       WatchInput
	status   WatchStatus
	asks     []api.LookAsk
	woken    bool
	channel  workflow.ReceiveChannel
	received int
}

// Watch reads again what an account published: it sleeps until the next content is due, or until the signal look, runs
// one round, and sleeps again. It never ends by itself and no error ends it. Lost, it is started anew and knows what it
// knew, since its memory is in the ledger.
func (w *Workflows) Watch(ctx workflow.Context, in WatchInput) error {
	r := &watch{in: in, asks: in.Asks, status: WatchStatus{Account: in.Account, Changes: in.Changes, Answers: in.Answers}}
	if err := workflow.SideEffect(ctx, func(workflow.Context) any { return w.Settings }).Get(&r.settings); err != nil {
		return err
	}
	r.listen(ctx)
	for failures := 0; ; {
		pause, err := r.look(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			least := backoff(failures)
			pause, failures = &least, failures+1
			r.status.WaitingFor = publication.Clip(reason(err), 500)
		} else {
			r.status.WaitingFor, failures = "", 0
		}
		if err := r.sleep(ctx, pause); err != nil {
			return err
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() && r.channel.Len() == 0 {
			next := WatchInput{Account: in.Account, Asks: r.asks, Changes: r.status.Changes, Answers: r.status.Answers}
			return workflow.NewContinueAsNewError(ctx, WatchWorkflow, next)
		}
	}
}

// listen takes signals as they come. One that cannot be read wakes the watch all the same, and is named.
func (r *watch) listen(ctx workflow.Context) {
	options := workflow.QueryHandlerOptions{Description: "When the account's publications are read again, and the newest changes"}
	if err := workflow.SetQueryHandlerWithOptions(ctx, QueryStatus, func() (WatchStatus, error) { return r.status, nil }, options); err != nil {
		panic(err) // a programming error: the handler's form is wrong
	}
	r.channel = workflow.GetSignalChannelWithOptions(ctx, SignalLook, workflow.SignalChannelOptions{Description: `JSON: {} or {"by":"NAME","operation":"publish/ACCOUNT/SLUG"}`})
	workflow.GoNamed(ctx, "receive "+SignalLook, func(ctx workflow.Context) {
		for {
			var raw converter.RawValue
			r.channel.Receive(ctx, &raw)
			r.received++
			r.woken = true
			r.ask(ctx, raw.Payload().GetData())
		}
	})
}

func (r *watch) ask(ctx workflow.Context, raw []byte) {
	var in LookRequest
	if err := strictJSON(raw, &in); err != nil {
		r.answered(api.LookAnswer{Problem: "a signal could not be read: input: " + err.Error()})
		return
	}
	if in.Operation == "" {
		return
	}
	ask := api.LookAsk{ID: publication.Clip(in.ID, 80), By: publication.Clip(in.By, 120), Operation: publication.OperationID(publication.Clip(string(in.Operation), 300))}
	if ask.ID == "" {
		ask.ID = fmt.Sprintf("%s-%d", workflow.GetInfo(ctx).WorkflowExecution.RunID, r.received)
	}
	if len(r.asks) == maxAsks {
		r.answered(api.LookAnswer{LookAsk: ask, Problem: "too many wait to be looked at; ask again later"})
		return
	}
	r.asks = append(r.asks, ask)
}

// look runs one round, and gives the pause until the next; nil: until it is woken. Asks that came with a round that
// failed are asked again.
func (r *watch) look(ctx workflow.Context) (*time.Duration, error) {
	r.woken = false
	in := api.LookInput{Asks: r.asks}
	summary := "read what is due"
	if len(in.Asks) > 0 {
		summary = "read " + string(in.Asks[0].Operation) + ", and what is due"
	}
	var out api.Looked
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, r.settings.lookOptions(summary)), api.Look, in).Get(ctx, &out)
	if err != nil {
		return nil, err
	}
	r.asks = append(out.Unasked, r.asks[len(in.Asks):]...)
	r.status.Changes = out.Changes
	r.status.Problems = out.Problems
	for _, a := range out.Answers {
		r.answered(a)
	}
	if out.Wait != nil {
		wait := max(*out.Wait, minPause)
		return &wait, nil
	}
	return nil, nil
}

func (r *watch) answered(a api.LookAnswer) {
	r.status.Answers = append(r.status.Answers, a)
	r.status.Answers = r.status.Answers[max(0, len(r.status.Answers)-maxAnswers):]
}

// sleep shows what is known and waits on a durable timer, which a signal ends early.
func (r *watch) sleep(ctx workflow.Context, pause *time.Duration) error {
	r.status.NextLook = nil
	if pause != nil {
		at := workflow.Now(ctx).Add(*pause)
		r.status.NextLook = &at
	}
	workflow.SetCurrentDetails(ctx, watchDetails(r.status))
	woken := func() bool { return r.woken || len(r.asks) > 0 && r.status.WaitingFor == "" }
	if pause == nil {
		return workflow.Await(ctx, woken)
	}
	_, err := workflow.AwaitWithOptions(ctx, workflow.AwaitOptions{Timeout: *pause, TimerOptions: workflow.TimerOptions{Summary: "until the next look"}}, woken)
	return err
}

// watchDetails is the Markdown of the Web UI's run page.
func watchDetails(s WatchStatus) string {
	var b strings.Builder
	if len(s.Changes) == 0 {
		b.WriteString("Nothing changed elsewhere that this watch has seen.\n")
	} else {
		b.WriteString("| seen | what | at | why this word |\n|---|---|---|---|\n")
	}
	for i := len(s.Changes) - 1; i >= 0; i-- {
		c := s.Changes[i]
		fmt.Fprintf(&b, "| **%s** | %s | %s | %s |\n", c.Seen, cell(c.Reference), publication.Moment(c.At), cell(c.Because))
	}
	if s.WaitingFor != "" {
		fmt.Fprintf(&b, "\n**Waiting for:** %s\n", cell(s.WaitingFor))
	}
	for _, p := range s.Problems {
		fmt.Fprintf(&b, "\n- not read: %s", cell(p))
	}
	for _, a := range s.Answers {
		if a.Problem != "" {
			fmt.Fprintf(&b, "\n- asked for %s: %s", cell(string(a.Operation)), cell(a.Problem))
		}
	}
	next := "when something is accepted, or on the signal `" + SignalLook + "`"
	if s.NextLook != nil {
		next = publication.Moment(*s.NextLook)
	}
	fmt.Fprintf(&b, "\n\nNext look: %s\n\nMore: `starter list --drift`, `starter status OP`\n", next)
	return b.String()
}

// WatchSummary is what the list shows of a watch.
func WatchSummary(account string) string { return "Watch what " + account + " published" }

// WatchAttributes lets the list find a watch by its account.
func WatchAttributes(account string) temporal.SearchAttributes {
	return temporal.NewSearchAttributes(accountKey.ValueSet(account))
}
