package activities

import (
	"context"
	"errors"
	"slices"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
)

// What was renamed is not gone.
func TestAfterAnIncidentARenamedContentIsReadWhereTheWatchFoundIt(t *testing.T) {
	b := newBench(t, rightPassword)
	id := b.published(t, payload)
	moved := id
	moved.Slug = "antigo-lugar"
	l := &incidentLedger{affected: []ledger.Affected{{Operation: "publish/autora/ola", Identity: moved, Slug: id.Slug, RemoteStatus: publication.StatusPublished, Readable: true}}}
	b.Ledger = l
	if out, err := b.findHidden(t); err != nil || len(out.Visible) != 1 || len(l.marked) != 0 {
		t.Errorf("got %+v, marked %q, %v", out, l.marked, err)
	}
}

// incidentLedger knows what an incident may have hidden.
type incidentLedger struct {
	Ledger
	affected []ledger.Affected
	marked   []publication.OperationID
	err      error
}

func (l *incidentLedger) AffectedByIncident(context.Context, publication.OperationID, int) ([]ledger.Affected, error) {
	return l.affected, l.err
}

func (l *incidentLedger) MarkHidden(_ context.Context, op, _ publication.OperationID) error {
	l.marked = append(l.marked, op)
	return nil
}

func (b *bench) findHidden(t *testing.T) (api.FoundHidden, error) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivityWithOptions(b.FindHidden, activity.RegisterOptions{Name: api.FindHidden})
	var out api.FoundHidden
	value, err := env.ExecuteActivity(api.FindHidden, api.FindHiddenInput{Operation: "publish/autora/recusado", Attempt: 1})
	if err == nil {
		err = value.Get(&out)
	}
	return out, err
}

func TestWhatIsGoneAfterAnIncidentIsMarkedAndWhatIsThereIsNot(t *testing.T) {
	b := newBench(t, rightPassword)
	there, gone := payload, payload
	there.Slug, gone.Slug = "visivel", "escondido"
	visible, hidden := b.published(t, there), b.published(t, gone)
	b.tabnews.Moderate("autora", "escondido", "hide")
	deleted := identity
	deleted.Slug = "antes-apagado"
	draft := identity
	draft.Slug, draft.Status = "rascunho", publication.StatusDraft
	l := &incidentLedger{affected: []ledger.Affected{
		{Operation: "publish/autora/visivel", Identity: visible, RemoteStatus: publication.StatusPublished, Readable: true},
		{Operation: "publish/autora/escondido", Identity: hidden, RemoteStatus: publication.StatusPublished, Readable: true},
		{Operation: "publish/autora/antes-apagado", Identity: deleted, RemoteStatus: publication.StatusPublished},
		{Operation: "publish/autora/rascunho", Identity: draft, RemoteStatus: publication.StatusDraft},
	}}
	b.Ledger = l
	out, err := b.findHidden(t)
	if err != nil || !slices.Equal(out.Hidden, l.marked) || !slices.Equal(l.marked, []publication.OperationID{"publish/autora/escondido"}) ||
		len(out.Visible) != 1 || len(out.Drafts) != 1 || len(out.Gone) != 1 {
		t.Errorf("got %+v, marked %q, %v", out, l.marked, err)
	}
}

// A failed read is no proof that it is gone.
func TestWhatCannotBeReadAfterAnIncidentIsNotMarked(t *testing.T) {
	b := newBench(t, rightPassword)
	there := payload
	visible := b.published(t, there)
	l := &incidentLedger{affected: []ledger.Affected{{Operation: "publish/autora/ola", Identity: visible, RemoteStatus: publication.StatusPublished}}}
	b.Ledger = l
	_ = b.tabnews.Close()
	if out, err := b.findHidden(t); err == nil || len(l.marked) != 0 {
		t.Errorf("got %+v, marked %q, %v; want another try", out, l.marked, err)
	}
	l.err = errors.New("PostgreSQL is away")
	if _, err := b.findHidden(t); err == nil {
		t.Error("the ledger's failure was swallowed")
	}
}
