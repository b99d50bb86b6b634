package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"postonce/internal/postgrestest"
	"postonce/publication"
)

// exported gives the lines of an export, the header first, without the last one.
func (f fixture) exported() []string {
	f.t.Helper()
	var out bytes.Buffer
	f.must(f.Export(context.Background(), NewJSONLines(&out)))
	lines := slices.Collect(strings.Lines(out.String()))
	return lines[:len(lines)-1]
}

// sealed is the file that these lines make, as if they had been exported.
func sealed(lines []string) string {
	text := strings.Join(lines, "")
	if len(lines) == 0 {
		return text
	}
	return text + fmt.Sprintf("{\"sha256\":\"%x\"}\n", sha256.Sum256([]byte(strings.Join(lines[1:], ""))))
}

// empty is a ledger in a fresh schema that nobody migrated.
func empty(t testing.TB) fixture {
	url := postgrestest.URL(t)
	return fixture{openPool(t, url), t, url}
}

func (f fixture) imports(lines []string) ImportResult {
	f.t.Helper()
	result, err := f.Import(context.Background(), strings.NewReader(sealed(lines)), "ana")
	f.must(err)
	return result
}

// slugged is another publication than op.
func slugged(slug string) (publication.OperationID, publication.Payload) {
	p := payload("texto")
	p.Slug = slug
	return publication.PublishID("autora", slug), p
}

// full is a ledger with something in every table and in every state.
func full(t testing.TB) fixture {
	f := newFixture(t)
	ctx := context.Background()
	for _, state := range publication.States() {
		f.inState(state)
	}
	f.reach(reviseOp, publication.OutcomeUnknown)
	f.must(f.Record(ctx, trackRequest(identity, "texto")))
	for _, row := range []string{
		`incidents (lane, creates, operation, attempt, paused_until) select 'home', 'root', operation, 1, now() from operations limit 1`,
		`lane_reservations (lane, operation, attempt, due_at) select 'home', operation, 2, now() from operations limit 1`,
		`watchers (account, wakes_at) values ('autora', now())`,
		`watches (content, account, operation, expected, expected_at, since, seen)
			select identity->>'id', account, operation, operation, now(), now(), 'unchanged' from operations where identity is not null limit 1`,
	} {
		_, err := f.pool.Exec(ctx, `insert into `+row)
		f.must(err)
	}
	return f
}

// inState brings a publication of its own into a state, with evidence that no text column could hold.
func (f fixture) inState(state publication.State) publication.OperationID {
	f.t.Helper()
	ctx := context.Background()
	id, p := slugged("e-" + string(state))
	approver := "ana"
	if state == publication.StateProposed {
		approver = ""
	}
	f.open(request(id, p, "run of "+string(id), approver))
	if state == publication.StateProposed || state == publication.StatePlanned {
		return id
	}
	claim := f.claimOf(id, 1)
	claim.Interval = 0
	_, err := f.Claim(ctx, claim)
	f.must(err)
	outcome := map[publication.State]publication.Outcome{publication.StateAccepted: publication.OutcomeAccepted, publication.StateRejected: publication.OutcomeRejected}[state]
	if outcome == "" {
		outcome = publication.OutcomeUnknown
	}
	if state == publication.StateSending {
		return id
	}
	req := FinishRequest{Operation: id, Attempt: 1, Token: claim.Token, Outcome: outcome, Evidence: &publication.Evidence{Summary: "a\x00b <&> \u2028"}}
	if outcome == publication.OutcomeAccepted {
		who := identity
		who.Slug = p.Slug
		req.Identity = &who
	}
	f.must(f.Finish(ctx, req))
	if state == publication.StateAbandoned {
		_, err := f.Decide(ctx, id, publication.Decision{ID: "d", Kind: publication.DecisionAbandon, By: "ana", Attempt: 1, Taken: true, Reason: "=1+1"}, nil, "")
		f.must(err)
	}
	return id
}

