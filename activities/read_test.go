package activities

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
	"postonce/tabnews/tabnewstest"
)

// quietLedger takes what it is told.
type quietLedger struct {
	Ledger
	refused *publication.Candidate
	found   []publication.Candidate
	known   []ledger.Record // of the reference, the newest first
}

func (q *quietLedger) RefuseBeforeSend(_ context.Context, _ publication.OperationID, _ string, found publication.Candidate, _ string) (ledger.Record, error) {
	q.refused = &found
	return ledger.Record{State: publication.StateRejected}, nil
}

func (q *quietLedger) Find(context.Context, string, string) ([]ledger.Record, error) {
	return q.known, nil
}

func (q *quietLedger) Load(context.Context, publication.OperationID) (ledger.Record, error) {
	return ledger.Record{}, ledger.ErrNotFound
}

func (q *quietLedger) SaveInvestigation(_ context.Context, _ publication.OperationID, attempt int, found publication.Investigation) error {
	q.found = append(q.found, found.Candidates...)
	return errors.New("PostgreSQL is away")
}

// bench is activities with the real client on an emulator of their own.
type bench struct {
	*Activities
	tabnews *tabnewstest.Server
	ledger  *quietLedger
	client  *tabnews.Client
}

func newBench(t *testing.T, password string) *bench {
	t.Helper()
	server := tabnewstest.New()
	if err := server.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	client, err := tabnews.New(tabnews.Config{BaseURL: server.URL(), Account: "autora", Email: "autora@example.com", Password: password})
	if err != nil {
		t.Fatal(err)
	}
	q := &quietLedger{}
	return &bench{&Activities{TabNews: client, Ledger: q, Account: "autora", Log: slog.New(slog.DiscardHandler)}, server, q, client}
}

const rightPassword = "senha-autora-123"

// published puts content on the emulator.
func (b *bench) published(t *testing.T, p publication.Payload) publication.Identity {
	t.Helper()
	if _, err := b.client.CheckSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	v := b.client.Create(t.Context(), p, time.Now().Add(10*time.Second))
	if v.Identity == nil {
		t.Fatalf("%+v", v)
	}
	return *v.Identity
}

func prepareInput() api.PrepareInput {
	return api.PrepareInput{Operation: "publish/autora/ola", Payload: payload, RunID: "run"}
}

func TestPrepareFindsTheSlugFree(t *testing.T) {
	b := newBench(t, rightPassword)
	got, err := b.Prepare(t.Context(), prepareInput())
	if err != nil || got.Found != nil || b.ledger.refused != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestPrepareStopsAtATakenSlug(t *testing.T) {
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	got, err := b.Prepare(t.Context(), prepareInput())
	if err != nil || got.Found == nil || got.Found.ID != id.ID || !got.Found.Equal || got.State != publication.StateRejected {
		t.Errorf("got %+v, %v", got, err)
	}
}

// T16
func TestPrepareTellsALostSessionApart(t *testing.T) {
	b := newBench(t, "senha-errada-999")
	_, err := b.Prepare(t.Context(), prepareInput())
	var failure *temporal.ApplicationError
	if !errors.As(err, &failure) || failure.Type() != api.ErrorSession || strings.Contains(err.Error(), "senha-errada-999") {
		t.Errorf("got %v", err)
	}
	if n := len(b.tabnews.Contents()); n != 0 {
		t.Errorf("%d contents", n)
	}
}

// A read that fails is not absence.
func TestPrepareDoesNotTakeSilenceForAbsence(t *testing.T) {
	b := newBench(t, rightPassword)
	b.tabnews.Inject(tabnewstest.Fault{On: "read", Fault: "drop_before_store", Times: 1})
	if got, err := b.Prepare(t.Context(), prepareInput()); err == nil {
		t.Errorf("got %+v", got)
	}
}

func (b *bench) readBack(t *testing.T, in api.ReadBackInput) (api.ReadBackOutput, error) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivityWithOptions(b.ReadBack, activity.RegisterOptions{Name: api.ReadBack})
	value, err := env.ExecuteActivity(api.ReadBack, in)
	var out api.ReadBackOutput
	if err == nil {
		err = value.Get(&out)
	}
	return out, err
}

func TestReadBackMatchesExactly(t *testing.T) {
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	out, err := b.readBack(t, api.ReadBackInput{Payload: payload, Identity: id})
	if err != nil || out.Verification != publication.VerificationMatched {
		t.Errorf("got %+v, %v", out, err)
	}
	other := payload
	other.Title = "Outro"
	if out, err := b.readBack(t, api.ReadBackInput{Payload: other, Identity: id}); err == nil {
		t.Errorf("the first reading of something else was called %s", out.Verification)
	}
	b.tabnews.Inject(tabnewstest.Fault{On: "read", Fault: "stale_404", Times: 1})
	if _, err := b.readBack(t, api.ReadBackInput{Payload: payload, Identity: id}); err == nil {
		t.Error("a stale 404 was taken for an answer")
	}
}

