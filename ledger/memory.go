package ledger

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// memorySQL names the ledger's unbroken memory by what no dump and no export carries: the cluster (initdb makes the
// number), the database, the table of attempts and the file that holds it (drop, restore, import and truncate make new
// ones), and the cluster's timeline (a point-in-time recovery and a failover begin another). PostgreSQL, "System
// Information Functions", "Database Object Size Functions", "Backup Control Functions". The timeline is the first eight
// digits of a WAL file's name. A copy of the cluster's files that is put back without a recovery is not seen.
const memorySQL = `select concat_ws('/', (select system_identifier from pg_control_system()),
	(select oid from pg_database where datname = current_database()), 'attempts'::regclass::oid,
	pg_relation_filenode('attempts'), left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))`

// Memory names the ledger's memory: two equal names say that nothing was forgotten in between. Another one does not say
// that something was.
func (l *Ledger) Memory(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	memory, err := memoryOf(ctx, l.pool)
	if err != nil {
		return "", fmt.Errorf("ledger: memory: %w", err)
	}
	return memory, nil
}

func memoryOf(ctx context.Context, q querier) (memory string, err error) {
	err = q.QueryRow(ctx, memorySQL).Scan(&memory)
	return memory, err
}

// remembers reports whether the memory is unbroken since it had this name. Only then does a missing row prove anything.
// An empty name comes from a run that began before memories had names.
func remembers(ctx context.Context, tx pgx.Tx, since string) (bool, error) {
	if since == "" {
		return true, nil
	}
	memory, err := memoryOf(ctx, tx)
	return memory == since, err
}
