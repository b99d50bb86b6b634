package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// watchHorizon is how long ago an acceptance may be for the watch to begin with it. What is older, because no worker ran
// for so long, is not read any more.
const watchHorizon = 7 * 24 * time.Hour

// Watched is one accepted public content that the drift watch reads again.
type Watched struct {
	Content    string                  // TabNews' id
	Operation  publication.OperationID // the publication, which is told of changes
	Expected   publication.OperationID // our newest accepted operation on it
	ExpectedAt time.Time               // when that was accepted; Sight must show it
	Identity   publication.Identity    // as Expected left it
	Slug       string                  // where it was found last: another than Identity's, if somebody renamed it
	Payload    publication.Payload     // of Expected: what is to be read
	Seen       publication.Seen        // at the last look
	Probed     bool                    // its slug was asked for since it disappeared
	// PublishedAt is TabNews' word, which orders the account's listing; nil: it was not read yet.
	PublishedAt *time.Time
	// HiddenAt is when an incident of the lane hid what was created as this was, provided that it could be read before
	// and was not read since; nil: none did.
	HiddenAt *time.Time
	// MissingFor is for how long it cannot be read and waits for its slug to be asked for; 0: it does not.
	MissingFor time.Duration
	// Busy is a change of ours that is under way or unknown: what is read now may be it. Empty: none.
	Busy publication.State
}

// enlistSQL begins the watch of what account $1 had accepted within the horizon $2, and begins it anew when a newer
// operation of ours was; the first step is $3 later. The journal says when something was accepted: an operation's row
// does not. Content whose read-back is still under way has until the first step. What was told by the read-back is not
// told again: the words that it amounts to are where the watch begins.
//
// It is asked every few seconds, so each step is one pass: the planner, which expects one row, must not pair them all.
const enlistSQL = `
	with recent as materialized (
		select distinct r.identity->>'id' as content from operations r
		where r.account = $1 and r.state = 'accepted' and r.updated_at > clock_timestamp() - $2::interval
	), accepted as (
		select o.operation, split_part(o.operation, '/', 1) as kind, content, o.remote_status, o.verification,
			coalesce((select max(j.at) from journal j where j.operation = o.operation and (j.to_state = 'accepted'
				or case when j.event = 'read_back' then j.detail->'replaces' is not null end)), o.created_at) as accepted_at
		from recent join operations o on o.identity->>'id' = content where o.account = $1
	), newest as (
		select content, max(accepted_at) as accepted_at, bool_or(kind = 'remove') as removed,
			(array_agg(operation order by accepted_at desc, operation))[1] as operation,
			(array_agg(remote_status order by accepted_at desc, operation))[1] as remote_status,
			(array_agg(verification order by accepted_at desc, operation))[1] as verification,
			(array_agg(operation order by kind, accepted_at desc) filter (where kind in ('publish', 'track')))[1] as publication
		from accepted group by content
	)
	insert into watches (content, account, operation, expected, expected_at, since, next_at, seen)
	select n.content, $1, n.publication, n.operation, n.accepted_at, n.accepted_at, n.accepted_at + $3::interval,
		case when n.remote_status = 'firewall' then 'hidden' when n.verification = 'diverged' then 'edited'
			when n.verification = 'unreadable' then 'gone' else 'unchanged' end
	from newest n
	where not n.removed and n.publication is not null and n.remote_status in ('published', 'firewall')
		and (n.verification <> 'pending' or n.accepted_at + coalesce($3::interval, interval '0') <= clock_timestamp())
		and not exists (select from watches w where w.content = n.content and w.expected_at = n.accepted_at)
	order by n.content
	on conflict (content) do update set operation = excluded.operation, expected = excluded.expected, expected_at = excluded.expected_at,
		since = excluded.since, next_at = excluded.next_at, seen = excluded.seen, seen_at = null, seen_digest = '', diff = '', because = '',
		read_at = null, slug = '', missing_at = null, probed_at = null, failures = 0, problem = ''`

// endSQL ends the watch of what we removed ourselves, and of content that is tracked no more since another one is.
const endSQL = `
	delete from watches w
	where w.account = $1 and (exists (select from operations o where o.operation = w.operation and o.identity->>'id' <> w.content)
		or exists (select from removed_contents r where r.content = w.content))`

// incidentSQL lets all that an incident may have hidden be read at once, once: what then cannot be read has its backoff.
const incidentSQL = `
	update watches w set next_at = least(w.next_at, clock_timestamp()), incident_at = i.at
	from (select operation, max(at) as at from incidents_of_operation group by operation) i
	where w.account = $1 and i.operation = w.operation and w.seen not in ('hidden', 'deleted')
		and i.at > greatest(w.looked_at, w.incident_at, '-infinity')`

// enlist brings the watched contents of an account up to date. It holds the account's row of watchers until the
// transaction ends, so that two workers do not meet in it.
func enlist(ctx context.Context, tx pgx.Tx, account string, after []time.Duration) error {
	if _, err := tx.Exec(ctx, `insert into watchers (account, wakes_at) values ($1, 'infinity') on conflict do nothing`, account); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `select from watchers where account = $1 for update`, account); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, endSQL, account); err != nil {
		return err
	}
	first, last := any(nil), watchHorizon
	if len(after) > 0 {
		first, last = after[0], watchHorizon+after[len(after)-1]
	}
	if _, err := tx.Exec(ctx, enlistSQL, account, last, first); err != nil {
		return err
	}
	if len(after) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, incidentSQL, account)
	return err
}

