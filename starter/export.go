package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"postonce/ledger"
)

// exportFlags say in which form and where to.
type exportFlags struct{ format, out, table string }

func (a *app) exportCommand() *cobra.Command {
	var flags exportFlags
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write everything that the ledger holds, as of one moment",
		Long: `Write everything that the ledger holds, as of one moment.

jsonl is complete, one JSON document a line, and what starter import reads. csv is for spreadsheets: one file per table
in the folder --out, or one table with --table.`,
		Example: "  starter export --out ledger.jsonl\n  starter export --format csv --out folder",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.export(cmd.Context(), flags) },
	}
	cmd.Flags().StringVar(&flags.format, "format", "jsonl", "jsonl or csv")
	cmd.Flags().StringVar(&flags.out, "out", "", "file, or folder for csv (default: standard output)")
	cmd.Flags().StringVar(&flags.table, "table", "", "csv: this table alone")
	return cmd
}

func (f exportFlags) check() error {
	switch {
	case f.format != "jsonl" && f.format != "csv":
		return usage(fmt.Sprintf("--format: %q is none", f.format), "it is jsonl, which is complete, or csv, for spreadsheets")
	case f.format == "jsonl" && f.table != "":
		return usage("--table: jsonl has all tables", "leave it out, or give --format csv")
	case f.format == "csv" && f.table == "" && f.out == "":
		return usage("--out: csv is one file per table", "name a folder with --out, or one table with --table")
	}
	return nil
}

func (a *app) export(ctx context.Context, flags exportFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	l, err := a.wholeLedger(ctx, "export")
	if err != nil {
		return err
	}
	defer l.Close()
	if flags.format == "csv" && flags.table == "" {
		return a.exportFolder(ctx, l, flags.out)
	}
	return a.into(flags.out, func(w io.Writer) error {
		var sink ledger.ArchiveSink = ledger.NewJSONLines(w)
		if flags.format == "csv" {
			sink = &oneTable{name: flags.table, csv: newTableCSV(w)}
		}
		return asFailure(l.Export(ctx, sink))
	})
}

// wholeLedger is the ledger for what the commands do to it as a whole.
func (a *app) wholeLedger(ctx context.Context, command string) (*ledger.Ledger, error) {
	url := a.getenv("DATABASE_URL")
	if url == "" {
		return nil, needsLedger(command)
	}
	l, err := ledger.Open(ctx, url)
	if err != nil {
		return nil, badInput(err)
	}
	return l, nil
}

// into writes a file, or standard output when no name is given. The file appears once it is complete; what it holds is
// for its owner.
func (a *app) into(path string, write func(io.Writer) error) error {
	if path == "" {
		a.printed = true
		out := bufio.NewWriter(a.stdout)
		if err := write(out); err != nil {
			return err
		}
		return asFailure(out.Flush())
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return usage("--out: "+err.Error(), "name a file in a folder that is there")
	}
	defer os.Remove(file.Name()) // once renamed, it is not there any more
	out := bufio.NewWriter(file)
	err = write(out)
	if err == nil {
		err = asFailure(out.Flush())
	}
	if closed := file.Close(); err == nil {
		err = asFailure(closed)
	}
	if err != nil {
		return err
	}
	return asFailure(os.Rename(file.Name(), path))
}
