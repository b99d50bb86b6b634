package workflows

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// pond is one watched content with its steps: a small ledger and a TabNews in which a test changes what is seen.
type pond struct {
	t     *testing.T
	env   *testsuite.TestWorkflowEnvironment
	steps []time.Duration
	began time.Time
	since time.Time
	sees  publication.Seen // what a look shows
	seen  publication.Seen // what was told last
	away  int              // so many looks fail
	empty bool             // nothing was accepted yet
	most  int              // so many asks have time in a round; 0: all

	looks []time.Duration // after the start
	told  []api.Change
	asked []api.LookAsk
}

func newPond(t *testing.T) *pond {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	p := &pond{t: t, env: suite.NewTestWorkflowEnvironment(), sees: publication.SeenUnchanged, seen: publication.SeenUnchanged,
		steps: []time.Duration{time.Minute, 10 * time.Minute, time.Hour, 24 * time.Hour}}
	p.since = p.env.Now()
	flows := &Workflows{Settings: DefaultSettings()}
	p.env.RegisterWorkflowWithOptions(flows.Watch, workflow.RegisterOptions{Name: WatchWorkflow})
	p.env.RegisterActivityWithOptions(p.look, activity.RegisterOptions{Name: api.Look})
	return p
}

// look reads the content where it is due or asked for, and gives the time to the next step.
func (p *pond) look(_ context.Context, in api.LookInput) (api.Looked, error) {
	now := p.env.Now()
	p.looks = append(p.looks, now.Sub(p.began).Round(time.Second))
	if p.away > 0 {
		p.away--
		return api.Looked{}, temporal.NewNonRetryableApplicationError("PostgreSQL is away", "test", nil)
	}
	out := api.Looked{}
	if p.most > 0 && len(in.Asks) > p.most {
		in.Asks, out.Unasked = in.Asks[:p.most], in.Asks[p.most:]
	}
	p.asked = append(p.asked, in.Asks...)
	if p.empty {
		return out, nil
	}
	if p.sees != p.seen {
		drift := publication.Drift{Seen: p.sees, At: now, Because: "scripted"}
		p.told = append(p.told, api.Change{Operation: "publish/autora/ola", Reference: "autora/ola", Before: p.seen, Drift: drift})
		p.seen, p.since = p.sees, now
	}
	out.Changes = p.told
	for _, ask := range in.Asks {
		out.Answers = append(out.Answers, api.LookAnswer{LookAsk: ask, Drift: publication.Drift{Seen: p.seen, At: now}})
	}
	for _, step := range p.steps {
		if left := p.since.Add(step).Sub(now); left > 0 {
			out.Wait = &left
			break
		}
	}
	return out, nil
}

func (p *pond) at(d time.Duration, do func()) { p.env.RegisterDelayedCallback(do, d) }

func (p *pond) signal(in any) { p.env.SignalWorkflow(SignalLook, in) }

// run lets the watch run for a time, and ends it.
func (p *pond) run(d time.Duration) {
	p.t.Helper()
	p.began = p.env.Now()
	p.since = p.began
	p.at(d, p.env.CancelWorkflow)
	p.env.ExecuteWorkflow(WatchWorkflow, WatchInput{Account: "autora"})
	var cancelled *temporal.CanceledError
	if err := p.env.GetWorkflowError(); !p.env.IsWorkflowCompleted() || !errors.As(err, &cancelled) {
		p.t.Fatalf("the watch ended by itself: %v", err)
	}
}

