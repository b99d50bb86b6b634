package postgres

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// Options of a cluster. The zero value of what is not named is the durable, careful one.
type Options struct {
	Dir      string    // holds the data and the password; made when it is missing, taken up when it is there
	Port     int       // on 127.0.0.1; 0: a free one, kept over Restart
	Log      io.Writer // the server's log; nil: none
	Volatile bool      // for tests: no fsync, so that a crash of the machine may lose the data
}

// Cluster is a running PostgreSQL server of our own. Its methods may be called from several goroutines.
type Cluster struct {
	options  Options
	bindir   string
	account  *account
	password string

	mu     sync.Mutex // held while starting and stopping
	port   int
	server *server
}

// Start makes the cluster in options.Dir if it is not there yet, starts it, and waits until it takes connections.
func Start(ctx context.Context, options Options) (*Cluster, error) {
	bindir, err := Find()
	if err != nil {
		return nil, err
	}
	account, err := serverAccount()
	if err != nil {
		return nil, err
	}
	c := &Cluster{options: options, bindir: bindir, account: account, port: options.Port}
	if err := c.prepareDir(); err != nil {
		return nil, fmt.Errorf("PostgreSQL directory: %w", err)
	}
	if err := c.loadPassword(); err != nil {
		return nil, fmt.Errorf("PostgreSQL password file: %w", err)
	}
	if err := c.initialize(ctx); err != nil {
		return nil, err
	}
	return c, c.Restart(ctx)
}

func (c *Cluster) prepareDir() (err error) {
	if c.options.Dir, err = filepath.Abs(c.options.Dir); err != nil {
		return err
	}
	if err := os.MkdirAll(c.options.Dir, 0o755); err != nil {
		return err
	}
	if c.options.Dir, err = filepath.EvalSymlinks(c.options.Dir); err != nil {
		return err
	}
	if err := c.account.give(c.options.Dir); err != nil {
		return err
	}
	return c.account.letThrough(c.options.Dir)
}

// URL gives the address of a database of the cluster, with its password; "postgres" is always there.
func (c *Cluster) URL(database string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.url(database)
}

func (c *Cluster) url(database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(superuser, c.password), Host: "127.0.0.1:" + strconv.Itoa(c.port),
		Path: "/" + database, RawQuery: "sslmode=disable"}
	return u.String()
}

// CreateDatabase makes a database, unless it is there already.
func (c *Cluster) CreateDatabase(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	err = conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&exists)
	if err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize())
	return err
}

// PID gives the postmaster's process ID, or 0 when it does not run.
func (c *Cluster) PID() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server.ended() {
		return 0
	}
	return c.server.pid
}

// Stop asks for a fast shutdown: open transactions are rolled back, what was committed is kept. When ctx ends first,
// the server is killed.
func (c *Cluster) Stop(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stop(ctx)
}

func (c *Cluster) stop(ctx context.Context) error {
	if c.server.ended() {
		return nil
	}
	_ = c.server.signal(syscall.SIGINT) // fails only when it has just ended
	select {
	case <-c.server.done:
		return nil
	case <-ctx.Done():
		_ = c.server.signal(syscall.SIGKILL)
		<-c.server.done
		return fmt.Errorf("stop PostgreSQL: killed, for it had not stopped in time: %w", context.Cause(ctx))
	}
}

// Kill ends the postmaster with SIGKILL, as a crash would, and waits until it is gone. What was committed comes back
// with Restart.
func (c *Cluster) Kill() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server.ended() {
		return nil
	}
	err := c.server.signal(syscall.SIGKILL)
	<-c.server.done
	return err
}

// Restart stops the server if it runs, and starts it on the same port and data.
func (c *Cluster) Restart(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.stop(ctx); err != nil {
		return err
	}
	return c.start(ctx)
}
