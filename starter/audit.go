package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"postonce/activities/api"
	"postonce/internal/temporalclient"
	"postonce/ledger"
	"postonce/publication"
	"postonce/starter/audit"
	"postonce/starter/runs"
	"postonce/tabnews"
)

// auditFlags say what to do about what is found, and how gently to ask.
type auditFlags struct {
	fix          bool
	account      string
	limit, pages int
	pause        time.Duration
}

func (a *app) auditCommand() *cobra.Command {
	var flags auditFlags
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Compare the ledger, Temporal and TabNews, and name every difference with its remedy; sends nothing",
		Long: `Compare the ledger, Temporal and TabNews, and name every difference with its remedy. Sends nothing.

--fix records what Temporal's history proves and the ledger lacks, through a worker, and then compares again. It never
sends, and never opens the way for a send: what cannot be settled is recorded as unknown.

Exit codes: 0 no difference, 9 differences, 1 something could not be compared.`,
		Example: "  starter audit --json\n  starter audit --fix",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.audit(cmd.Context(), flags) },
	}
	cmd.Flags().BoolVar(&flags.fix, "fix", false, "record what is proven and missing")
	cmd.Flags().StringVar(&flags.account, "account", "", "TabNews user whose public list is compared too (default: POSTONCE_ACCOUNT)")
	cmd.Flags().IntVar(&flags.limit, "limit", 1000, "operations and runs at most, those that changed last")
	cmd.Flags().IntVar(&flags.pages, "pages", 10, "pages of 100 contents of an account's public list at most")
	cmd.Flags().DurationVar(&flags.pause, "pause", 250*time.Millisecond, "between two requests to TabNews")
	return cmd
}

func (a *app) audit(ctx context.Context, flags auditFlags) error {
	if flags.limit < 1 || flags.pages < 1 || flags.pause < 0 {
		return usage("--limit, --pages and --pause: must be positive", "leave them out for the defaults")
	}
	w, err := a.openWorlds(ctx, flags)
	if err != nil {
		return err
	}
	defer w.close()
	report, err := w.audit.Run(ctx)
	if err != nil {
		return failed(err)
	}
	var repairs []repair
	if flags.fix {
		if repairs, err = a.fix(ctx, w, report); err != nil {
			return err
		}
		if len(repairs) > 0 {
			if report, err = w.audit.Run(ctx); err != nil {
				return failed(err)
			}
		}
	}
	return a.showAudit(report, repairs)
}

// worlds are the three that an audit compares, opened.
type worlds struct {
	audit  *audit.Audit
	ledger keeper
	engine repairer
}

// keeper is what --fix needs of the ledger.
type keeper interface {
	Migrate(context.Context) error
	Load(context.Context, publication.OperationID) (ledger.Record, error)
	Close()
}

// repairer writes what a run proves.
type repairer interface {
	repair(context.Context, api.RecordInput) error
	Close()
}

func (w *worlds) close() {
	w.engine.Close()
	w.ledger.Close()
}

func (a *app) openWorlds(ctx context.Context, flags auditFlags) (*worlds, error) {
	account, err := a.askedAccount(flags.account)
	if err != nil {
		return nil, err
	}
	url := a.getenv("TABNEWS_URL")
	if url == "" {
		return nil, usage("TABNEWS_URL: is not set, and an audit reads what was accepted again", "set it to https://www.tabnews.com.br")
	}
	pages, err := tabnews.New(tabnews.Config{BaseURL: url, Version: versionName()})
	if err != nil {
		return nil, badInput(err)
	}
	l, err := a.wholeLedger(ctx, "audit")
	if err != nil {
		return nil, err
	}
	c, err := temporalclient.Dial(ctx, a.getenv, nil)
	if err != nil {
		l.Close()
		return nil, failed(err)
	}
	return &worlds{ledger: l, engine: &temporalEngine{client: c, patience: queryTimeout}, audit: &audit.Audit{
		Records: auditedLedger{l}, Runs: auditedTemporal{c}, TabNews: pages, Account: account,
		Limit: flags.limit, Pages: flags.pages, Pause: flags.pause, Patience: auditPatience, After: a.after, Say: a.say,
	}}, nil
}

// auditPatience is how long a difference between the ledger and a run must last to be told.
const auditPatience = 2 * time.Second

// auditedLedger is a ledger that may have lost its tables.
type auditedLedger struct{ *ledger.Ledger }

func (l auditedLedger) List(ctx context.Context, f ledger.Filter) ([]ledger.Record, error) {
	records, err := l.Ledger.List(ctx, f)
	if noTables(err) {
		return nil, nil
	}
	return records, orLedgerError(err)
}

func (l auditedLedger) Load(ctx context.Context, op publication.OperationID) (ledger.Record, error) {
	record, err := l.Ledger.Load(ctx, op)
	if noTables(err) {
		return record, ledger.ErrNotFound
	}
	return record, orLedgerError(err)
}

func (l auditedLedger) Memory(ctx context.Context) (string, error) {
	memory, err := l.Ledger.Memory(ctx)
	if noTables(err) {
		return "", nil
	}
	return memory, orLedgerError(err)
}

func orLedgerError(err error) error {
	if err == nil || errors.Is(err, ledger.ErrNotFound) {
		return err
	}
	return ledgerError(err)
}

// auditedTemporal reads runs.
type auditedTemporal struct{ client runs.Client }

func (t auditedTemporal) List(ctx context.Context, limit int) ([]runs.Execution, bool, error) {
	return runs.List(ctx, t.client, limit)
}

func (t auditedTemporal) Read(ctx context.Context, op publication.OperationID, runID string) (runs.Run, error) {
	return runs.Read(ctx, t.client, op, runID)
}

// audited is the document of --json.
type audited struct {
	audit.Report
	Repaired []repair `json:"repaired"`
}

func (a *app) showAudit(r audit.Report, repairs []repair) error {
	switch {
	case len(r.Differences) > 0:
		a.code = exitDifferences
	case len(r.Incomplete) > 0:
		a.code = exitOther
	}
	if a.json {
		if repairs == nil {
			repairs = []repair{}
		}
		return a.printJSON(audited{r, repairs})
	}
	for _, d := range r.Differences {
		fmt.Fprint(a.stdout, plainLine(auditLine(d)))
	}
	a.tellNotes(r)
	for _, what := range r.Incomplete {
		a.say("not compared: %s", what)
	}
	c := r.Compared
	a.say("differences: %d; compared %d operations, %d runs, %d contents", len(r.Differences), c.Operations, c.Runs, c.Contents)
	return nil
}
