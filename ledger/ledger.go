package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	connectTimeout = 5 * time.Second
	pingTimeout    = 2 * time.Second
	// callTimeout bounds every method, also when the network swallows packets and no answer ever comes.
	callTimeout = 20 * time.Second
)

// serverTimeouts bound what a call may keep the server, and others, waiting (PostgreSQL, Client Connection Defaults).
// The last one frees the locks of a worker whose machine vanished in the middle of a transaction.
var serverTimeouts = map[string]string{
	"lock_timeout":                        "5s",
	"statement_timeout":                   "10s",
	"idle_in_transaction_session_timeout": "10s",
	"application_name":                    "postonce",
}

// Ledger is a pool of connections to the ledger's database. Its methods may be called from several goroutines, and
// any number of processes may share one database.
type Ledger struct {
	pool *pgxpool.Pool
}

// Open prepares a pool for databaseURL (postgres://USER:PASSWORD@HOST:PORT/DATABASE), which must lead to the server or
// to a pooler that keeps sessions: settings of the session are relied on. It neither connects nor migrates, so that a
// worker can start before its database. No error of the package shows the password.
func Open(ctx context.Context, databaseURL string) (*Ledger, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil || databaseURL == "" { // an empty address would silently mean this machine
		// The parser's own words repeat the address, and a malformed one hides the password where no rule finds it.
		return nil, errors.New("DATABASE_URL cannot be read; write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of the password percent-encoded")
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	for name, value := range serverTimeouts {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	// A claim that was acknowledged must survive a crash of the server, or it could be claimed again: whatever the
	// server's default is, a commit waits for the disk.
	config.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	// A connection that died while it was idle is found before it is used: after a restart of PostgreSQL the first call
	// succeeds.
	config.PingTimeout = pingTimeout
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return true }
	config.AfterConnect = scanTimesInUTC
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return &Ledger{pool: pool}, nil
}

func scanTimesInUTC(_ context.Context, conn *pgx.Conn) error {
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC}})
	return nil
}

// Close closes every connection, once calls in progress have ended.
func (l *Ledger) Close() { l.pool.Close() }

// Ping tells whether the database answers.
func (l *Ledger) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := l.pool.Ping(ctx); err != nil {
		return fmt.Errorf("ledger: PostgreSQL does not answer: %w", err)
	}
	return nil
}

// errNoChange rolls a transaction back without being an error: nothing was to be written.
var errNoChange = errors.New("nothing to change")

// commitError is a failure of the commit itself: what the transaction wrote may be there or not.
type commitError struct{ err error }

func (e *commitError) Error() string { return "commit: " + e.err.Error() }
func (e *commitError) Unwrap() error { return e.err }

// inTx runs fn in a transaction. Every error but a commitError proves that nothing was written.
func (l *Ledger) inTx(ctx context.Context, options pgx.TxOptions, fn func(context.Context, pgx.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if options.IsoLevel == "" {
		options.IsoLevel = pgx.ReadCommitted // lock relies on it: statements after a wait must see what was committed meanwhile
	}
	tx, err := l.pool.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	err = fn(ctx, tx)
	if err == nil {
		err = context.Cause(ctx) // after the commit is sent, nobody could say that it did not happen
	}
	if err != nil {
		_ = tx.Rollback(ctx) // a connection that cannot roll back is closed, which rolls back
		if errors.Is(err, errNoChange) {
			return nil
		}
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return &commitError{err}
	}
	return nil
}
