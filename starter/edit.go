package main

import (
	"context"

	"github.com/spf13/cobra"

	"postonce/publication"
	"postonce/starter/frontmatter"
)

// changeFlags are the choices of the commands that show a difference.
type changeFlags struct {
	approvalFlags
	sideBySide bool
}

func (f *changeFlags) registerChange(cmd *cobra.Command) {
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&f.sideBySide, "side-by-side", false, "show the difference side by side too, as wide terminals get it anyway")
}

func (a *app) editCommand() *cobra.Command {
	var flags changeFlags
	var when scheduleFlags
	cmd := &cobra.Command{
		Use:   "edit REF FILE",
		Short: "Change published content, from the version that is there now",
		Long: `Read the current version of REF, show what FILE would change of it, ask, and change that version, or nothing: if
somebody else changes it before, the edit ends as a conflict and nothing is sent. The version is kept, so that
starter restore can bring it back. It works for content that was not published with postonce, too.

FILE is Markdown. What its front matter leaves out (title, source_url) stays as it is; a key without a value takes it
away. The slug stays: another address would be another page.`,
		Example: "  starter edit ana/ola ola.md\n  starter edit ana/ola ola.md --side-by-side",
		Args:    twoArguments("REF", "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.edit(cmd.Context(), args[0], args[1], flags, when)
		},
	}
	flags.registerChange(cmd)
	when.registerSchedule(cmd.Flags())
	return cmd
}

func (a *app) edit(ctx context.Context, arg, file string, flags changeFlags, when scheduleFlags) error {
	if err := a.checkApproval("edit", flags.approvalFlags); err != nil {
		return err
	}
	schedule, err := when.wanted()
	if err != nil {
		return err
	}
	document, err := readText(file)
	if err != nil {
		return err
	}
	ref, by, err := a.ownReference(ctx, arg, flags.approvalFlags)
	if err != nil {
		return err
	}
	r, err := a.editOf(ctx, ref, document)
	if err != nil {
		return err
	}
	if r.changesNothing() {
		if op := a.underWay(ctx, r.reference(), r.base.Payload); op != "" {
			return a.followEdit(ctx, op, flags.noWait)
		}
		return a.nothingToChange(r, "reads exactly as "+file+" already")
	}
	a.showRevision(r, flags.sideBySide)
	in := r.input(by)
	in.Operation = a.tryOf(ctx, in.Operation)
	if in.Schedule = a.heldTime(ctx, in.Operation, schedule); in.Schedule != nil {
		a.say("to be sent at %s", in.Schedule)
	}
	return a.submitHere(ctx, in, flags.noWait, a.approval(flags.approvalFlags))
}

// followEdit follows an edit that made what is there now, and whose answer is still awaited: that it can be read is not
// yet its success.
func (a *app) followEdit(ctx context.Context, op publication.OperationID, noWait bool) error {
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	a.say("%s made this change, and is not settled yet; nothing was started or sent now", op)
	s, err := a.lookup(ctx, e, op)
	if err != nil {
		return err
	}
	if !noWait && !halted(s) && !ended(s) {
		if s, err = a.follow(ctx, e, op, halted); err != nil {
			return err
		}
	}
	return a.show(s)
}

// editOf reads the version that is there now, and makes of it what the file wants.
func (a *app) editOf(ctx context.Context, ref publication.Reference, document frontmatter.Document) (revision, error) {
	base, content, err := a.current(ctx, ref)
	if err != nil {
		return revision{}, notPublic(err, "edit", "nothing was started; a draft of yours becomes public with `starter publish-draft "+ref.String()+"`")
	}
	text, err := wanted(document, base.Payload)
	return revision{content.OwnerUsername, base, text}, err
}
