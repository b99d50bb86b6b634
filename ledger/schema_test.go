package ledger

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"postonce/publication"
)

func names[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	slices.Sort(out)
	return out
}

// checkList reads the words that a CHECK constraint allows.
func (f fixture) checkList(constraint string) []string {
	f.t.Helper()
	var text string
	f.must(f.pool.QueryRow(context.Background(), `select pg_get_constraintdef(oid) from pg_constraint
		where conname = $1 and connamespace = current_schema()::regnamespace`, constraint).Scan(&text))
	var words []string
	for _, match := range regexp.MustCompile(`'([a-z_]+)'`).FindAllStringSubmatch(text, -1) {
		words = append(words, match[1])
	}
	slices.Sort(words)
	return words
}

func TestGoAndSQLListTheSameWords(t *testing.T) {
	f := newFixture(t)
	for constraint, want := range map[string][]string{
		"operation_state":         names(publication.States()),
		"operation_verification":  names(publication.Verifications()),
		"operation_local_record":  names([]publication.LocalRecord{publication.LocalRecorded, publication.LocalPending}),
		"operation_remote_status": names([]publication.ContentStatus{publication.StatusDraft, publication.StatusPublished, publication.StatusFirewall, publication.StatusDeleted}),
		"attempt_outcome":         names(publication.Outcomes()),
		"decision_kind":           names(publication.DecisionKinds()),
		"operation_kind":          names(publication.Kinds()),
		"journal_event":           names(Events()),
		"attempt_creates":         names([]Creates{CreatesRoot, CreatesComment}),
		"incident_creates":        names([]Creates{CreatesRoot, CreatesComment}),
		"reservation_creates":     names([]Creates{CreatesRoot, CreatesComment}),
		"watch_seen":              names(publication.SeenWords()),
	} {
		if got := f.checkList(constraint); !slices.Equal(got, want) {
			t.Errorf("%s: SQL has %v, Go has %v", constraint, got, want)
		}
	}
}

func TestGoAndSQLAllowTheSameTransitions(t *testing.T) {
	f := newFixture(t)
	for _, from := range publication.States() {
		for _, to := range publication.States() {
			inSQL := f.count(`select count(*) from transitions where from_state = $1 and to_state = $2`, string(from), string(to)) == 1
			if inSQL != from.CanBecome(to) {
				t.Errorf("%s → %s: SQL allows it: %v, Go: %v", from, to, inSQL, from.CanBecome(to))
			}
		}
	}
}

func TestTheIndexCoversWhatMayHaveCreated(t *testing.T) {
	f := newFixture(t)
	var text string
	f.must(f.pool.QueryRow(context.Background(), `select pg_get_expr(indpred, indrelid) from pg_index
		where indexrelid = 'attempts_one_may_have_created'::regclass`).Scan(&text))
	for _, o := range publication.Outcomes() {
		if strings.Contains(text, "'"+string(o)+"'") != o.MayHaveCreated() {
			t.Errorf("%s may have created: %v; the index holds %s", o, o.MayHaveCreated(), text)
		}
	}
}

// The database refuses by itself what the code never does.
func TestTheDatabaseRefuses(t *testing.T) {
	const second = `insert into attempts (operation, number, outcome, digest, token, claimed_at, send_by, finished_at, identity)
		select operation, 2, '%', digest, 'x', now(), now(), %F, %I from operations where operation = 'publish/autora/ola'`
	row := func(outcome, finished, identity string) string {
		return strings.NewReplacer("%F", finished, "%I", identity, "%", outcome).Replace(second)
	}
	for name, c := range map[string]struct{ sql, constraint string }{
		"a second sending":               {row("sending", "null", "null"), "attempts_one_may_have_created"},
		"a second unknown":               {row("unknown", "now()", "null"), "attempts_one_may_have_created"},
		"a second accepted":              {row("accepted", "now()", "'{}'"), "attempts_one_may_have_created"},
		"an end without time":            {row("rejected", "null", "null"), "finished_has_time"},
		"a time without end":             {`update attempts set finished_at = now()`, "finished_has_time"},
		"accepted without identity":      {row("accepted", "now()", "null"), "accepted_attempt_has_identity"},
		"sending without claim":          {`update attempts set token = null`, "sending_has_claim"},
		"an authorization twice":         {`insert into attempts (operation, number, outcome, digest, finished_at, authorization_id) select operation, 2, 'rejected', digest, now(), authorization_id from attempts`, "attempts_authorization_once"},
		"an unlisted outcome":            {`update attempts set outcome = 'failed'`, "attempt_outcome"},
		"the same number":                {`insert into attempts (operation, number, outcome, digest, finished_at) select operation, 1, 'not_sent', digest, now() from attempts`, "attempts_pkey"},
		"an acceptance without identity": {`update operations set state = 'accepted'`, "accepted_has_identity"},
		"an identity without acceptance": {`update operations set identity = '{}'`, "accepted_has_identity"},
		"a wrong digest":                 {`update operations set digest = 'sha256:ABC'`, "operation_digest"},
		"a forbidden transition":         {`update operations set state = 'abandoned'`, ""},
		"a refusal without reason":       {`insert into decisions (operation, id, at, taken) select operation, 'x', now(), false from operations`, "refused_says_why"},
		"a decision of nobody":           {`insert into decisions (operation, id, kind, at, taken) select operation, 'x', 'recheck', now(), true from operations`, "taken_names_person"},
		"an approval of nothing":         {`insert into decisions (operation, id, kind, by, at, taken) select operation, 'x', 'approve', 'ana', now(), true from operations`, "authorization_binds_digest"},
		"a resolution of nothing":        {`insert into decisions (operation, id, kind, by, at, taken) select operation, 'x', 'abandon', 'ana', now(), true from operations`, "resolve_names_attempt"},
		"a probe of nothing":             {`insert into decisions (operation, id, kind, by, at, taken) select operation, 'x', 'probe', 'ana', now(), true from operations`, "resolve_names_attempt"},
		"a change without base":          {`insert into operations (operation, account, lane, state, payload, digest, proposed_by) select 'revise/autora/ola/x', account, lane, 'proposed', payload, digest, '' from operations`, "change_has_base"},
		"a publish with base":            {`update operations set base = '{}'`, "change_has_base"},
		"an unlisted kind":               {`insert into operations (operation, account, lane, state, payload, digest, proposed_by) select 'move/autora/ola', account, lane, 'proposed', payload, digest, '' from operations`, "operation_kind"},
		"a second writer": {`with other as (insert into operations (operation, account, lane, state, payload, base, digest, proposed_by)
			select 'remove/autora/ola@2', account, lane, 'planned', payload, '{}', digest, '' from operations returning operation, digest)
			insert into attempts (operation, number, outcome, digest, token, claimed_at, send_by) select operation, 1, 'sending', digest, 'x', now(), now() from other`, "attempts_one_writer"},
		"two resolutions":   {`insert into decisions (operation, id, kind, by, at, taken, attempt) select operation, 'x' || n, 'abandon', 'ana', now(), true, 1 from operations, generate_series(1, 2) n`, "decisions_resolve_once"},
		"a changed journal": {`update journal set by = 'nobody'`, ""},
		"a shorter journal": {`delete from journal`, ""},
		"an empty journal":  {`truncate journal`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.planned()
			f.claim(1)
			_, err := f.pool.Exec(context.Background(), c.sql)
			var refused *pgconn.PgError
			if !errors.As(err, &refused) || refused.ConstraintName != c.constraint {
				t.Errorf("got %v, want a refusal by %s", err, c.constraint)
			}
		})
	}
}