// readableBefore holds where the content of the publication o could be read before the incident i, and neither its watch w
// (all null where it has none) nor anything else has known it otherwise: what was absent before was not hidden by it, and
// what could be read since was spared.
const readableBefore = `
	o.verification in ('matched', 'diverged') and coalesce(w.seen not in ('hidden', 'deleted', 'gone'), true)
	and i.at < coalesce(w.missing_at, 'infinity')
	and i.at > coalesce(w.read_at, case when w.expected <> w.operation then w.expected_at end, '-infinity')`

const watchedSQL = `
	select w.content, w.operation, w.expected, w.expected_at, e.identity, coalesce(nullif(w.slug, ''), e.identity->>'slug'), e.payload,
		w.seen, w.probed_at is not null, w.published_at, (select max(i.at) from incidents_of_operation i where i.operation = w.operation
			and ` + readableBefore + `), coalesce(greatest(clock_timestamp() - w.missing_at, interval '0'), interval '0'),
		coalesce((select min(b.state) from operations b where b.account = w.account and b.state in ('sending', 'unknown')
			and split_part(b.operation, '/', 1) in ('revise', 'remove') and b.base->>'id' = w.content), '')
	from watches w join operations e on e.operation = w.expected join operations o on o.operation = w.operation `

func scanWatched(row pgx.CollectableRow) (Watched, error) {
	var w Watched
	err := row.Scan(&w.Content, &w.Operation, &w.Expected, &w.ExpectedAt, &w.Identity, &w.Slug, &w.Payload, &w.Seen, &w.Probed, &w.PublishedAt, &w.HiddenAt, &w.MissingFor, &w.Busy)
	return w, err
}

// DueWatches gives what of an account is to be read now, the longest overdue first, at most limit. What was accepted
// since is in it once its first step has come; after are the steps (POSTONCE_DRIFT_AFTER).
//
// While a round is under way, whatever becomes due needs nobody to be woken: its end announces the next.
func (l *Ledger) DueWatches(ctx context.Context, account string, after []time.Duration, limit int) ([]Watched, error) {
	const roundBegins = `update watchers set wakes_at = '-infinity' where account = $1`
	return l.watches(ctx, account, after, roundBegins, `where w.account = $1 and w.next_at <= clock_timestamp() order by w.next_at, w.content limit $2`, limit)
}

// WatchedBy gives the watched content that an operation is about, due or not. ErrNotFound: the operation is about
// nothing that is watched: a draft, a removal, or content that was neither published nor taken up through postonce.
func (l *Ledger) WatchedBy(ctx context.Context, account string, after []time.Duration, op publication.OperationID) (Watched, error) {
	found, err := l.watches(ctx, account, after, "", `where w.account = $1 and w.content =
		(select o.identity->>'id' from operations o where o.operation = $2 and o.state = 'accepted')`, op)
	switch {
	case err != nil:
		return Watched{}, err
	case len(found) == 0:
		return Watched{}, fmt.Errorf("ledger: watch: %s: %w", op, ErrNotFound)
	}
	return found[0], nil
}

func (l *Ledger) watches(ctx context.Context, account string, after []time.Duration, first, condition string, arg any) (found []Watched, err error) {
	err = l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		if err := enlist(ctx, tx, account, after); err != nil {
			return err
		}
		if first != "" {
			if _, err := tx.Exec(ctx, first, account); err != nil {
				return err
			}
		}
		rows, err := tx.Query(ctx, watchedSQL+condition, account, arg)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, scanWatched)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("ledger: watches of %s: %w", account, err)
	}
	return found, nil
}

// AnnounceWatch notes when the watch of an account looks next, and gives how long that is from now; nil: nothing is to
// be read at any time, as far as is known now.
func (l *Ledger) AnnounceWatch(ctx context.Context, account string) (*time.Duration, error) {
	var wait *time.Duration
	err := l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		var next *time.Time
		var now time.Time
		err := tx.QueryRow(ctx, `select min(next_at), clock_timestamp() from watches where account = $1`, account).Scan(&next, &now)
		if err != nil {
			return err
		}
		if next != nil {
			left := max(0, next.Sub(now))
			wait = &left
		}
		_, err = tx.Exec(ctx, `insert into watchers (account, wakes_at) values ($1, coalesce($2::timestamptz, 'infinity'))
			on conflict (account) do update set wakes_at = excluded.wakes_at`, account, next)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("ledger: announce the watch of %s: %w", account, err)
	}
	return wait, nil
}

// oversleeps is how late the watch may be before it counts as gone.
const oversleeps = 15 * time.Second

// WatchNeeded tells whether the watch of an account must be started or woken: something is due before it said that it
// would look, or it said so and did not (late).
func (l *Ledger) WatchNeeded(ctx context.Context, account string, after []time.Duration) (needed, late bool, err error) {
	err = l.inTx(ctx, pgx.TxOptions{}, func(ctx context.Context, tx pgx.Tx) error {
		if err := enlist(ctx, tx, account, after); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `
			select coalesce(bool_or(w.next_at < s.wakes_at), false),
				coalesce(bool_or(greatest(w.next_at, s.wakes_at) < clock_timestamp() - $2::interval), false)
			from watchers s join watches w using (account) where s.account = $1`, account, oversleeps).Scan(&needed, &late)
	})
	if err != nil {
		return false, false, fmt.Errorf("ledger: is the watch of %s needed: %w", account, err)
	}
	return needed || late, late, nil
}

// WatchSleeps tells whether the watch of an account has anything to read later, for which it must run.
func (l *Ledger) WatchSleeps(ctx context.Context, account string) (sleeps bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err = l.pool.QueryRow(ctx, `select exists (select from watches where account = $1 and next_at is not null)`, account).Scan(&sleeps); err != nil {
		return false, fmt.Errorf("ledger: does the watch of %s sleep: %w", account, err)
	}
	return sleeps, nil
}

// errNoWatch says that a content is not watched any more.
var errNoWatch = errors.New("it is not watched any more")
