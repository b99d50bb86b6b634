package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"postonce/publication"
)

// rows are the lines of an export, taken apart.
type rows struct {
	t      *testing.T
	header ArchiveHeader
	lines  []struct {
		Table string         `json:"table"`
		Row   map[string]any `json:"row"`
	}
}

func apart(t *testing.T, lines []string) *rows {
	t.Helper()
	r := &rows{t: t}
	if err := json.Unmarshal([]byte(lines[0]), &r.header); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte("["+strings.Join(lines[1:], ",")+"]"), &r.lines); err != nil {
		t.Fatal(err)
	}
	return r
}

// edit changes the rows of a table; the header counts those that stay.
func (r *rows) edit(table string, change func(row map[string]any) (keep bool)) {
	all := r.lines
	r.lines = nil
	for _, line := range all {
		if line.Table == table && !change(line.Row) {
			r.header.Rows[table]--
			continue
		}
		r.lines = append(r.lines, line)
	}
}

func (r *rows) file() string {
	r.t.Helper()
	var lines []string
	for _, document := range append([]any{r.header}, anySlice(r.lines)...) {
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(document); err != nil {
			r.t.Fatal(err)
		}
		lines = append(lines, line.String())
	}
	return sealed(lines)
}

func anySlice[T any](list []T) (all []any) {
	for _, v := range list {
		all = append(all, v)
	}
	return all
}

// Somebody edited the file, and made its last line anew: what contradicts itself is still refused.
func TestAnImportRefusesWhatContradictsItself(t *testing.T) {
	set := func(name string, value any) func(map[string]any) bool {
		return func(row map[string]any) bool { row[name] = value; return true }
	}
	gone := func(map[string]any) bool { return false }
	for name, c := range map[string]struct {
		state publication.State
		table string
		edit  func(map[string]any) bool
		words string
	}{
		"nothing edited":                {publication.StateUnknown, "attempts", func(map[string]any) bool { return true }, ""},
		"a digest that was never there": {publication.StateUnknown, "attempts", set("digest", "sha256:"+strings.Repeat("0", 64)), "never had the payload"},
		"accepted without its attempt":  {publication.StateAccepted, "attempts", gone, "the journal tells of attempt 1"},
		"unknown without its attempt":   {publication.StateUnknown, "attempts", gone, "none of them is unknown"},
		"unknown, with an unsent one":   {publication.StateUnknown, "attempts", set("outcome", "not_sent"), "none of them is unknown"},
		"rejected, with an unknown one": {publication.StateRejected, "attempts", set("outcome", "unknown"), "attempt 1: it is unknown, and the operation is rejected"},
		"another account than the ID's": {publication.StateUnknown, "operations", set("account", "outra"), "account: it is outra"},
		"another identity than returned": {publication.StateAccepted, "operations", func(row map[string]any) bool {
			row["identity"].(map[string]any)["id"] = "00000000-0000-4000-8000-000000000000"
			return true
		}, "identity: the operation's is"},
	} {
		t.Run(name, func(t *testing.T) {
			truth := newFixture(t)
			truth.inState(c.state)
			r := apart(t, truth.exported())
			r.edit(c.table, c.edit)
			_, err := empty(t).Import(context.Background(), strings.NewReader(r.file()), "ana")
			if (err != nil) != (c.words != "") || err != nil && !strings.Contains(err.Error(), c.words) {
				t.Errorf("got %v, want %q", err, c.words)
			}
		})
	}
}

// An export that was cut or edited is refused for its last line, whatever it says.
func TestAnExportThatWasEditedIsRefused(t *testing.T) {
	truth := newFixture(t)
	truth.inState(publication.StateUnknown)
	lines := truth.exported()
	whole := sealed(lines)
	for name, c := range map[string]struct{ text, words string }{
		"whole":               {whole, ""},
		"with a Windows end":  {strings.ReplaceAll(whole, "\n", "\r\n"), ""},
		"without a last line": {strings.Join(lines, ""), "the last line of an export is missing"},
		"edited":              {strings.Replace(whole, `"summary":"a`, `"summary":"b`, 1), "sha256: the lines before"},
		"continued":           {whole + lines[1], "something follows"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := empty(t).Import(context.Background(), strings.NewReader(c.text), "ana")
			if (err != nil) != (c.words != "") || err != nil && !strings.Contains(err.Error(), c.words) {
				t.Errorf("got %v, want %q", err, c.words)
			}
		})
	}
}

// What the ledger itself can come to is no contradiction.
func TestEveryHonestLedgerCanBeImported(t *testing.T) {
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			truth, rebuilt := newFixture(t), newFixture(t)
			story(truth)
			empty(t).imports(truth.exported())
			rebuilt.must(rebuilt.record(truth.load().Snapshot()))
			again := empty(t)
			again.imports(rebuilt.exported())
			twice := empty(t)
			twice.imports(again.exported())
		})
	}
}

// A worker that was started too early has set its watch, and nothing else.
func TestAnImportMayFollowTheStartOfAWorker(t *testing.T) {
	truth, f := newFixture(t), newFixture(t)
	truth.planned()
	for _, row := range []string{`watchers (account, wakes_at) values ('autora', 'infinity')`, `lanes (lane) values ('home')`} {
		_, err := f.pool.Exec(t.Context(), `insert into `+row)
		f.must(err)
	}
	f.imports(truth.exported())
	f.wantState(publication.StateProposed)
	used := newFixture(t)
	_, err := used.pool.Exec(t.Context(), `insert into lanes (lane, last_start) values ('home', now())`)
	used.must(err)
	if _, err := used.Import(t.Context(), strings.NewReader(sealed(truth.exported())), "ana"); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a lane that was used: %v", err)
	}
}
