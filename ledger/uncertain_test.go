package ledger

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"postonce/internal/postgrestest"
	"postonce/publication"
)

// commitMessage is a commit on the wire (PostgreSQL, Message Formats, Query).
const commitMessage = "Q\x00\x00\x00\x0bcommit\x00"

// The connection is lost while the claim commits: in the first case the server never hears of the commit, in the
// second it has committed. The claimant cannot tell, so it must not send; its testimony settles both.
func TestACutDuringTheCommitIsUncertain(t *testing.T) {
	for name, committed := range map[string]bool{"before the server heard": false, "after the server committed": true} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			proxy, address := newCutter(t, f.url)
			worker := openPool(t, address)
			proxy.cut(commitMessage, committed)
			result, err := worker.Claim(context.Background(), claimRequest(1))
			var uncertain *ClaimUncertainError
			if !errors.As(err, &uncertain) || result != (ClaimResult{}) {
				t.Fatalf("got %+v, %v", result, err)
			}
			if got := f.count(`select count(*) from attempts`) == 1; got != committed {
				t.Errorf("claimed in the database: %v, want %v", got, committed)
			}
			req := settleRequest(1)
			req.NotSentToken = "token-1"
			if got := f.settle(req).Attempt.Outcome; got != publication.OutcomeNotSent {
				t.Errorf("settled as %s", got)
			}
			f.wantState(publication.StatePlanned)
			f.claim(2)
		})
	}
}

func TestACutBeforeTheCommitProvesThatNothingWasClaimed(t *testing.T) {
	for _, marker := range []string{"begin isolation level read committed\x00", "for no key update", "insert into attempts", "insert into journal"} {
		t.Run(marker, func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			proxy, address := newCutter(t, f.url)
			worker := openPool(t, address)
			proxy.cut(marker, true)
			_, err := worker.Claim(context.Background(), claimRequest(1))
			var uncertain *ClaimUncertainError
			if err == nil || errors.As(err, &uncertain) || proxy.cuts != 1 {
				t.Fatalf("%d cuts, got %v", proxy.cuts, err)
			}
			if n := f.count(`select count(*) from attempts`); n != 0 {
				t.Error("it was claimed")
			}
			f.claim(1)
		})
	}
}

func TestWhichFailedCommitsAreUncertain(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"rolled back by the server": {pgx.ErrTxCommitRollback, false},
		"refused by the server":     {&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "40001"}, false},
		"the server is going down":  {&pgconn.PgError{SeverityUnlocalized: "FATAL", Code: "57P01"}, true},
		"timeout":                   {context.DeadlineExceeded, true},
		"cut":                       {errors.New("unexpected EOF"), true},
		"what pgx makes of a cut":   {pgconn.ErrConnClosed, true},
	} {
		if got := commitUncertain(c.err); got != c.want {
			t.Errorf("%s (%v): uncertain %v, want %v", name, c.err, got, c.want)
		}
	}
}

func TestACallThatIsCancelledBeforeItsCommitIsCertain(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	err := f.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `insert into lanes (lane) values ('home')`)
		cancel()
		return err
	})
	var commit *commitError
	if !errors.Is(err, context.Canceled) || errors.As(err, &commit) || f.count(`select count(*) from lanes`) != 0 {
		t.Errorf("got %v", err)
	}
}

func TestACancelledCallReturnsAtOnce(t *testing.T) {
	f := newFixture(t)
	f.planned()
	tx, err := f.pool.Begin(context.Background())
	f.must(err)
	defer tx.Rollback(context.Background())
	_, err = lock(context.Background(), tx, op)
	f.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error, 1)
	go func() {
		_, err := f.Claim(ctx, claimRequest(1))
		failed <- err
	}()
	f.awaitLockWait("operations")
	cancel()
	var uncertain *ClaimUncertainError
	if err := <-failed; !errors.Is(err, context.Canceled) || errors.As(err, &uncertain) {
		t.Errorf("got %v", err)
	}
}

// The pool finds dead connections before it uses them.
func TestThePoolRecoversFromARestartOfPostgres(t *testing.T) {
	cluster := postgrestest.Cluster(t)
	f := fixture{openPool(t, cluster.URL("postgres")), t, ""}
	f.must(f.Migrate(context.Background()))
	f.planned()
	f.must(cluster.Kill())
	if _, err := f.Claim(context.Background(), claimRequest(1)); err == nil {
		t.Error("a claim succeeded without PostgreSQL")
	}
	if err := f.Ping(context.Background()); err == nil || strings.Contains(err.Error(), "panic") {
		t.Errorf("the ping gave %v", err)
	}
	f.must(cluster.Restart(t.Context()))
	f.claim(1)
	f.must(cluster.Kill())
	f.must(cluster.Restart(t.Context()))
	f.finish(1, publication.OutcomeAccepted) // at the first call
	f.wantState(publication.StateAccepted)
}

func TestOpenNeitherConnectsNorShowsThePassword(t *testing.T) {
	const password = "s3cret-word"
	for _, address := range []string{
		"postgres://u:" + password + "@127.0.0.1:1/db?connect_timeout=1",
		"postgres://u:" + password + "%zz@127.0.0.1:1/db",
		"postgres://u:" + password + "@127.0.0.1:port/db",
		"postgres://u:" + password + "@h/db?sslmode=nonsense",
		"host=127.0.0.1 port=1 user=u password=" + password,
		"host=h password='" + password + "' port=x",
		password,
		"",
	} {
		l, err := Open(context.Background(), address)
		if err == nil {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			err = errors.Join(l.Ping(ctx), l.Migrate(ctx))
			cancel()
			l.Close()
		}
		if err == nil || strings.Contains(err.Error(), password) {
			t.Errorf("%q gave %v", address, err)
		}
	}
}

// A test cluster asks for its password, so that the ledger's tests prove that it is used.
func TestThePasswordIsNeeded(t *testing.T) {
	f := newFixture(t)
	u, err := url.Parse(f.url)
	f.must(err)
	if _, set := u.User.Password(); !set {
		t.Log("the server of DATABASE_URL takes connections without a password")
		return
	}
	u.User = url.UserPassword(u.User.Username(), "guess")
	if err := openPool(t, u.String()).Ping(context.Background()); err == nil || strings.Contains(err.Error(), "guess") {
		t.Errorf("got %v", err)
	}
}
