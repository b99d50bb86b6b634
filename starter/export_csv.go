package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"postonce/ledger"
)

// tableCSV writes rows as CSV (RFC 4180): a line with the columns' names first, null as nothing, documents as JSON.
type tableCSV struct{ *csv.Writer }

func newTableCSV(w io.Writer) tableCSV { return tableCSV{csv.NewWriter(w)} }

func (t tableCSV) names(table ledger.ArchiveTable) error {
	var names []string
	for _, c := range table.Columns {
		names = append(names, c.Name)
	}
	return t.Write(names)
}

func (t tableCSV) row(table ledger.ArchiveTable, row json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(row, &fields); err != nil {
		return err
	}
	var cells []string
	for _, c := range table.Columns {
		cells = append(cells, cell(fields[c.Name]))
	}
	return t.Write(cells)
}

// cell is a value for a spreadsheet. A text that a spreadsheet would take for a formula gets an apostrophe in front:
// such texts come from other people too (OWASP, "CSV Injection").
func cell(raw json.RawMessage) string {
	var text string
	switch {
	case string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &text) != nil:
		return string(raw)
	case text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])):
		return "'" + text
	}
	return text
}

// oneTable is the sink for one table of an export.
type oneTable struct {
	name string
	csv  tableCSV
}

func (o *oneTable) Begin(_ ledger.ArchiveHeader, tables []ledger.ArchiveTable) error {
	i := slices.IndexFunc(tables, func(t ledger.ArchiveTable) bool { return t.Name == o.name })
	if i < 0 {
		var names []string
		for _, t := range tables {
			names = append(names, t.Name)
		}
		return usage(fmt.Sprintf("--table: %q is none", o.name), "the tables are "+strings.Join(names, ", "))
	}
	if err := o.csv.names(tables[i]); err != nil {
		return err
	}
	o.csv.Flush()
	return o.csv.Error()
}

func (o *oneTable) Row(table ledger.ArchiveTable, row json.RawMessage) error {
	if table.Name != o.name {
		return nil
	}
	if err := o.csv.row(table, row); err != nil {
		return err
	}
	o.csv.Flush()
	return o.csv.Error()
}

// End has nothing to add.
func (o *oneTable) End() error { return nil }

// folder is the sink for one file per table.
type folder struct {
	dir   string
	files map[string]*os.File
	csvs  map[string]tableCSV
}

func (f *folder) Begin(_ ledger.ArchiveHeader, tables []ledger.ArchiveTable) error {
	for _, t := range tables {
		file, err := os.OpenFile(filepath.Join(f.dir, t.Name+".csv"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		f.files[t.Name], f.csvs[t.Name] = file, newTableCSV(file)
		if err := f.csvs[t.Name].names(t); err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) Row(table ledger.ArchiveTable, row json.RawMessage) error {
	return f.csvs[table.Name].row(table, row)
}

// End has nothing to add: close writes out what is left.
func (f *folder) End() error { return nil }

func (f *folder) close() (err error) {
	for name, file := range f.files {
		f.csvs[name].Flush()
		for _, failure := range []error{f.csvs[name].Error(), file.Close()} {
			if err == nil {
				err = failure
			}
		}
	}
	return err
}

func (a *app) exportFolder(ctx context.Context, l *ledger.Ledger, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return usage("--out: "+err.Error(), "name a folder")
	}
	f := &folder{dir: dir, files: map[string]*os.File{}, csvs: map[string]tableCSV{}}
	err := l.Export(ctx, f)
	if closed := f.close(); err == nil {
		err = closed
	}
	return asFailure(err)
}