func TestInvestigateShowsWhatIsThereAndAdoptsNothing(t *testing.T) {
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	twin := payload
	twin.Slug = "ola-de-novo"
	b.published(t, twin)
	now := time.Now()
	found, err := b.Investigate(t.Context(), api.InvestigateInput{Operation: "publish/autora/ola", Payload: payload, Attempt: publication.Attempt{Number: 1, ClaimedAt: &now}})
	if err != nil || found.Reading != publication.ReadingFound || len(found.Candidates) != 2 {
		t.Fatalf("got %+v, %v", found, err)
	}
	if c := found.Candidates[0]; c.ID != id.ID || !c.Equal || c.FoundBy != "reference" {
		t.Errorf("got %+v", c)
	}
	if c := found.Candidates[1]; c.Equal || c.FoundBy != "listing" || !strings.Contains(c.Diff, "ola-de-novo") {
		t.Errorf("got %+v", c)
	}
}

// What another publication of ours created is nobody's twin.
func TestInvestigateLeavesOutWhatAnotherOperationHolds(t *testing.T) {
	b := newBench(t, rightPassword)
	twin := payload
	twin.Slug = "ola-de-novo"
	id := b.published(t, twin)
	now := time.Now()
	in := api.InvestigateInput{Operation: "publish/autora/ola", Payload: payload, Attempt: publication.Attempt{Number: 1, ClaimedAt: &now}}
	held := ledger.Record{Operation: "publish/autora/ola-de-novo", State: publication.StateAccepted, Identity: &id}
	b.ledger.known = []ledger.Record{held}
	found, err := b.Investigate(t.Context(), in)
	if err != nil || len(found.Candidates) != 0 || !strings.Contains(strings.Join(found.Notes, "\n"), "is the content of publish/autora/ola-de-novo") {
		t.Errorf("got %+v, %v", found, err)
	}
	other := id
	other.ID = "another content"
	for name, r := range map[string]ledger.Record{
		"this operation": {Operation: in.Operation, State: publication.StateAccepted, Identity: &id},
		"another id":     {Operation: held.Operation, State: publication.StateAccepted, Identity: &other},
		"not accepted":   {Operation: held.Operation, State: publication.StateUnknown},
	} {
		b.ledger.known = []ledger.Record{r}
		if found, err := b.Investigate(t.Context(), in); err != nil || len(found.Candidates) != 1 {
			t.Errorf("%s: got %+v, %v", name, found, err)
		}
	}
}

func TestInvestigateSaysWhatReadingCannotShow(t *testing.T) {
	b := newBench(t, rightPassword)
	draft := payload
	draft.Status = publication.StatusDraft
	b.tabnews.Inject(tabnewstest.Fault{On: "list", Fault: "drop_before_store", Times: 1})
	found, err := b.Investigate(t.Context(), api.InvestigateInput{Operation: "publish/autora/ola", Payload: draft, Attempt: publication.Attempt{Number: 1}})
	notes := strings.Join(found.Notes, "\n")
	if err != nil || found.Reading != publication.ReadingAbsent || !strings.Contains(notes, "drafts") || !strings.Contains(notes, "listing autora failed") {
		t.Errorf("got %+v, %v", found, err)
	}
}

func TestOpenOperationRefusesAStartThatContradictsItself(t *testing.T) {
	b := newBench(t, rightPassword)
	other := payload
	other.Slug = "outro"
	for name, in := range map[string]api.OpenInput{
		"another account": {Operation: "publish/leitor/ola", Payload: payload, Digest: payload.Digest()},
		"another slug":    {Operation: "publish/autora/ola", Payload: other, Digest: other.Digest()},
		"another digest":  {Operation: "publish/autora/ola", Payload: payload, Digest: other.Digest()},
		"not normalised":  {Operation: "publish/autora/ola", Payload: publication.Payload{Title: " ", Slug: "ola", Body: " x", Status: "published"}, Digest: publication.Payload{Title: " ", Slug: "ola", Body: " x", Status: "published"}.Digest()},
	} {
		_, err := b.OpenOperation(t.Context(), in)
		var failure *temporal.ApplicationError
		if !errors.As(err, &failure) || failure.Type() != api.ErrorInvalid {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestAnotherArticleIsNoCandidate(t *testing.T) {
	b := newBench(t, rightPassword)
	b.published(t, publication.Payload{Title: "Outro assunto", Slug: "outro", Body: "Outro texto.", Status: publication.StatusPublished})
	now := time.Now()
	found, err := b.Investigate(t.Context(), api.InvestigateInput{Operation: "publish/autora/ola", Payload: payload, Attempt: publication.Attempt{Number: 1, ClaimedAt: &now}})
	if err != nil || len(found.Candidates) != 0 {
		t.Errorf("got %+v, %v", found, err)
	}
}
