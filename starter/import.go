package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"postonce/ledger"
	"postonce/publication"
)

func (a *app) importCommand() *cobra.Command {
	var by string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Rebuild an empty ledger from an export; sends nothing",
		Long: `Rebuild an empty ledger from what starter export --format jsonl wrote; - reads standard input. All or nothing, and
nothing is sent. What the export's moment left open cannot go on by itself: what was being sent is unknown, and what was
approved waits for an approval again. Ask starter audit afterwards what has happened since.`,
		Args: oneArgument("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.importFile(cmd.Context(), args[0], by, cmd.InOrStdin())
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "who imports (default: your login name)")
	return cmd
}

func (a *app) importFile(ctx context.Context, path, by string, stdin io.Reader) error {
	by, err := a.person(by)
	if err != nil {
		return err
	}
	source := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return usage("FILE: "+err.Error(), "give what `starter export --format jsonl` wrote")
		}
		defer file.Close()
		source = file
	}
	l, err := a.wholeLedger(ctx, "import")
	if err != nil {
		return err
	}
	defer l.Close()
	result, err := l.Import(ctx, source, by)
	var file *ledger.ArchiveError
	switch {
	case errors.Is(err, ledger.ErrNotEmpty), errors.As(err, &file):
		return badInput(err)
	case err != nil:
		return failed(err)
	}
	return a.tellImport(result)
}

// imported is the document of --json.
type imported struct {
	ledger.ArchiveHeader
	Unknown  []publication.OperationID `json:"unknown"`  // were being sent
	Proposed []publication.OperationID `json:"proposed"` // were approved
}

func (a *app) tellImport(r ledger.ImportResult) error {
	for _, op := range r.Unknown {
		a.say("%s was being sent, or about to be sent again: it is unknown; look with `starter status %s`", op, op)
	}
	for _, op := range r.Proposed {
		a.say("%s was approved and not sent: it waits for an approval again", op)
	}
	a.say("imported %d operations as of %s; `starter audit` tells what has happened since", r.Header.Rows["operations"], publication.Moment(r.Header.ExportedAt))
	if !a.json {
		return nil
	}
	document := imported{r.Header, r.Unknown, r.Proposed}
	if document.Unknown == nil {
		document.Unknown = []publication.OperationID{}
	}
	if document.Proposed == nil {
		document.Proposed = []publication.OperationID{}
	}
	return a.printJSON(document)
}
