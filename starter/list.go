package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
	"postonce/publication"
)

const defaultLimit = 50

func (a *app) listCommand() *cobra.Command {
	var state, account string
	var limit int
	var drift, repair bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "Show open and recent operations, newest first",
		Example: "  starter list --state unknown\n  starter list --drift",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := filterOf(state, account, limit)
			if err != nil {
				return err
			}
			f.Drift = drift
			switch {
			case repair && (state != "" || drift):
				return usage("list: --repair is about accepted operations, whatever became of them", "leave out --state and --drift")
			case repair:
				return a.listRepairs(cmd.Context(), f)
			}
			return a.list(cmd.Context(), f)
		},
	}
	cmd.Flags().StringVar(&state, "state", "", "only those in this state: "+stateNames())
	cmd.Flags().StringVar(&account, "account", "", "only those of this TabNews user")
	cmd.Flags().BoolVar(&drift, "drift", false, "only those that were edited, hidden, deleted or restored elsewhere since they were accepted")
	cmd.Flags().IntVar(&limit, "limit", defaultLimit, "how many at most")
	cmd.Flags().BoolVar(&repair, "repair", false, "only those whose record in the ledger is not complete, or whose repair runs")
	return cmd
}

func filterOf(state, account string, limit int) (filter, error) {
	f := filter{State: publication.State(state), Account: account, Limit: limit}
	switch {
	case state != "" && !f.State.Valid():
		return f, usage(fmt.Sprintf("--state: %q is none", state), "the states are "+stateNames())
	case limit < 1:
		return f, usage("--limit: must be at least 1", "leave it out for the default")
	case account != "":
		return f, checkAccount(account)
	}
	return f, nil
}

func stateNames() string {
	var names []string
	for _, s := range publication.States() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

func (a *app) list(ctx context.Context, f filter) error {
	snapshots, err := a.all(ctx, f)
	if err != nil {
		return err
	}
	if a.json {
		documents := []publication.Snapshot{}
		for _, s := range snapshots {
			documents = append(documents, complete(s))
		}
		return a.printJSON(documents)
	}
	if len(snapshots) == 0 {
		a.say("no operations")
		return nil
	}
	terminal.Print(a.stdout, terminal.List(snapshots))
	return nil
}

// all prefers the ledger, the lasting truth, and puts before it what only Temporal has: the newest, which no worker has
// taken up yet. One of the two sources may be away.
func (a *app) all(ctx context.Context, f filter) ([]publication.Snapshot, error) {
	recorded, ledgerErr := a.listRecorded(ctx, f)
	if f.Drift { // Temporal does not know it
		return recorded, asFailure(ledgerErr)
	}
	fresh, temporalErr := a.listFresh(ctx, f, recorded)
	switch {
	case temporalErr != nil && ledgerErr != nil:
		return nil, withoutTemporal(temporalErr, ledgerErr)
	case temporalErr != nil:
		a.say("%s; what follows is the ledger's record", temporalErr)
	case ledgerErr != nil && !errors.Is(ledgerErr, errNoLedger):
		a.say("the ledger could not be asked (%s); what follows is what Temporal still knows", ledgerErr)
	}
	merged := append(fresh, recorded...)
	return merged[:min(len(merged), f.Limit)], nil
}