func TestAnImportRebuildsWhatWasExported(t *testing.T) {
	before := full(t)
	lines := before.exported()
	after := empty(t)
	after.imports(lines)
	settled := []string{`"e-sending"`, "/e-sending", "/e-planned"} // what the export's moment left open
	kept := func(lines []string) []string {
		return slices.DeleteFunc(slices.Clone(lines[1:]), func(l string) bool {
			return strings.Contains(l, `"imported"`) || slices.ContainsFunc(settled, func(s string) bool { return strings.Contains(l, s) })
		})
	}
	if diff := cmp.Diff(kept(lines), kept(after.exported())); diff != "" {
		t.Errorf("what came back is not what was exported:\n%s", diff)
	}
	after.planned() // numbers go on after the highest
}

func TestAnExportIsTheSameEveryTime(t *testing.T) {
	f := full(t)
	first := f.exported()
	if diff := cmp.Diff(first[1:], f.exported()[1:]); diff != "" {
		t.Error(diff)
	}
	if len(first) < 20 {
		t.Errorf("%d lines", len(first))
	}
}

// Every table of the database is in an export, or is named as one that holds no records.
func TestNoTableIsForgotten(t *testing.T) {
	f := full(t)
	ctx := context.Background()
	_, err := f.pool.Exec(ctx, `create table later (operation text references operations, n integer, waits interval, primary key (operation, n));
		insert into later select operation, 1, interval '2.6 seconds' from operations`)
	f.must(err)
	rows, err := f.pool.Query(ctx, `select table_name::text from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`)
	f.must(err)
	want, err := pgx.CollectRows(rows, pgx.RowTo[string])
	f.must(err)
	want = slices.DeleteFunc(want, func(name string) bool { return name == "transitions" || name == "ledger_version" })
	tables, err := archiveTables(ctx, f.pool)
	f.must(err)
	var got []string
	for _, table := range tables {
		got = append(got, table.Name)
		if n, lines := f.count(`select count(*) from `+table.sqlName()), f.linesOf(table.Name); n != lines || n == 0 {
			t.Errorf("%s has %d rows, the export %d", table.Name, n, lines)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func (f fixture) linesOf(table string) (n int) {
	for _, line := range f.exported()[1:] {
		if strings.HasPrefix(line, fmt.Sprintf(`{"table":%q`, table)) {
			n++
		}
	}
	return n
}

// A token is the fence of a running process; who could read one could speak in its name.
func TestNoClaimTokenIsExported(t *testing.T) {
	f := full(t)
	var token string
	f.must(f.pool.QueryRow(context.Background(), `select token from attempts where outcome = 'sending'`).Scan(&token))
	if text := strings.Join(f.exported(), ""); strings.Contains(text, token) || strings.Contains(text, `"token"`) {
		t.Error("a claim's token is in the export")
	}
}

// What was open at the export's moment ends as a doubt or waits for a person: it may have gone on since.
func TestWhatWasOpenAtTheExportNeverSendsByItself(t *testing.T) {
	for name, c := range map[string]struct {
		bring func(fixture) publication.OperationID
		want  publication.State
	}{
		"planned": {func(f fixture) publication.OperationID { return f.inState(publication.StatePlanned) }, publication.StateProposed},
		"sending": {func(f fixture) publication.OperationID { return f.inState(publication.StateSending) }, publication.StateUnknown},
		"opened again": {func(f fixture) publication.OperationID {
			f.unknown()
			f.notCreated(1)
			return op
		}, publication.StateUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			before := newFixture(t)
			id := c.bring(before)
			digest := before.get(id).Digest
			after := empty(t)
			result := after.imports(before.exported())
			entries := after.legal(id, c.want)
			if last := entries[len(entries)-1]; last.Event != EventImported || last.By != "ana" {
				t.Errorf("the journal ends with %+v", last)
			}
			if told := append(result.Unknown, result.Proposed...); len(told) != 1 || told[0] != id {
				t.Errorf("told: %+v", result)
			}
			after.sendsNothing(id, digest)
		})
	}
}

// sendsNothing holds that no number of the operation can be claimed, also once it is started again without an approval.
func (f fixture) sendsNothing(id publication.OperationID, digest publication.Digest) {
	f.t.Helper()
	f.open(request(id, f.get(id).Payload, "another run", ""))
	for n := 1; n < 4; n++ {
		req := f.claimOf(id, n)
		req.Digest, req.Interval = digest, 0
		if result, err := f.Claim(context.Background(), req); err != nil || result.Claimed {
			f.t.Errorf("attempt %d after the import: %+v, %v", n, result, err)
		}
	}
}

// Its old approval does not count any more, and a new one does.
func TestWhatWasPlannedAtTheExportIsApprovedAnew(t *testing.T) {
	before := newFixture(t)
	before.planned()
	f := empty(t)
	f.imports(before.exported())
	if d := f.decide(publication.Decision{Kind: publication.DecisionApprove, Digest: f.load().Digest}); !d.Taken {
		t.Errorf("refused: %s", d.Refusal)
	}
	f.wantState(publication.StatePlanned)
	f.claim(1)
}

func TestAnImportIsAllOrNothing(t *testing.T) {
	lines := full(t).exported()
	find := func(part string) int {
		return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, part) })
	}
	edit := func(i int, old, new string) []string {
		changed := slices.Clone(lines)
		if !strings.Contains(changed[i], old) {
			t.Fatalf("%q is not in %s", old, changed[i])
		}
		changed[i] = strings.Replace(changed[i], old, new, 1)
		return changed
	}
	operation, attempt, journal := find(`"table":"operations"`), find(`"table":"attempts"`), find(`"from_state":"planned","to_state":"sending"`)
	for name, c := range map[string]struct {
		lines []string
		words string
	}{
		"nothing":              {nil, "header is missing"},
		"something else":       {[]string{"{\"a\":1}\n"}, "not the header of an export"},
		"a newer form":         {edit(0, `"version":1`, `"version":2`), "version"},
		"a newer schema":       {edit(0, `"schema":`, `"schema":9`), "newer postonce"},
		"a file cut short":     {lines[:len(lines)-3], "ends early"},
		"another table":        {edit(operation, `"operations"`, `"users"`), `"users" is none of the ledger's`},
		"an unknown field":     {edit(operation, `"lane":`, `"line":`), `no field "line"`},
		"an unknown part":      {edit(operation, `"table":`, `"tables":1,"table":`), "not a row of an export"},
		"an unlisted word":     {edit(operation, `"verification":"`, `"verification":"x`), "operation_verification"},
		"a document as text":   {edit(operation, `"account":"autora"`, `"account":{}`), "account: a document"},
		"another payload":      {edit(operation, `"body":"`, `"body":"x`), "digest"},
		"an illegal journal":   {edit(journal, `"to_state":"sending"`, `"to_state":"accepted"`), "journal"},
		"rows out of order":    {slices.Concat(lines[:operation], lines[attempt:attempt+1], lines[operation:attempt], lines[attempt+1:]), fmt.Sprintf("line %d", operation+1)},
		"an empty line":        {slices.Insert(slices.Clone(lines), operation, "\n"), fmt.Sprintf("line %d", operation+1)},
		"another account":      {edit(operation, `"account":"autora"`, `"account":"outra"`), "account: it is outra"},
		"text behind the line": {edit(operation, "}\n", "} x\n"), "follows"},
	} {
		t.Run(name, func(t *testing.T) {
			f := empty(t)
			_, err := f.Import(context.Background(), strings.NewReader(sealed(c.lines)), "ana")
			if err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("got %v, want %q", err, c.words)
			}
			f.must(f.Migrate(context.Background()))
			if n := f.count(`select count(*) from operations`) + f.count(`select count(*) from journal`); n != 0 {
				t.Errorf("%d rows are left", n)
			}
		})
	}
}

func TestAnImportMixesNothing(t *testing.T) {
	lines := full(t).exported()
	f := newFixture(t)
	f.planned()
	f.changesNothing(func() error {
		if _, err := f.Import(context.Background(), strings.NewReader(sealed(lines)), "ana"); !errors.Is(err, ErrNotEmpty) {
			t.Errorf("got %v", err)
		}
		return nil
	})
}

func TestAnImportNamesAPerson(t *testing.T) {
	if _, err := empty(t).Import(context.Background(), strings.NewReader(""), " "); err == nil || !strings.Contains(err.Error(), "who imports") {
		t.Errorf("got %v", err)
	}
}
