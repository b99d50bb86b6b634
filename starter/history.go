package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
	"postonce/ledger"
	"postonce/publication"
)

// historyFlags are the choices of `starter history`.
type historyFlags struct {
	account, since string
	limit          int
}

func (a *app) historyCommand() *cobra.Command {
	var flags historyFlags
	cmd := &cobra.Command{
		Use:   "history [OP]",
		Short: "Tell who did what when, from the ledger's journal",
		Long: `Tell what happened to an operation, oldest first: when (in UTC and local time), who, what, on which attempt and digest,
with the evidence in short, and how the state changed. Without OP, the newest entries of all operations. --json prints
the entries with all that is in them.`,
		Example: "  starter history publish/autora/ola\n  starter history --since 24h --account autora",
		Args:    atMostOne("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := historyFilter(args, flags, time.Now())
			if err == nil && f.Operation != "" {
				f.Operation, err = a.operation(cmd.Context(), args[0])
			}
			if err != nil {
				return err
			}
			return a.history(cmd.Context(), f)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.account, "account", "", "without OP: only operations of this TabNews user")
	f.StringVar(&flags.since, "since", "", "only what happened since: a day (2026-12-24, UTC), a moment (2026-12-24T09:00:00Z), or a time back (36h)")
	f.IntVar(&flags.limit, "limit", 0, "how many at most, the newest (default: all of an operation, else 50)")
	return cmd
}

func atMostOne(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usage(cmd.Name()+": takes one "+name+" or none", "`"+cmd.UseLine()+"`")
		}
		return nil
	}
}

func historyFilter(args []string, flags historyFlags, now time.Time) (f ledger.HistoryFilter, err error) {
	f.Account, f.Limit = flags.account, flags.limit
	if f.Since, err = sinceOf(flags.since, now); err != nil {
		return f, err
	}
	switch {
	case f.Limit < 0:
		return f, usage("--limit: must be at least 1", "leave it out for the default")
	case len(args) == 1 && f.Account != "":
		return f, usage("history: OP names its account already", "leave out --account, or OP")
	case len(args) == 1:
		f.Operation, err = operationOf(args[0])
		return f, err
	case f.Account != "":
		err = checkAccount(f.Account)
	}
	if f.Limit == 0 {
		f.Limit = defaultLimit
	}
	return f, err
}

// sinceOf reads a day in UTC, a moment, or a time back from now; empty is a zero time.
func sinceOf(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if back, err := time.ParseDuration(text); err == nil && back > 0 {
		return now.Add(-back), nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if moment, err := time.Parse(layout, text); err == nil {
			return moment, nil
		}
	}
	return time.Time{}, usage(fmt.Sprintf("--since: %q is neither a day, a moment with its zone, nor a time back", text),
		"write 2026-12-24 (UTC), 2026-12-24T09:00:00-03:00, or 36h")
}

func (a *app) history(ctx context.Context, f ledger.HistoryFilter) error {
	r, err := a.tellingLedger(ctx, "history")
	if err != nil {
		return err
	}
	entries, err := r.History(ctx, f)
	switch {
	case err != nil:
		return asFailure(err)
	case len(entries) == 0 && f.Operation != "" && f.Since.IsZero():
		return usage("operation: "+string(f.Operation)+" is not known to the ledger", "`starter list` shows the operations")
	case a.json:
		return a.printJSON(append([]ledger.HistoryEntry{}, entries...))
	case len(entries) == 0:
		a.say("nothing happened")
		return nil
	}
	if f.Operation != "" {
		terminal.Print(a.stdout, terminal.Bold(terminal.Line(string(f.Operation)))+"\n")
	}
	terminal.Print(a.stdout, terminal.Table(timeline(entries, f.Operation == "", time.Local)))
	return nil
}

// timeline makes rows for people. The operation has a column where there are several.
func timeline(entries []ledger.HistoryEntry, several bool, local *time.Location) [][]string {
	rows := [][]string{{"UTC", "LOCAL", "WHO", "WHAT", "ATTEMPT", "DIGEST", "STATE", "DETAIL"}}
	for _, e := range entries {
		rows = append(rows, []string{publication.Moment(e.At), e.At.In(local).Format("2006-01-02 15:04:05 -07:00"),
			orDash(e.By), string(e.Event), attemptWords(e.Attempt), shortDigest(string(e.Digest)), stateChange(e.Entry), detailWords(e.Detail)})
	}
	if several {
		rows[0] = append([]string{"OPERATION"}, rows[0]...)
		for i, e := range entries {
			rows[i+1] = append([]string{string(e.Operation)}, rows[i+1]...)
		}
	}
	return rows
}

func attemptWords(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// shortDigest is enough of a digest to tell two of one operation apart.
func shortDigest(digest string) string {
	const shown = len("sha256:") + 8
	if len(digest) <= shown {
		return orDash(digest)
	}
	return digest[:shown] + "…"
}

func stateChange(e ledger.Entry) string {
	switch {
	case e.To == "":
		return "-"
	case e.From == "":
		return "→ " + string(e.To)
	}
	return string(e.From) + " → " + string(e.To)
}
