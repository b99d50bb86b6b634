package ledger

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/tern/v2/migrate"
)

//go:embed migrations/*.sql
var migrations embed.FS

// versionTable is unqualified on purpose: it lives in the first schema of the connection's search_path, as the rest.
const versionTable = "ledger_version"

// Migrate brings the database to this program's schema. Any number of processes may call it at once: an advisory lock
// lets one work and the others find it done. It waits as long as ctx allows.
func (l *Ledger) Migrate(ctx context.Context) error {
	conn, err := l.patientConn(ctx) // waiting for another worker's migration is no fault
	if err != nil {
		return fmt.Errorf("ledger: migrate: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := migrateConn(ctx, conn); err != nil {
		return fmt.Errorf("ledger: migrate: %w", err)
	}
	return nil
}

func migrateConn(ctx context.Context, conn *pgx.Conn) error {
	migrator, err := migrate.NewMigrator(ctx, conn, versionTable)
	if err != nil {
		return err
	}
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	if err := migrator.LoadMigrations(folder); err != nil {
		return err
	}
	err = migrator.Migrate(ctx)
	var newer migrate.BadVersionError
	if errors.As(err, &newer) {
		return fmt.Errorf("the database was migrated by a newer postonce; run that version or a newer one: %w", err)
	}
	return err
}

// currentSchema is the number of the newest migration that this program knows.
func currentSchema() int {
	files, _ := fs.Glob(migrations, "migrations/*.sql") // the only error is a malformed pattern
	return len(files)
}
