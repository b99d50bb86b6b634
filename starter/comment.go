package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/starter/frontmatter"
	"postonce/tabnews"
)

// commentFlags are the choices of `starter comment`.
type commentFlags struct {
	approvalFlags
	scheduleFlags
	on, operation string
	dryRun, again bool
}

func (a *app) commentCommand() *cobra.Command {
	var flags commentFlags
	cmd := &cobra.Command{
		Use:   "comment --on OWNER/SLUG FILE",
		Short: "Answer a content, at most once",
		Long: `Read the content that is answered, show the comment exactly as it would be sent, ask, and publish it at most once.
FILE is Markdown; its front matter (title, slug, source_url, status) may be left out.

Without a slug the comment gets one made from the account, the answered content and the text: the same comment sent
again is the same operation, and starts nothing. --operation NAME makes a second one of the same text.`,
		Example: "  starter comment --on ana/ola resposta.md\n  starter comment --on ana/ola --yes --operation segunda resposta.md",
		Args:    oneArgument("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.comment(cmd.Context(), args[0], flags)
		},
	}
	f := cmd.Flags()
	flags.approvalFlags.register(f)
	flags.registerSchedule(f)
	f.StringVar(&flags.on, "on", "", "the content that is answered, `OWNER/SLUG` or the page's address")
	f.StringVar(&flags.operation, "operation", "", "a `NAME` that makes it another operation than the same comment before")
	f.BoolVar(&flags.again, "again", false, "publish anew what was removed, as another comment")
	f.BoolVar(&flags.dryRun, "dry-run", false, "read what is answered, show the exact request body and send nothing")
	return cmd
}

func (a *app) comment(ctx context.Context, file string, flags commentFlags) error {
	on, err := a.checkComment(flags)
	if err != nil {
		return err
	}
	document, err := readText(file)
	if err != nil {
		return err
	}
	by, account, err := a.who(ctx, flags.approvalFlags)
	if err != nil {
		return err
	}
	schedule, err := flags.wanted()
	if err != nil {
		return err
	}
	view, err := a.answer(ctx, on, document, account, flags.operation)
	if err != nil {
		return err
	}
	view.Schedule = schedule
	if flags.dryRun {
		return a.showDryRun(view)
	}
	in := inputOf(view.Payload, account, by)
	if in.Operation, err = a.publicationID(ctx, in.Operation.Reference(), flags.again); err != nil {
		return err
	}
	in.Schedule = a.heldTime(ctx, in.Operation, schedule)
	view.Schedule = in.Schedule
	a.preview(a.drawPreview(view))
	return a.submitHere(ctx, in, flags.noWait, a.approval(flags.approvalFlags))
}

// answer makes the comment on what can be read now. What nobody can read is refused: nobody would see the comment.
func (a *app) answer(ctx context.Context, on publication.Reference, document frontmatter.Document, account, name string) (terminal.Preview, error) {
	parent, err := a.read(ctx, on)
	if err != nil {
		return terminal.Preview{}, notPublic(err, "comment", "check --on; nothing was started")
	}
	text, err := commentText(document, account, parent.ID, name)
	view := a.previewOf(text, account)
	view.Parent = parentWords(parent)
	return view, err
}

func (a *app) checkComment(flags commentFlags) (publication.Reference, error) {
	if strings.TrimSpace(flags.on) == "" {
		return publication.Reference{}, usage("comment: what it answers is not named", "give --on OWNER/SLUG")
	}
	on, err := a.reference(flags.on)
	if err != nil {
		return on, badInput(fmt.Errorf("--on: %w", err))
	}
	if flags.operation != "" && (publication.ValidSlug(flags.operation) != nil || len(flags.operation) > longestName) {
		return on, usage(fmt.Sprintf("--operation: %q must be at most %d of a-z, 0-9 and single hyphens between them", publication.Clip(flags.operation, 60), longestName), "write it like segunda")
	}
	if flags.dryRun {
		return on, nil
	}
	return on, a.checkApproval("comment", flags.approvalFlags)
}

// parentWords say what is answered, so that a wrong --on is seen before it is too late. Comments may have no title.
func parentWords(parent tabnews.Content) string {
	title := parent.Title
	if title == "" {
		title = terminal.Line(parent.Body)
	}
	return fmt.Sprintf("%q by %s (%s)", publication.Clip(title, 80), parent.OwnerUsername, parent.Reference())
}
