package ledger

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strings"
)

// archiveReader reads an export line by line. Its errors name the line and the field.
type archiveReader struct {
	lines  *bufio.Reader
	number int
	header ArchiveHeader
	seen   map[string]int // rows of each table so far
	sum    hash.Hash      // of the rows so far
}

// lineLimit bounds what is read into memory for one line, so that another kind of file is not read whole.
const lineLimit = 64 << 20

func newArchiveReader(r io.Reader, schema int) (*archiveReader, error) {
	a := &archiveReader{lines: bufio.NewReader(r), seen: map[string]int{}, sum: sha256.New()}
	line, err := a.line()
	if err != nil {
		return nil, fmt.Errorf("line 1: the header is missing: %w; give a file that `starter export --format jsonl` wrote", err)
	}
	if err := strict(line, &a.header); err != nil || a.header.Format != ArchiveFormat {
		return nil, fmt.Errorf("line 1: it is not the header of an export (format %q); give a file that `starter export --format jsonl` wrote", ArchiveFormat)
	}
	switch h := a.header; {
	case h.Version != ArchiveVersion:
		return nil, fmt.Errorf("line 1: version: this program reads version %d, and the file has %d; import it with the postonce that wrote it", ArchiveVersion, h.Version)
	case h.Schema > schema:
		return nil, fmt.Errorf("line 1: schema: the file was exported from schema %d, and this program knows %d; use a newer postonce", h.Schema, schema)
	}
	return a, nil
}

// line gives the next line, or io.EOF.
func (a *archiveReader) line() ([]byte, error) {
	a.number++
	var line []byte
	for {
		part, err := a.lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(line) < lineLimit:
			continue
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("longer than %d bytes", lineLimit)
		case err == io.EOF && len(bytes.TrimSpace(line)) > 0:
			return line, nil
		}
		return line, err
	}
}

// next gives the next row; nil after the last one, when none is missing.
func (a *archiveReader) next(tables []ArchiveTable) (ArchiveTable, map[string]json.RawMessage, error) {
	line, err := a.line()
	if errors.Is(err, io.EOF) {
		return ArchiveTable{}, nil, errors.Join(a.complete(), fmt.Errorf("line %d: the last line of an export is missing: the file ends early; export again", a.number))
	}
	if err != nil {
		return ArchiveTable{}, nil, fmt.Errorf("line %d: %w", a.number, err)
	}
	var seal archiveSeal
	if strict(line, &seal) == nil {
		return ArchiveTable{}, nil, a.end(seal)
	}
	a.sum.Write(append(bytes.TrimRight(line, "\r\n"), '\n'))
	t, row, err := a.row(line, tables)
	if err != nil {
		return t, nil, fmt.Errorf("line %d: %w", a.number, err)
	}
	a.seen[t.Name]++
	return t, row, nil
}

func (a *archiveReader) row(line []byte, tables []ArchiveTable) (ArchiveTable, map[string]json.RawMessage, error) {
	var l archiveLine
	if err := strict(line, &l); err != nil {
		return ArchiveTable{}, nil, fmt.Errorf("it is not a row of an export: %w", err)
	}
	i := slices.IndexFunc(tables, func(t ArchiveTable) bool { return t.Name == l.Table })
	if i < 0 {
		return ArchiveTable{}, nil, fmt.Errorf("table: %q is none of the ledger's", l.Table)
	}
	var row map[string]json.RawMessage
	if err := json.Unmarshal(l.Row, &row); err != nil || row == nil {
		return tables[i], nil, fmt.Errorf("row: it is not an object")
	}
	return tables[i], row, a.checkColumns(tables[i], row)
}

// checkColumns refuses what the table has no place for. A column that a later migration added is missing in an older
// file, and gets its default.
func (a *archiveReader) checkColumns(t ArchiveTable, row map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(row)) {
		if t.column(name) == nil {
			return fmt.Errorf("row: %s has no field %q", t.Name, name)
		}
	}
	for _, c := range t.Columns {
		if _, there := row[c.Name]; !there && a.header.Schema == currentSchema() {
			return fmt.Errorf("row: the field %q of %s is missing", c.Name, t.Name)
		}
	}
	return nil
}

// end holds that nothing is missing, was changed, or follows the last line.
func (a *archiveReader) end(seal archiveSeal) error {
	if err := a.complete(); err != nil {
		return err
	}
	if sum := hex.EncodeToString(a.sum.Sum(nil)); sum != seal.SHA256 {
		return fmt.Errorf("line %d: sha256: the lines before are not those that were exported: the file was changed; import it as it was, or export again", a.number)
	}
	if _, err := a.line(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: something follows the last line of an export", a.number)
	}
	return nil
}

// complete holds that every row that the header announces was there, and no other.
func (a *archiveReader) complete() error {
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(a.header.Rows)) {
		if got, want := a.seen[name], a.header.Rows[name]; got != want {
			missing = append(missing, fmt.Sprintf("%s has %d rows, the header announces %d", name, got, want))
		}
	}
	if missing != nil {
		return fmt.Errorf("line %d: the file ends early or was put together: %s; export again", a.number, strings.Join(missing, ", "))
	}
	for name := range a.seen {
		if a.header.Rows[name] == 0 {
			return fmt.Errorf("line %d: the header announces no row of %s; export again", a.number, name)
		}
	}
	return nil
}

// strict reads one JSON document that has no other fields than into.
func strict(line []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something follows the document")
	}
	return nil
}
