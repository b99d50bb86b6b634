package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/internal/postgres"
	"postonce/publication"
)

// sql runs statements on the ledger's database, as its owner.
func (s *story) sql(statements string, args ...any) {
	s.t.Helper()
	conn := s.connect("postonce")
	defer conn.Close(context.Background())
	if _, err := conn.Exec(s.context(), statements, args...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *story) connect(database string) *pgx.Conn {
	s.t.Helper()
	conn, err := pgx.Connect(s.context(), s.stack.Postgres().URL(database))
	if err != nil {
		s.t.Fatal(err)
	}
	return conn
}

// Gates hold a transaction of the worker at one moment until the gate is opened, and while it is held PostgreSQL can be
// killed. A gate stays closed over a restart.
const gates = `
create table if not exists public.gate (closed boolean not null);
create or replace function public.gate() returns trigger language plpgsql as $$
begin
    while exists (select from public.gate where closed) loop perform pg_sleep(0.02); end loop;
    return new;
end $$;`

// The moments of a publication at which a gate can stand.
const (
	atOpening = `create trigger gate before insert on operations for each row execute function public.gate()`
	atClaim   = `create trigger gate before insert on attempts for each row execute function public.gate()`
	atCommit  = `create constraint trigger gate after insert on attempts deferrable initially deferred for each row execute function public.gate()`
	atFinish  = `create trigger gate before update on attempts for each row execute function public.gate()`
	atRecord  = `create trigger gate before update on operations for each row when (new.local_record = 'recorded' and old.local_record = 'pending') execute function public.gate()`
)

// closeGate puts a closed gate at a moment; it is gone at the story's end.
func (s *story) closeGate(moment string) {
	s.t.Helper()
	s.sql(gates + "delete from public.gate; insert into public.gate values (true);" + moment)
	s.t.Cleanup(func() {
		s.sql(`drop table public.gate; drop function public.gate cascade`)
	})
}

// openGate opens it, if there is one.
func (s *story) openGate() {
	s.t.Helper()
	s.sql(gates + `update public.gate set closed = false`)
}

// untilAtGate waits until the worker is held.
func (s *story) untilAtGate() {
	s.t.Helper()
	conn := s.connect("postgres")
	defer conn.Close(context.Background())
	s.tick("a transaction at the gate", func() bool {
		var held bool
		err := conn.QueryRow(s.context(), `select exists (select from pg_stat_activity where wait_event = 'PgSleep' and datname = 'postonce')`).Scan(&held)
		if err != nil {
			s.t.Fatal(err)
		}
		return held
	})
}

func (s *story) killPostgres() {
	s.t.Helper()
	if err := s.stack.Postgres().Kill(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *story) restartPostgres() {
	s.t.Helper()
	if err := s.stack.Postgres().Restart(s.context()); err != nil {
		s.t.Fatal(err)
	}
}

// untilPlanned waits until the ledger holds the approved operation: the checks before the send come next.
func (s *story) untilPlanned() {
	s.t.Helper()
	conn := s.connect("postonce")
	defer conn.Close(context.Background())
	s.tick("the plan of "+s.operation(), func() bool {
		var planned bool
		err := conn.QueryRow(s.context(), `select exists (select from operations where operation = $1 and state = 'planned')`, s.operation()).Scan(&planned)
		if err != nil {
			s.t.Fatal(err)
		}
		return planned
	})
}

// untilRecorded waits until the ledger itself holds the acceptance, whole.
func (s *story) untilRecorded() {
	s.t.Helper()
	conn := s.connect("postonce")
	defer conn.Close(context.Background())
	s.tick("the record of "+s.operation(), func() bool {
		var recorded bool
		err := conn.QueryRow(s.context(), `select exists (select from operations where operation = $1 and state = 'accepted' and local_record = 'recorded')`, s.operation()).Scan(&recorded)
		if err != nil {
			s.t.Fatal(err)
		}
		return recorded
	})
}

// dropLedger makes the ledger's database empty, without tables.
func (s *story) dropLedger() {
	s.t.Helper()
	conn := s.connect("postgres")
	defer conn.Close(context.Background())
	for _, statement := range []string{`drop database postonce with (force)`, `create database postonce`} {
		if _, err := conn.Exec(s.context(), statement); err != nil {
			s.t.Fatal(err)
		}
	}
}

// dump and restore are PostgreSQL's own programs, of the server that the stack runs.
func (s *story) dump() string {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "ledger.dump")
	s.postgresTool("pg_dump", "--format=custom", "--file="+file, "postonce")
	return file
}

func (s *story) restore(file string) {
	s.t.Helper()
	s.postgresTool("pg_restore", "--exit-on-error", "--single-transaction", "--dbname=postonce", file)
}

func (s *story) postgresTool(name string, args ...string) {
	s.t.Helper()
	bindir, err := postgres.Find()
	if err != nil {
		s.t.Fatal(err)
	}
	u, err := url.Parse(s.stack.Postgres().URL("postonce"))
	if err != nil {
		s.t.Fatal(err)
	}
	password, _ := u.User.Password()
	cmd := exec.CommandContext(s.context(), filepath.Join(bindir, name), args...)
	cmd.Env = append(os.Environ(), "PGHOST="+u.Hostname(), "PGPORT="+u.Port(), "PGUSER="+u.User.Username(), "PGPASSWORD="+password)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("%s: %v\n%s", name, err, &out)
	}
}

// article is a further publication of the same story, with its file in dir; its history is not kept.
func (s *story) article(slug, dir string) *story {
	s.t.Helper()
	other := *s
	other.slug, other.began, other.file = slug, "", filepath.Join(dir, slug+".md")
	other.write("Um artigo sobre " + slug)
	return &other
}

// another is a further publication of the same story: its secrets are looked for, and its history kept, with the story's.
func (s *story) another(slug string) *story {
	s.t.Helper()
	other := s.article(slug, s.t.TempDir())
	s.ops.add(publication.OperationID(other.operation()))
	return other
}

// matched reports the end of a clean publication.
func matched(s publication.Snapshot) bool { return s.Verification == publication.VerificationMatched }

// seconds words a duration for a story's log.
func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
