package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Export hands everything that the ledger holds to the sink, as of one moment. Two exports of the same rows differ in
// nothing but the header's time. It takes as long as ctx allows.
func (l *Ledger) Export(ctx context.Context, sink ArchiveSink) error {
	conn, err := l.patientConn(ctx)
	if err != nil {
		return fmt.Errorf("ledger: export: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = pgx.BeginTxFunc(ctx, conn, oneMoment, func(tx pgx.Tx) error { return export(ctx, tx, sink) })
	if err != nil {
		return fmt.Errorf("ledger: export: %w", err)
	}
	return nil
}

// patientConn is a connection for what may take its time: a migration, an export, an import. Nobody waits behind it for
// a send.
func (l *Ledger) patientConn(ctx context.Context) (*pgx.Conn, error) {
	config := l.pool.Config().ConnConfig.Copy()
	for _, name := range []string{"lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"} {
		config.RuntimeParams[name] = "0"
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return conn, scanTimesInUTC(ctx, conn)
}

func export(ctx context.Context, tx pgx.Tx, sink ArchiveSink) error {
	if _, err := tx.Exec(ctx, `set local timezone to 'UTC'`); err != nil {
		return err
	}
	tables, err := archiveTables(ctx, tx)
	if err != nil {
		return err
	}
	header, err := archiveHeader(ctx, tx, tables)
	if err != nil {
		return err
	}
	if err := sink.Begin(header, tables); err != nil {
		return err
	}
	for _, t := range tables {
		if err := exportTable(ctx, tx, t, sink); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return sink.End()
}

func archiveHeader(ctx context.Context, tx pgx.Tx, tables []ArchiveTable) (ArchiveHeader, error) {
	h := ArchiveHeader{Format: ArchiveFormat, Version: ArchiveVersion, Rows: map[string]int{}}
	if err := tx.QueryRow(ctx, `select version, now() from `+versionTable).Scan(&h.Schema, &h.ExportedAt); err != nil {
		return h, err
	}
	for _, t := range tables {
		var n int
		if err := tx.QueryRow(ctx, `select count(*) from `+t.sqlName()).Scan(&n); err != nil {
			return h, err
		}
		h.Rows[t.Name] = n
	}
	return h, nil
}

func exportTable(ctx context.Context, tx pgx.Tx, t ArchiveTable, sink ArchiveSink) error {
	rows, err := tx.Query(ctx, t.selectRows())
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var text []byte
		if err := rows.Scan(&text); err != nil {
			return err
		}
		var line bytes.Buffer // documents are embedded as they were stored, line breaks between their parts included
		if err := json.Compact(&line, text); err != nil {
			return err
		}
		if err := sink.Row(t, line.Bytes()); err != nil {
			return err
		}
	}
	return rows.Err()
}
