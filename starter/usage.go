package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
	"postonce/ledger"
)

// usageFlags are the choices of `starter usage`.
type usageFlags struct {
	from, to string
	csv      bool
}

func (a *app) usageCommand() *cobra.Command {
	var flags usageFlags
	cmd := &cobra.Command{
		Use:   "usage",
		Short: "Count creations, edits, removals, refusals and unknowns per account, lane and day",
		Long: `Count the attempts per account, lane and day, by what is known of them now: creations, edits, removals (accepted ones),
refusals, unknowns, those of which a person decided that they created nothing, and those that are proven unsent. The day
is the UTC day on which the attempt was claimed. Attempts counts all of them, those in flight too.`,
		Example: "  starter usage --from 2026-12-01 --to 2026-12-31 --csv",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.usage(cmd.Context(), flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.from, "from", "", "first day, YYYY-MM-DD (UTC)")
	f.StringVar(&flags.to, "to", "", "last day, YYYY-MM-DD (UTC), included")
	f.BoolVar(&flags.csv, "csv", false, "print comma-separated values with a header")
	return cmd
}

func (a *app) usage(ctx context.Context, flags usageFlags) error {
	from, to, err := daysOf(flags.from, flags.to)
	switch {
	case err != nil:
		return err
	case flags.csv && a.json:
		return usage("usage: --csv and --json are two forms of one result", "give one of the two")
	}
	r, err := a.tellingLedger(ctx, "usage")
	if err != nil {
		return err
	}
	used, err := r.Usage(ctx, from, to)
	if err != nil {
		return asFailure(err)
	}
	return a.showUsage(used, flags.csv)
}

// daysOf reads the two ends of a range; an empty one is a zero time, which does not restrict.
func daysOf(from, to string) (first, last time.Time, err error) {
	if first, err = dayOf("--from", from); err != nil {
		return first, last, err
	}
	if last, err = dayOf("--to", to); err != nil {
		return first, last, err
	}
	if !last.IsZero() && last.Before(first) {
		return first, last, usage(fmt.Sprintf("--to: %s is before --from, %s", to, from), "give the earlier day as --from")
	}
	return first, last, nil
}

func dayOf(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, usage(fmt.Sprintf("%s: %q is no day of the calendar", flag, text), "write it as YYYY-MM-DD, such as 2026-12-24")
	}
	return day, nil
}

// usageColumns are the names in CSV, the same as in JSON.
var usageColumns = []string{"day", "account", "lane", "attempts", "creations", "edits", "removals", "refusals", "unknowns", "not_created", "unsent"}

func usageRow(u ledger.Usage) []string {
	row := []string{u.Day, u.Account, u.Lane}
	for _, n := range []int{u.Attempts, u.Creations, u.Edits, u.Removals, u.Refusals, u.Unknowns, u.NotCreated, u.Unsent} {
		row = append(row, strconv.Itoa(n))
	}
	return row
}

func (a *app) showUsage(used []ledger.Usage, asCSV bool) error {
	if a.json {
		return a.printJSON(append([]ledger.Usage{}, used...)) // a list also when it is empty
	}
	rows := [][]string{usageColumns}
	for _, u := range used {
		rows = append(rows, usageRow(u))
	}
	switch {
	case asCSV:
		if err := csv.NewWriter(a.stdout).WriteAll(rows); err != nil {
			return failedTo("standard output", err)
		}
	case len(used) == 0:
		a.say("no attempts")
	default:
		terminal.Print(a.stdout, terminal.Table(rows))
	}
	return nil
}
