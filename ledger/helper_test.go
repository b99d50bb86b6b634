package ledger

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postonce/internal/postgrestest"
	"postonce/publication"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }

// fixture is a migrated ledger in a schema of its own.
type fixture struct {
	*Ledger
	t   testing.TB
	url string
}

func newFixture(t testing.TB) fixture {
	t.Helper()
	url := postgrestest.URL(t)
	f := fixture{openPool(t, url), t, url}
	f.must(f.Migrate(context.Background()))
	return f
}

// openPool opens another pool on the same schema, as another worker would.
func openPool(t testing.TB, url string) *Ledger {
	t.Helper()
	l, err := Open(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func (f fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func payload(body string) publication.Payload {
	return publication.Payload{Title: "Olá", Slug: "ola", Body: body, Status: publication.StatusPublished}
}

const op = publication.OperationID("publish/autora/ola")

var identity = publication.Identity{ID: "5b1f6a0e-4f0c-4b8e-9a40-6cf4a4dc54a1", OwnerUsername: "autora", Slug: "ola", Status: publication.StatusPublished}

func request(id publication.OperationID, p publication.Payload, run, approver string) OpenRequest {
	req := OpenRequest{Operation: id, Account: "autora", Lane: "home", Payload: p, Digest: p.Digest(), ProposedBy: "autora", RunID: run}
	if approver != "" {
		req.Approval = &publication.Decision{ID: "approval of " + run, Signal: "approve", By: approver, Digest: p.Digest()}
	}
	return req
}

// base is content as it was before a change.
var base = publication.Base{ID: identity.ID, UpdatedAt: time.Date(2026, 3, 1, 9, 30, 0, 123_000_000, time.UTC), Payload: payload("antes <&> \u2028")}

var (
	reviseOp = publication.ReviseID("autora", "ola", base.Version())
	removeOp = publication.RemoveID("autora", "ola", 1)
	trackOp  = publication.TrackID("autora", "ola")
)

// changeRequest is a request that starts from b; for a removal the content is to be as it was, but deleted.
func changeRequest(id publication.OperationID, p publication.Payload, b publication.Base, run, approver string) OpenRequest {
	if id.Kind() == publication.KindRemove {
		p = b.Payload
		p.Status = publication.StatusDeleted
	}
	req := request(id, p, run, approver)
	req.Base, req.Digest = &b, publication.DigestOf(p, &b)
	if req.Approval != nil {
		req.Approval.Digest = req.Digest
	}
	return req
}

// anyRequest is an approved request for an operation of any kind that is sent.
func anyRequest(id publication.OperationID, run string) OpenRequest {
	if id.Kind() == publication.KindPublish {
		return request(id, payload("texto"), run, "ana")
	}
	return changeRequest(id, payload("texto"), base, run, "ana")
}

// try claims the attempt of any operation, in a lane of its own.
func (f fixture) try(id publication.OperationID, attempt int) ClaimResult {
	f.t.Helper()
	result, err := f.Claim(context.Background(), f.claimOf(id, attempt))
	f.must(err)
	return result
}

func (f fixture) claimOf(id publication.OperationID, attempt int) ClaimRequest {
	f.t.Helper()
	req := claimRequest(attempt)
	req.Operation, req.Digest, req.Lane = id, f.get(id).Digest, string(id)
	return req
}

// end tells how the attempt of any operation ended.
func (f fixture) end(id publication.OperationID, attempt int, outcome publication.Outcome) {
	f.t.Helper()
	req := finishRequest(attempt, outcome)
	req.Operation = id
	if req.Identity != nil && id.Kind() == publication.KindRemove {
		removed := identity
		removed.Status = publication.StatusDeleted
		req.Identity = &removed
	}
	f.must(f.Finish(context.Background(), req))
}

// reach opens an operation of any kind, approved, and lets its first attempt end so.
func (f fixture) reach(id publication.OperationID, outcome publication.Outcome) Record {
	f.t.Helper()
	f.open(anyRequest(id, "run of "+string(id)))
	if result := f.try(id, 1); !result.Claimed {
		f.t.Fatalf("%s was not claimed: %+v", id, result)
	}
	if outcome != publication.OutcomeSending {
		f.end(id, 1, outcome)
	}
	return f.get(id)
}

func (f fixture) get(id publication.OperationID) Record {
	f.t.Helper()
	rec, err := f.Load(context.Background(), id)
	f.must(err)
	return rec
}

// legal holds that an operation's journal is a legal path to the state, and gives the journal.
func (f fixture) legal(id publication.OperationID, want publication.State) []Entry {
	f.t.Helper()
	entries := f.journalOf(id)
	if rec := f.get(id); rec.State != want {
		f.t.Errorf("%s is %s, want %s", id, rec.State, want)
	}
	checkJournal(f.t, entries, want)
	return entries
}

// planned opens op, approved, in run-1.
func (f fixture) planned() Record { return f.open(request(op, payload("texto"), "run-1", "ana")) }

func (f fixture) open(req OpenRequest) Record {
	f.t.Helper()
	rec, err := f.OpenOperation(context.Background(), req)
	f.must(err)
	return rec
}

func claimRequest(attempt int) ClaimRequest {
	return ClaimRequest{Operation: op, Attempt: attempt, Digest: payload("texto").Digest(), Lane: "home",
		Token: fmt.Sprintf("token-%d", attempt), RunID: "run-1", SendTimeout: 30 * time.Second}
}

// claim claims the attempt, which must succeed.
func (f fixture) claim(attempt int) ClaimResult {
	f.t.Helper()
	result, err := f.Claim(context.Background(), claimRequest(attempt))
	f.must(err)
	if !result.Claimed {
		f.t.Fatalf("attempt %d was not claimed: %+v", attempt, result)
	}
	return result
}

func finishRequest(attempt int, outcome publication.Outcome) FinishRequest {
	req := FinishRequest{Operation: op, Attempt: attempt, Token: fmt.Sprintf("token-%d", attempt), Outcome: outcome,
		Evidence: &publication.Evidence{Summary: "seen: " + string(outcome)}}
	if outcome == publication.OutcomeAccepted {
		req.Identity = &identity
	}
	return req
}

func (f fixture) finish(attempt int, outcome publication.Outcome) {
	f.t.Helper()
	f.must(f.Finish(context.Background(), finishRequest(attempt, outcome)))
}

func (f fixture) decide(d publication.Decision) publication.Decision {
	f.t.Helper()
	var adopted *publication.Identity
	if d.Kind == publication.DecisionAdopt {
		adopted = &identity
	}
	d.Taken = true
	if d.By == "" {
		d.By = "ana"
	}
	if d.ID == "" {
		d.ID = fmt.Sprintf("%s-%d", d.Kind, d.Attempt)
	}
	got, err := f.Decide(context.Background(), op, d, adopted, publication.VerificationMatched)
	f.must(err)
	return got
}

func (f fixture) notCreated(attempt int) {
	f.t.Helper()
	if d := f.decide(publication.Decision{Kind: publication.DecisionNotCreated, Attempt: attempt}); !d.Taken {
		f.t.Fatal(d.Refusal)
	}
}

func (f fixture) load() Record {
	f.t.Helper()
	rec, err := f.Load(context.Background(), op)
	f.must(err)
	return rec
}

func (f fixture) journal() []Entry {
	f.t.Helper()
	return f.journalOf(op)
}

// journalOf gives an operation's entries, oldest first.
func (f fixture) journalOf(id publication.OperationID) (entries []Entry) {
	f.t.Helper()
	for _, h := range f.history(HistoryFilter{Operation: id}) {
		entries = append(entries, h.Entry)
	}
	return entries
}

func (f fixture) wantState(want publication.State) Record {
	f.t.Helper()
	rec := f.load()
	if rec.State != want {
		f.t.Errorf("the operation is %s, want %s", rec.State, want)
	}
	checkJournal(f.t, f.journal(), rec.State)
	return rec
}

// changesNothing runs a call again and compares all that the ledger holds of the operation.
func (f fixture) changesNothing(call func() error) {
	f.t.Helper()
	rec, entries := f.load(), f.journal()
	for range 2 {
		f.must(call())
		if diff := cmp.Diff(rec, f.load()); diff != "" {
			f.t.Errorf("the repetition changed the record:\n%s", diff)
		}
		if diff := cmp.Diff(entries, f.journal()); diff != "" {
			f.t.Errorf("the repetition changed the journal:\n%s", diff)
		}
	}
}

// checkJournal holds that the journal is a path of allowed transitions which ends at the state.
func checkJournal(t interface{ Errorf(string, ...any) }, entries []Entry, state publication.State) {
	var at publication.State
	for _, e := range entries {
		switch {
		case e.To == "":
			continue
		case at == "" && e.From != "", at != "" && e.From != at, at != "" && !at.CanBecome(e.To):
			t.Errorf("the journal goes from %q to %s → %s (%s)", at, e.From, e.To, e.Event)
		}
		at = e.To
	}
	if at != state {
		t.Errorf("the journal ends at %q, the operation is %s", at, state)
	}
}

// count runs a query that gives one number.
func (f fixture) count(sql string, args ...any) (n int) {
	f.t.Helper()
	f.must(f.pool.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}
