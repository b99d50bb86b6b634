package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"time"
)

// ArchiveFormat and ArchiveVersion name the form of an export. The version grows when an older program could not read
// a newer file.
const (
	ArchiveFormat  = "postonce ledger"
	ArchiveVersion = 1
)

// ArchiveHeader is the first line of an export.
type ArchiveHeader struct {
	Format     string    `json:"format"`
	Version    int       `json:"version"`
	Schema     int       `json:"schema"`      // number of the newest migration of the database that was exported
	ExportedAt time.Time `json:"exported_at"` // the one moment of all rows, on PostgreSQL's clock
	// Rows counts the lines of each table, so that a file that was cut short is seen.
	Rows map[string]int `json:"rows"`
}

// ArchiveError says what is wrong with the file that was to be imported: it is cut short, it is no export, or it breaks
// a rule. Nothing of it was kept.
type ArchiveError struct{ Err error }

// Error names the line or the operation, and the rule.
func (e *ArchiveError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *ArchiveError) Unwrap() error { return e.Err }

// inArchive makes of what a file holds an error of the file.
func inArchive(err error) error {
	if err == nil {
		return nil
	}
	return &ArchiveError{err}
}

// archiveLine is every other line of an export.
type archiveLine struct {
	Table string          `json:"table"`
	Row   json.RawMessage `json:"row"`
}

// archiveSeal is the last line of an export: the SHA-256, in hexadecimal, of all lines between the header and it, each with
// one line feed at its end. It tells a file that was cut or edited; it is no signature.
type archiveSeal struct {
	SHA256 string `json:"sha256"`
}

// ArchiveSink takes an export: the header, then the rows of one table after the other, in an order that lets every row
// refer to earlier ones only. A row is a JSON object with the table's columns. End comes after the last row.
type ArchiveSink interface {
	Begin(ArchiveHeader, []ArchiveTable) error
	Row(table ArchiveTable, row json.RawMessage) error
	End() error
}

// JSONLines is the complete form of an export, the one that Import reads: JSON Lines, the header first.
type JSONLines struct {
	plain, rows *json.Encoder
	sum         hash.Hash // of the rows
}

// NewJSONLines gives the sink that writes the form that Import reads.
func NewJSONLines(w io.Writer) *JSONLines {
	sum := sha256.New()
	j := &JSONLines{json.NewEncoder(w), json.NewEncoder(io.MultiWriter(w, sum)), sum}
	j.rows.SetEscapeHTML(false) // a payload's bytes stay as they are
	return j
}

// Begin writes the header.
func (j *JSONLines) Begin(h ArchiveHeader, _ []ArchiveTable) error { return j.plain.Encode(h) }

// Row writes one line.
func (j *JSONLines) Row(table ArchiveTable, row json.RawMessage) error {
	return j.rows.Encode(archiveLine{table.Name, row})
}

// End writes the last line.
func (j *JSONLines) End() error {
	return j.plain.Encode(archiveSeal{hex.EncodeToString(j.sum.Sum(nil))})
}
