package main

import (
	"context"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
)

// publishFlags are the choices of `starter publish`.
type publishFlags struct {
	approvalFlags
	scheduleFlags
	dryRun, draft, again bool
	goOn                 bool // --continue
}

func (a *app) publishCommand() *cobra.Command {
	var flags publishFlags
	cmd := &cobra.Command{
		Use:   "publish FILE…|FOLDER",
		Short: "Show an article, or several, exactly as it would be sent, ask, and publish it at most once",
		Long: `Show the Markdown file with front matter (title, slug, source_url, status) exactly as it would be sent, ask for
approval, start its publication and follow it until it settles or waits for a person.

A second publish of the same slug starts nothing and shows the first. What was removed with starter remove is published
again with --again: as another content, for the votes, comments and history of the old one are gone.

With --at it is sent at that time, once, and by itself no later than --late after it: then a person is asked.

Several files, or the *.md files of a folder by name, are a batch: all are checked and shown before the first is sent,
one approval is for all, and they go one after another. One that is unknown, rejected, diverged or waits for a person
holds the rest, unless --continue; one that waits for its time does not. The same command again sends only what was
never attempted, and first follows what is under way. The exit code is that of the worst; --json prints one document
with all of them.`,
		Example: "  starter publish ola.md\n  starter publish --draft ola.md\n  starter publish --dry-run ola.md\n  starter publish --at 2026-12-24T09:00 --tz America/Sao_Paulo ola.md\n  starter publish --yes --by ana --json ola.md\n  starter publish --yes artigos/",
		Args:    someFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && !isFolder(args[0]) {
				return a.publish(cmd.Context(), args[0], flags)
			}
			return a.publishBatch(cmd.Context(), args, flags)
		},
	}
	f := cmd.Flags()
	flags.approvalFlags.register(f)
	flags.registerSchedule(f)
	f.BoolVar(&flags.dryRun, "dry-run", false, "show the exact request body and send nothing")
	f.BoolVar(&flags.draft, "draft", false, "store it as a draft, whatever the file's status says")
	f.BoolVar(&flags.again, "again", false, "publish anew what was removed, as another content")
	f.BoolVar(&flags.goOn, "continue", false, "of several files: go on past one that holds the rest")
	return cmd
}

func someFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage(cmd.Name()+": needs a FILE, several, or a FOLDER", "`"+cmd.UseLine()+"`")
	}
	return nil
}

func (a *app) publish(ctx context.Context, file string, flags publishFlags) error {
	if err := a.checkPublish(flags); err != nil {
		return err
	}
	if flags.goOn {
		a.say("--continue has no effect: there is one file")
	}
	text, err := readArticle(file, flags.draft)
	if err != nil {
		return err
	}
	schedule, err := flags.wanted()
	if err != nil {
		return err
	}
	if flags.dryRun {
		return a.dryRun(text, flags.account, schedule)
	}
	by, account, err := a.who(ctx, flags.approvalFlags)
	if err != nil {
		return err
	}
	in := inputOf(text.payload, account, by)
	if in.Operation, err = a.publicationID(ctx, in.Operation.Reference(), flags.again); err != nil {
		return err
	}
	in.Schedule = a.heldTime(ctx, in.Operation, schedule)
	view := a.previewOf(text, account)
	view.Schedule = in.Schedule
	a.preview(a.drawPreview(view))
	return a.submitHere(ctx, in, flags.noWait, a.approval(flags.approvalFlags))
}

func (a *app) checkPublish(flags publishFlags) error {
	switch {
	case flags.dryRun && flags.again:
		return usage("publish: --dry-run asks no ledger, so it cannot tell the operation of --again", "leave one of the two out")
	case flags.dryRun && !(flags.yes && flags.propose):
		return nil
	}
	return a.checkApproval("publish", flags.approvalFlags)
}

func (a *app) previewOf(text article, account string) terminal.Preview {
	return terminal.Preview{Payload: text.payload, Changes: text.changes, Account: account, Site: a.site()}
}