func (p *pond) status() WatchStatus {
	p.t.Helper()
	var s WatchStatus
	value, err := p.env.QueryWorkflow(QueryStatus)
	if err == nil {
		err = value.Get(&s)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

func (p *pond) wantLooks(want ...time.Duration) {
	p.t.Helper()
	if !slices.Equal(p.looks, want) {
		p.t.Errorf("looked after %v, want %v", p.looks, want)
	}
}

func (s WatchStatus) words() (words []publication.Seen) {
	for _, c := range s.Changes {
		words = append(words, c.Seen)
	}
	return words
}

func TestTheWatchSleepsFromStepToStep(t *testing.T) {
	p := newPond(t)
	p.run(72 * time.Hour)
	p.wantLooks(0, time.Minute, 10*time.Minute, time.Hour, 24*time.Hour)
	if s := p.status(); len(s.Changes) != 0 || s.NextLook != nil {
		t.Errorf("got %+v", s)
	}
}

func TestAfterAChangeTheWatchGoesOnByTheSameSteps(t *testing.T) {
	p := newPond(t)
	p.at(30*time.Minute, func() { p.sees = publication.SeenHidden })
	p.at(90*time.Minute, func() { p.sees = publication.SeenBack })
	p.run(72 * time.Hour)
	if got := p.status().words(); !slices.Equal(got, []publication.Seen{"hidden", "back"}) {
		t.Errorf("told %q", got)
	}
	p.wantLooks(0, time.Minute, 10*time.Minute, time.Hour, // hidden from here
		time.Hour+time.Minute, time.Hour+10*time.Minute, 2*time.Hour, // back from here
		2*time.Hour+time.Minute, 2*time.Hour+10*time.Minute, 3*time.Hour, 26*time.Hour)
}

func TestASignalWakesTheWatchForANewAcceptance(t *testing.T) {
	p := newPond(t)
	p.empty = true
	p.at(5*time.Hour, func() { p.empty, p.since = false, p.env.Now(); p.signal(LookRequest{}) })
	p.run(6*time.Hour + 30*time.Minute)
	p.wantLooks(0, 5*time.Hour, 5*time.Hour+time.Minute, 5*time.Hour+10*time.Minute, 6*time.Hour)
}

func TestAPersonsAskIsAnsweredAtOnce(t *testing.T) {
	p := newPond(t)
	p.at(2*time.Hour, func() { p.sees = publication.SeenEdited })
	p.at(3*time.Hour, func() { p.signal(LookRequest{By: "ana", Operation: "publish/autora/ola", ID: "i1"}) })
	p.at(3*time.Hour+time.Second, func() {
		s := p.status()
		if len(s.Answers) != 1 || s.Answers[0].ID != "i1" || s.Answers[0].Seen != publication.SeenEdited {
			t.Errorf("answers %+v", s.Answers)
		}
	})
	p.run(4 * time.Hour)
	if len(p.asked) != 1 || p.asked[0].By != "ana" {
		t.Errorf("asked %+v", p.asked)
	}
}

// askAll asks as often as may wait at once.
func (p *pond) askAll() {
	for i := range maxAsks {
		p.signal(LookRequest{Operation: "publish/autora/ola", ID: fmt.Sprintf("i%d", i)})
	}
}

func TestEveryAnswerOfARoundIsKept(t *testing.T) {
	p := newPond(t)
	p.at(3*time.Hour, p.askAll)
	p.at(3*time.Hour+time.Minute, func() {
		if got := len(p.status().Answers); got != maxAsks {
			t.Errorf("%d answers, want %d", got, maxAsks)
		}
	})
	p.run(4 * time.Hour)
}

func TestWhatARoundHadNoTimeForIsAskedInTheNext(t *testing.T) {
	p := newPond(t)
	p.most = 7
	p.at(3*time.Hour, p.askAll)
	p.at(3*time.Hour+time.Minute, func() {
		if got := len(p.status().Answers); got != maxAsks || len(p.asked) != maxAsks {
			t.Errorf("%d answers of %d asks, want %d", got, len(p.asked), maxAsks)
		}
	})
	p.run(4 * time.Hour)
}

func TestAnUnreadableSignalIsNamedAndHarmsNothing(t *testing.T) {
	p := newPond(t)
	p.at(2*time.Hour, func() { p.signal("what?") })
	p.at(3*time.Hour, func() {
		if s := p.status(); len(s.Answers) != 1 || !strings.Contains(s.Answers[0].Problem, "could not be read") {
			t.Errorf("answers %+v", s.Answers)
		}
	})
	p.run(30 * time.Hour)
	p.wantLooks(0, time.Minute, 10*time.Minute, time.Hour, 2*time.Hour, 24*time.Hour)
}

func TestErrorsAreWaitedOutAndShown(t *testing.T) {
	p := newPond(t)
	p.away = 500
	p.at(5*time.Hour, func() {
		if s := p.status(); !strings.Contains(s.WaitingFor, "PostgreSQL is away") || !strings.Contains(watchDetails(s), "PostgreSQL is away") {
			t.Errorf("shown: %+v", s)
		}
		p.signal(LookRequest{By: "ana", Operation: "publish/autora/ola", ID: "i1"})
	})
	p.at(10*time.Hour, func() { p.sees = publication.SeenDeleted })
	p.run(72 * time.Hour)
	s := p.status()
	if s.WaitingFor != "" || !slices.Equal(s.words(), []publication.Seen{"deleted"}) {
		t.Errorf("got %+v", s)
	}
	if len(s.Answers) != 1 { // asked while nothing could be read, and not lost
		t.Errorf("answers %+v", s.Answers)
	}
	for i := range len(p.looks) - 1 {
		if i > 10 && i < 500 && p.looks[i+1]-p.looks[i] > 2*time.Minute+time.Second {
			t.Fatalf("look %d came %s after the one before", i, p.looks[i+1]-p.looks[i])
		}
	}
}

func TestALongHistoryIsContinuedAsNewWithWhatIsShown(t *testing.T) {
	p := newPond(t)
	p.began, p.since = p.env.Now(), p.env.Now()
	p.at(30*time.Minute, func() { p.sees = publication.SeenHidden })
	p.at(2*time.Hour, func() { p.env.SetContinueAsNewSuggested(true); p.signal(LookRequest{}) })
	p.env.ExecuteWorkflow(WatchWorkflow, WatchInput{Account: "autora"})
	var anew *workflow.ContinueAsNewError
	if !errors.As(p.env.GetWorkflowError(), &anew) || anew.WorkflowType.Name != WatchWorkflow {
		t.Fatalf("got %v", p.env.GetWorkflowError())
	}
	var in WatchInput
	if err := converter.GetDefaultDataConverter().FromPayloads(anew.Input, &in); err != nil {
		t.Fatal(err)
	}
	if in.Account != "autora" || len(in.Changes) != 1 || in.Changes[0].Seen != publication.SeenHidden {
		t.Errorf("got %+v", in)
	}
}

func TestTheNewestChangesComeFirst(t *testing.T) {
	var s WatchStatus
	for i := range 3 {
		s.Changes = append(s.Changes, api.Change{Reference: fmt.Sprintf("autora/c%d", i), Drift: publication.Drift{Seen: publication.SeenHidden, Because: "a|b"}})
	}
	text := watchDetails(s)
	if strings.Index(text, "autora/c2") > strings.Index(text, "autora/c0") || !strings.Contains(text, `a\|b`) {
		t.Errorf("details:\n%s", text)
	}
}
