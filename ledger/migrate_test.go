package ledger

import (
	"context"
	"strings"
	"sync"
	"testing"

	"postonce/internal/postgrestest"
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

func TestEveryTableSaysWhatItIsFor(t *testing.T) {
	f := newFixture(t)
	if n := f.count(`select count(*) from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
		and relname <> 'ledger_version' and obj_description(oid) is null`); n != 0 {
		t.Errorf("%d tables have no comment", n)
	}
}
