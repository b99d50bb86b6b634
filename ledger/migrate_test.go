package ledger

import (
	"context"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/tern/v2/migrate"

	"postonce/internal/postgrestest"
	"postonce/publication"
)

func TestManyWorkersMayMigrateAtOnce(t *testing.T) {
	url := postgrestest.URL(t)
	var group sync.WaitGroup
	for range 5 {
		worker := openPool(t, url)
		group.Go(func() {
			if err := worker.Migrate(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	fixture{openPool(t, url), t, url}.planned()
}

func TestMigratingAgainKeepsWhatIsThere(t *testing.T) {
	f := newFixture(t)
	f.planned()
	f.changesNothing(func() error { return f.Migrate(context.Background()) })
}

func TestANewerDatabaseIsLeftAlone(t *testing.T) {
	f := newFixture(t)
	_, err := f.pool.Exec(context.Background(), `update ledger_version set version = 999`)
	f.must(err)
	if err := f.Migrate(context.Background()); err == nil || !strings.Contains(err.Error(), "newer postonce") {
		t.Errorf("got %v", err)
	}
}

// What an earlier version wrote gets its reference, and stays as it was.
func TestRowsOfTheFirstVersionGetTheirReference(t *testing.T) {
	url := postgrestest.URL(t)
	f := fixture{openPool(t, url), t, url}
	ctx := context.Background()
	f.migrateTo(2)
	_, err := f.pool.Exec(ctx, `insert into operations (operation, account, lane, state, payload, digest, proposed_by)
		select o, 'autora', 'home', 'proposed', $1, $2, 'ana' from unnest(array['publish/autora/ola', 'publish/autora/ola-2']) o`,
		string(payload("texto").CanonicalJSON()), payload("texto").Digest())
	f.must(err)
	_, err = f.pool.Exec(ctx, `insert into attempts (operation, number, outcome, digest, token, claimed_at, send_by)
		select operation, 1, 'sending', digest, 'x', now(), now() from operations`)
	f.must(err)
	f.must(f.Migrate(ctx))
	for id, want := range map[publication.OperationID]string{op: "autora/ola", "publish/autora/ola-2": "autora/ola-2"} {
		if rec := f.get(id); rec.Reference != want || rec.Base != nil || rec.Payload != payload("texto") {
			t.Errorf("got %+v", rec)
		}
	}
	if n := f.count(`select count(*) from attempts a join operations o using (operation) where a.reference = o.reference`); n != 2 {
		t.Errorf("%d attempts have their reference", n)
	}
}

// migrateTo brings the schema to an earlier version.
func (f fixture) migrateTo(version int32) {
	f.t.Helper()
	ctx := context.Background()
	conn, err := f.pool.Acquire(ctx)
	f.must(err)
	defer conn.Release()
	migrator, err := migrate.NewMigrator(ctx, conn.Conn(), versionTable)
	f.must(err)
	folder, err := fs.Sub(migrations, "migrations")
	f.must(err)
	f.must(migrator.LoadMigrations(folder))
	f.must(migrator.MigrateTo(ctx, version))
}

// The reference that PostgreSQL derives is the one that Go does.
func TestGoAndSQLDeriveTheSameReference(t *testing.T) {
	f := newFixture(t)
	f.must(f.Record(context.Background(), trackRequest(identity, "texto")))
	for _, id := range []publication.OperationID{op, reviseOp, removeOp, removeSecond} {
		f.open(anyRequest(id, "run-1"))
	}
	all, err := f.List(context.Background(), Filter{})
	f.must(err)
	for _, rec := range all {
		if rec.Reference != rec.Operation.Reference().String() {
			t.Errorf("%s has the reference %s", rec.Operation, rec.Reference)
		}
	}
}

func TestEveryTableSaysWhatItIsFor(t *testing.T) {
	f := newFixture(t)
	if n := f.count(`select count(*) from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
		and relname <> 'ledger_version' and obj_description(oid) is null`); n != 0 {
		t.Errorf("%d tables have no comment", n)
	}
}
