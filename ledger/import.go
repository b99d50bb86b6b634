package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"postonce/publication"
)

// ImportResult tells what an import brought.
type ImportResult struct {
	Header ArchiveHeader
	// Unknown were being sent, or were to be sent again on a person's word, when the export was made: whether anything
	// was sent since, the export cannot say.
	Unknown []publication.OperationID
	// Proposed were approved and not sent yet: they wait for an approval again.
	Proposed []publication.OperationID
}

// ErrNotEmpty says that a ledger holds something already: an import rebuilds, it does not mix.
var ErrNotEmpty = errors.New("the ledger is not empty, and an import rebuilds an empty one; give it another database, or drop this one first")

// Import rebuilds an empty ledger from what Export wrote as JSON Lines, all or nothing, and migrates it before. Every
// rule of the database and every journal is checked. What the export's moment left open comes back so that it cannot
// send by itself: the journal tells of it under the event imported, in the name of by.
func (l *Ledger) Import(ctx context.Context, r io.Reader, by string) (ImportResult, error) {
	if strings.TrimSpace(storable(by)) == "" {
		return ImportResult{}, errors.New("ledger: import: it names nobody; say who imports")
	}
	source, err := newArchiveReader(r, currentSchema())
	if err != nil {
		return ImportResult{}, fmt.Errorf("ledger: import: %w", inArchive(err))
	}
	if err := l.Migrate(ctx); err != nil {
		return ImportResult{}, err
	}
	conn, err := l.patientConn(ctx)
	if err != nil {
		return ImportResult{}, fmt.Errorf("ledger: import: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	i := &importing{source: source, by: by, result: ImportResult{Header: source.header}}
	if err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { i.tx = tx; return i.run(ctx) }); err != nil {
		return ImportResult{}, fmt.Errorf("ledger: import: %w", err)
	}
	return i.result, nil
}

// importing is one import in its transaction.
type importing struct {
	tx     pgx.Tx
	source *archiveReader
	tables []ArchiveTable
	by     string
	result ImportResult
}

func (i *importing) run(ctx context.Context) (err error) {
	if i.tables, err = archiveTables(ctx, i.tx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{i.mustBeEmpty, i.insertAll, i.numberOn, i.takeUpAll} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// mustBeEmpty also keeps every worker from writing until the import has ended.
func (i *importing) mustBeEmpty(ctx context.Context) error {
	for _, t := range i.tables {
		if _, err := i.tx.Exec(ctx, `lock table `+t.sqlName()+` in share row exclusive mode`); err != nil {
			return err
		}
	}
	if err := i.clearIdle(ctx); err != nil {
		return err
	}
	for _, t := range i.tables {
		var there bool
		if err := i.tx.QueryRow(ctx, `select exists (select from `+t.sqlName()+`)`).Scan(&there); err != nil {
			return err
		}
		if there {
			return fmt.Errorf("%s: %w", t.Name, ErrNotEmpty)
		}
	}
	return nil
}

// clearIdle takes away what a worker writes at its start, before it has anything to do: it makes it again. A lane that was
// used or paused is none of that.
func (i *importing) clearIdle(ctx context.Context) error {
	for _, statement := range []string{`delete from watchers`, `delete from lanes where last_start is null and probed_until is null and paused_at is null`} {
		if _, err := i.tx.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// batchSize is how many rows are sent at a time.
const batchSize = 200

func (i *importing) insertAll(ctx context.Context) error {
	var batch pgx.Batch
	var lines []int
	flush := func() error {
		err := i.send(ctx, &batch, lines)
		batch, lines = pgx.Batch{}, nil
		return err
	}
	for {
		t, row, err := i.source.next(i.tables)
		if err != nil {
			return inArchive(err)
		}
		if row == nil {
			return flush()
		}
		statement, values, err := t.insertion(row)
		if err != nil {
			return inArchive(fmt.Errorf("line %d: %s: %w", i.source.number, t.Name, err))
		}
		batch.Queue(statement, values...)
		if lines = append(lines, i.source.number); len(lines) == batchSize {
			if err := flush(); err != nil {
				return err
			}
		}
	}
}

// send inserts a batch; the error names the line that PostgreSQL refused and its rule.
func (i *importing) send(ctx context.Context, batch *pgx.Batch, lines []int) error {
	if len(lines) == 0 {
		return nil
	}
	results := i.tx.SendBatch(ctx, batch)
	defer results.Close()
	for _, line := range lines {
		if _, err := results.Exec(); err != nil {
			var refused *pgconn.PgError
			if errors.As(err, &refused) && aboutData(refused) {
				return inArchive(fmt.Errorf("line %d: PostgreSQL refuses it: %s (%s)", line, refused.Message, refused.Detail))
			}
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	return nil
}

// aboutData tells a value that PostgreSQL cannot take, or one of its rules that a row breaks, from trouble of its own
// (PostgreSQL, "Error Codes", classes 22 and 23).
func aboutData(refused *pgconn.PgError) bool {
	return strings.HasPrefix(refused.Code, "22") || strings.HasPrefix(refused.Code, "23")
}
