package main

import (
	"context"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/workflows"
)

// publishFlags are the choices of `starter publish`.
type publishFlags struct {
	yes, propose, dryRun, noWait bool
	by, account                  string
}

func (a *app) publishCommand() *cobra.Command {
	var flags publishFlags
	cmd := &cobra.Command{
		Use:   "publish FILE",
		Short: "Show an article exactly as it would be sent, ask, and publish it at most once",
		Long: `Show the Markdown file with front matter (title, slug, source_url, status) exactly as it would be sent, ask for
approval, start its publication and follow it until it settles or waits for a person.

A second publish of the same slug starts nothing and shows the first.`,
		Example: "  starter publish ola.md\n  starter publish --dry-run ola.md\n  starter publish --yes --by ana --json ola.md",
		Args:    oneArgument("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.publish(cmd.Context(), args[0], flags)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&flags.yes, "yes", false, "approve without asking")
	f.StringVar(&flags.by, "by", "", "who approves or proposes (default: your login name)")
	f.BoolVar(&flags.propose, "propose", false, "leave the approval to someone else (starter approve)")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show the exact request body and send nothing")
	f.BoolVar(&flags.noWait, "no-wait", false, "return as soon as it is started")
	f.StringVar(&flags.account, "account", "", "TabNews user name (default: POSTONCE_ACCOUNT, else whoever the credentials log in)")
	return cmd
}

func (a *app) publish(ctx context.Context, file string, flags publishFlags) error {
	if err := a.checkApproval(flags); err != nil {
		return err
	}
	text, err := readArticle(file)
	if err != nil {
		return err
	}
	if flags.dryRun {
		return a.dryRun(text, flags.account)
	}
	by, err := a.person(flags.by)
	if err != nil {
		return err
	}
	account, err := a.accountFor(ctx, flags.account)
	if err != nil {
		return err
	}
	a.preview(text, account)
	return a.submit(ctx, inputOf(text.payload, account, by), flags)
}

// checkApproval makes sure that it is clear who approves.
func (a *app) checkApproval(flags publishFlags) error {
	switch {
	case flags.yes && flags.propose:
		return usage("publish: --yes approves and --propose does not", "give one of the two")
	case a.prompt == nil && !flags.yes && !flags.propose && !flags.dryRun:
		return usage("publish: nobody can be asked here, for this is no terminal", "approve with --yes, or leave it to someone else with --propose")
	}
	return nil
}

func inputOf(p publication.Payload, account, by string) workflows.PublishInput {
	return workflows.PublishInput{
		Operation: publication.PublishID(account, p.Slug), Payload: p, Digest: p.Digest(), ProposedBy: by,
	}
}

// preview shows what would be approved. With --json nobody reads along: the heading is enough.
func (a *app) preview(text article, account string) {
	view := a.previewOf(text, account)
	if a.json {
		a.say("%s", view.Heading())
		return
	}
	a.say("%s", view.Text(a.stderr))
}

func (a *app) previewOf(text article, account string) terminal.Preview {
	return terminal.Preview{Payload: text.payload, Changes: text.changes, Account: account, Site: a.site()}
}

// submit starts the operation unless it is there already, and follows it.
func (a *app) submit(ctx context.Context, in workflows.PublishInput, flags publishFlags) error {
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	first, err := a.existing(ctx, e, in.Operation)
	if err != nil {
		return err
	}
	if first != nil {
		return a.showFirst(ctx, e, *first, in, flags.noWait)
	}
	if err := a.warnWithoutWorker(ctx, e, in.Operation); err != nil {
		return err
	}
	if err := a.askApproval(ctx, &in, flags); err != nil {
		return err
	}
	return a.start(ctx, e, in, flags.noWait)
}

// askApproval puts the approver's name into in, unless the payload is only proposed.
func (a *app) askApproval(ctx context.Context, in *workflows.PublishInput, flags publishFlags) error {
	switch {
	case flags.propose:
		return nil
	case !flags.yes:
		question := "Publish " + in.Operation.Reference().String() + "?"
		if in.Payload.Status == publication.StatusDraft {
			question = "Store the draft " + in.Operation.Reference().String() + "?"
		}
		if err := a.confirm(ctx, question, "approved by "+in.ProposedBy+", "+string(in.Digest), "Yes, send it once"); err != nil {
			return err
		}
	}
	in.ApprovedBy = in.ProposedBy
	return nil
}

// warnWithoutWorker tells that nothing will happen for now. It is no reason to stop: the publication waits.
func (a *app) warnWithoutWorker(ctx context.Context, e engine, op publication.OperationID) error {
	polled, err := e.Polled(ctx, op.Account())
	if err != nil {
		return failed(err)
	}
	if !polled {
		a.say("no worker serves %s now; the publication waits until one does (POSTONCE_ACCOUNT=%s bin/worker)", op.Account(), op.Account())
	}
	return nil
}
