package main

import (
	"context"

	"github.com/spf13/cobra"

	"postonce/publication"
)

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "starter",
		Short: "Publish to TabNews at most once, whatever breaks",
		Long: `Publish to TabNews at most once, whatever breaks. What cannot be known is said to be unknown and waits for a person.

OP is an operation: publish/ACCOUNT/SLUG (ACCOUNT/SLUG is the newest one of the slug), revise/ACCOUNT/SLUG/BASE,
remove/ACCOUNT/SLUG or track/ACCOUNT/SLUG; @N at the end of a change is another try of one that was abandoned.
REF is a content, ACCOUNT/SLUG or its page's address.

Exit codes: 0 accepted and as approved (or a draft), 2 usage or bad input, 3 outcome unknown, 4 rejected,
5 accepted but reads differently or not at all, 6 still waiting, 7 abandoned, 9 the audit found differences, 1 anything
else. Of several files the worst one's: 3, 4, 5, 1, 7, 6, 0 in this order.

Settings: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_* (or a profile in temporal.toml),
DATABASE_URL for the ledger, TABNEWS_URL and TABNEWS_EMAIL with TABNEWS_PASSWORD or TABNEWS_SESSION,
POSTONCE_ACCOUNT, POSTONCE_LANE for the lane that starter lane means.`,
		SilenceErrors: true, // run prints them, on one line
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON document")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(err.Error(), "`"+cmd.CommandPath()+" --help` shows the flags")
	})
	root.AddCommand(a.publishCommand(), a.publishDraftCommand(), a.commentCommand(), a.editCommand(), a.restoreCommand(),
		a.removeCommand(), a.trackCommand(), a.approveCommand(), a.resolveCommand(), a.recheckCommand(),
		a.rescheduleCommand(), a.cancelCommand(), a.statusCommand(), a.listCommand(), a.historyCommand(), a.usageCommand(),
		a.laneCommand(), a.versionCommand())
	root.AddCommand(a.auditCommand(), a.exportCommand(), a.importCommand())
	return root
}

// oneArgument makes of a wrong number of arguments an error that names what is missing.
func oneArgument(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return usage(cmd.Name()+": needs exactly one "+name, "`"+cmd.UseLine()+"`")
	}
}

func twoArguments(first, second string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 2 {
			return nil
		}
		return usage(cmd.Name()+": needs "+first+" and "+second, "`"+cmd.UseLine()+"`")
	}
}

// operation reads OP. ACCOUNT/SLUG without a kind is the newest publication under the slug, where the ledger can tell it.
func (a *app) operation(ctx context.Context, arg string) (publication.OperationID, error) {
	op, err := operationOf(arg)
	if err != nil || string(op) == arg || op.Generation() > 1 {
		return op, err
	}
	return a.newestPublication(ctx, op.Reference()), nil
}

// operationOf reads OP, with or without its kind.
func operationOf(arg string) (publication.OperationID, error) {
	op, err := publication.ParseOperationID(arg)
	if err == nil {
		return op, nil
	}
	if op, short := publication.ParseOperationID(string(publication.KindPublish) + "/" + arg); short == nil {
		return op, nil
	}
	return "", badInput(err)
}
