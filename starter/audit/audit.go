package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"postonce/ledger"
	"postonce/publication"
	"postonce/starter/runs"
)

// Records is what an audit needs of the ledger.
type Records interface {
	// List gives operations, the one that changed last first; at most Filter.Limit.
	List(context.Context, ledger.Filter) ([]ledger.Record, error)
	// Load gives one operation. ledger.ErrNotFound: there is none.
	Load(context.Context, publication.OperationID) (ledger.Record, error)
	// Memory names the ledger's memory, another one after a restore.
	Memory(context.Context) (string, error)
}

// Runs is what an audit needs of Temporal.
type Runs interface {
	List(ctx context.Context, limit int) (found []runs.Execution, more bool, err error)
	Read(ctx context.Context, op publication.OperationID, runID string) (runs.Run, error)
}

// Audit holds the three worlds, and how gently they are asked.
type Audit struct {
	Records Records
	Runs    Runs
	TabNews Reader
	Account string // whose public list is compared too, beside those of the ledger's accounts; may be empty
	Limit   int    // operations and runs at most
	Pages   int    // pages of an account's list at most, of 100
	// Pause is between two requests to TabNews, and Patience how long a difference between the ledger and an open run must
	// last to be one: a run that is at work writes here and there.
	Pause, Patience time.Duration
	After           func(time.Duration) <-chan time.Time
	Say             func(format string, args ...any) // progress

	report  Report
	records []ledger.Record
	memory  string // the ledger's
}

// Run compares everything. Its error means that a world could not be asked at all; what single reads did not show is in
// Report.Incomplete.
func (a *Audit) Run(ctx context.Context) (Report, error) {
	a.report = Report{Differences: []Difference{}, Notes: []Note{}, Incomplete: []string{}}
	var err error
	if a.records, err = a.Records.List(ctx, ledger.Filter{Limit: a.Limit}); err != nil {
		return a.report, err
	}
	if a.memory, err = a.Records.Memory(ctx); err != nil {
		return a.report, err
	}
	a.report.Compared.Operations = len(a.records)
	if len(a.records) == a.Limit {
		a.incomplete("the ledger: the %d operations that changed last were compared; raise --limit", a.Limit)
	}
	for _, step := range []func(context.Context) error{a.compareTemporal, a.compareTabNews} {
		if err := step(ctx); err != nil {
			return a.report, err
		}
	}
	return a.report, nil
}

func (a *Audit) incomplete(format string, args ...any) {
	a.report.Incomplete = append(a.report.Incomplete, fmt.Sprintf(format, args...))
}

// compareTemporal looks at each operation that either side knows, and looks again at what differs.
func (a *Audit) compareTemporal(ctx context.Context) error {
	executions, err := a.executions(ctx)
	if err != nil {
		return err
	}
	a.Say("comparing %d operations of the ledger with %d of Temporal", len(a.records), len(executions))
	operations := map[publication.OperationID]bool{}
	for op := range executions {
		operations[op] = true
	}
	for _, r := range a.records {
		operations[r.Operation] = true
	}
	var again []publication.OperationID
	for _, op := range slices.SortedFunc(maps.Keys(operations), func(x, y publication.OperationID) int { return cmp.Compare(x, y) }) {
		d, err := a.compareOne(ctx, op, executions[op])
		if err != nil {
			return err
		}
		if d != nil {
			again = append(again, op)
		}
	}
	a.noteForgotten(executions)
	return a.lookAgain(ctx, again)
}

// lookAgain keeps the differences that last.
func (a *Audit) lookAgain(ctx context.Context, operations []publication.OperationID) error {
	if len(operations) == 0 {
		return nil
	}
	if err := a.wait(ctx, a.Patience); err != nil {
		return err
	}
	executions, err := a.executions(ctx)
	if err != nil {
		return err
	}
	for _, op := range operations {
		d, err := a.compareOne(ctx, op, executions[op])
		if err != nil {
			return err
		}
		if d != nil {
			a.report.Differences = append(a.report.Differences, *d)
		}
	}
	return nil
}

// executions gives the runs that Temporal keeps, by operation, the newest first.
func (a *Audit) executions(ctx context.Context) (map[publication.OperationID][]runs.Execution, error) {
	found, more, err := a.Runs.List(ctx, a.Limit)
	if err != nil {
		return nil, err
	}
	if more {
		a.incomplete("Temporal: %d runs were compared, the open and the newest ones; raise --limit", a.Limit)
	}
	byOperation := map[publication.OperationID][]runs.Execution{}
	for _, e := range found {
		byOperation[e.Operation] = append(byOperation[e.Operation], e)
	}
	a.report.Compared.Runs = len(found)
	return byOperation, nil
}

func (a *Audit) compareOne(ctx context.Context, op publication.OperationID, executions []runs.Execution) (*Difference, error) {
	k := kept{memory: a.memory}
	for _, e := range executions {
		if e.Repair {
			k.repair = k.repair || e.Open
			continue
		}
		run, err := a.Runs.Read(ctx, op, e.RunID)
		if err != nil {
			return nil, err
		}
		if s := run.Snapshot(); s.Operation != op {
			k.foreign = append(k.foreign, run)
			continue
		}
		k.runs = append(k.runs, run)
	}
	if d := foreignRun(op, k); d != nil {
		return d, nil
	}
	record, err := a.Records.Load(ctx, op)
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return compareRuns(op, k, nil), nil
	case err != nil:
		return nil, err
	}
	return compareRuns(op, k, &record), nil
}

// noteForgotten names what only the ledger remembers, since Temporal's retention is over or Temporal was lost, and what was
// withdrawn, on which nobody works.
func (a *Audit) noteForgotten(executions map[publication.OperationID][]runs.Execution) {
	for _, r := range a.records {
		if r.State.Settled() && len(executions[r.Operation]) == 0 {
			a.report.Notes = append(a.report.Notes, Note{r.Operation,
				fmt.Sprintf("%s; only the ledger remembers it, and lets nobody send it again", r.State)})
		}
		open := slices.ContainsFunc(executions[r.Operation], func(e runs.Execution) bool { return e.Open })
		if withdrawn(r) && !open {
			a.report.Notes = append(a.report.Notes, Note{r.Operation,
				fmt.Sprintf("withdrawn by %s before it was sent; start it again if it is wanted after all", withdrawal(r.Decisions).By)})
		}
	}
}

func (a *Audit) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-a.After(d):
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
