package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// Sighting is what one look at a watched content showed.
type Sighting struct {
	Watched
	Saw     publication.Seen   // unchanged where it reads as expected, whatever was seen before
	Digest  publication.Digest // of what was read, when it was edited
	Diff    string
	Because string
	After   []time.Duration // the steps
}

// Sighted is what a sighting came to.
type Sighted struct {
	publication.Drift
	Before publication.Seen
	Told   bool // the change is new: it was journaled
	// Outdated: an operation of ours on the content went on in between; nothing was noted, and it is to be read again.
	Outdated bool
}

// Sight notes a look at a watched content, and in the same transaction what it makes of the publication: its remote
// status and verification, and for a change, once, an entry of its journal. The state and the identity stay.
func (l *Ledger) Sight(ctx context.Context, s Sighting) (Sighted, error) {
	if !s.Saw.Valid() || s.Saw == publication.SeenBack {
		return Sighted{}, fmt.Errorf("ledger: sight %s: no look shows %q", s.Content, s.Saw)
	}
	var out Sighted
	err := l.change(ctx, s.Operation, func(ctx context.Context, c *change) error {
		w, err := lockWatch(ctx, c.tx, s.Content)
		if errors.Is(err, errNoWatch) || err == nil && (w.busy || !w.expectedAt.Equal(s.ExpectedAt)) {
			out = Sighted{Outdated: true}
			return errNoChange
		}
		if err != nil {
			return err
		}
		out = w.judge(s)
		if err := w.save(ctx, c.tx, s, out); err != nil {
			return err
		}
		return c.sighted(ctx, s, out)
	})
	if err != nil {
		return Sighted{}, fmt.Errorf("ledger: sight %s: %w", s.Content, err)
	}
	return out, nil
}

// watchRow is what decides whether a sighting is news.
type watchRow struct {
	seen         publication.Seen
	seenAt       *time.Time
	digest       publication.Digest
	diff         string
	because      string
	since, now   time.Time
	expectedAt   time.Time
	verification publication.Verification // of the expected operation
	busy         bool
}

func lockWatch(ctx context.Context, tx pgx.Tx, content string) (watchRow, error) {
	var w watchRow
	// A statement of its own waits for the lock: what it waited for is seen by the next one alone.
	if _, err := tx.Exec(ctx, `select from watches where content = $1 for update`, content); err != nil {
		return w, err
	}
	err := tx.QueryRow(ctx, `
		select w.seen, w.seen_at, w.seen_digest, w.diff, w.because, w.since, clock_timestamp(), w.expected_at, e.verification,
			exists (select from operations b where b.account = w.account and b.base->>'id' = w.content and
				b.state in ('sending', 'unknown')) or exists (select from removed_contents r where r.content = w.content)
		from watches w join operations e on e.operation = w.expected where w.content = $1`, content).
		Scan(&w.seen, &w.seenAt, &w.digest, &w.diff, &w.because, &w.since, &w.now, &w.expectedAt, &w.verification, &w.busy)
	if errors.Is(err, pgx.ErrNoRows) {
		return w, errNoWatch
	}
	return w, err
}

// judge says what the watch knows after a sighting, and whether people are to be told.
func (w watchRow) judge(s Sighting) Sighted {
	before, absent := w.seen, w.seen.Absent()
	same := Sighted{Before: before, Drift: publication.Drift{Seen: before, Diff: w.diff, Because: w.because}}
	if w.seenAt != nil {
		same.At = *w.seenAt
	}
	news := Sighted{Before: before, Told: true, Drift: publication.Drift{Seen: s.Saw, At: w.now, Diff: s.Diff, Because: s.Because}}
	switch {
	case s.Saw == publication.SeenUnchanged && (before == publication.SeenUnchanged || before == publication.SeenBack):
		return same
	case s.Saw == publication.SeenUnchanged:
		news.Seen = publication.SeenBack
		return news
	case s.Saw == publication.SeenGone && absent: // less than what is known
		return same
	case s.Saw == publication.SeenEdited && (before == publication.SeenEdited && w.digest == "" || w.toldByReadBack()):
		news.Told, news.At = false, same.At // a person saw this difference when it was read back
		return news
	case s.Saw == before && (s.Saw != publication.SeenEdited || s.Digest == w.digest):
		return same
	}
	return news
}

// toldByReadBack reports whether the read-back of the newest operation ended after the watch had begun, and diverged.
func (w watchRow) toldByReadBack() bool {
	return w.seen == publication.SeenUnchanged && w.verification == publication.VerificationDiverged
}

// save notes the sighting. After a change the watch goes on by the same steps from then on, so that the way back is
// seen too.
func (w watchRow) save(ctx context.Context, tx pgx.Tx, s Sighting, out Sighted) error {
	since, digest := w.since, w.digest
	if out.Told {
		since = w.now
	}
	if s.Saw == publication.SeenEdited {
		digest = s.Digest
	}
	var seenAt *time.Time
	if !out.At.IsZero() {
		seenAt = &out.At
	}
	_, err := tx.Exec(ctx, `
		update watches set seen = $2, seen_at = $3, seen_digest = $4, diff = $5, because = $6, since = $7, next_at = $8, looked_at = $9,
			probed_at = case when $10 then probed_at end, read_at = case when $10 then read_at else $9 end, slug = $11,
			published_at = coalesce($12, published_at), missing_at = null, failures = 0, problem = ''
		where content = $1`,
		s.Content, out.Seen, seenAt, digest, storable(out.Diff), storable(out.Because), since, nextStep(since, w.now, s.After), w.now, s.Saw.Absent(), s.Slug, s.PublishedAt)
	return err
}

// nextStep is the first step that is still to come; nil: none is. Steps that were missed are made up for by one look.
func nextStep(since, now time.Time, after []time.Duration) *time.Time {
	for _, step := range after {
		if at := since.Add(step); at.After(now) {
			return &at
		}
	}
	return nil
}

// sighted brings the publication in line with what was seen: also where nothing is new, and a newer operation of ours on
// the content, or an earlier look, left it otherwise.
func (c *change) sighted(ctx context.Context, s Sighting, out Sighted) error {
	remote, verification := out.Seen.Effect()
	if remote == "" {
		remote = c.rec.RemoteStatus
	}
	if c.rec.State != publication.StateAccepted || !out.Told && remote == c.rec.RemoteStatus && verification == c.rec.Verification {
		return nil
	}
	c.rec.RemoteStatus, c.rec.Verification = remote, verification
	if err := c.save(ctx); err != nil {
		return err
	}
	detail := map[string]any{"remote_status": remote, "verification": verification}
	if !out.Told {
		return c.journal(ctx, Entry{Event: EventReadBack, By: Worker, Detail: detail})
	}
	for name, text := range map[string]string{"diff": storable(out.Diff), "because": storable(out.Because)} {
		if text != "" {
			detail[name] = text
		}
	}
	detail["seen"], detail["before"], detail["content"], detail["reference"] = out.Seen, out.Before, s.Content, s.Identity.Reference().String()
	return c.journal(ctx, Entry{Event: EventDrift, By: Worker, Detail: detail})
}

// Bounds of the pause after a look that failed.
const (
	firstPause = 5 * time.Second
	mostPause  = 10 * time.Minute
)

// SightFailed notes that a content could not be looked at, which proves nothing: it is tried again later, with backoff.
func (l *Ledger) SightFailed(ctx context.Context, content, problem string) error {
	return l.putOff(ctx, content, `failures = failures + 1, problem = $2, next_at = clock_timestamp()
		+ least($3::interval * power(2, least(failures, 20)), $4::interval)`, storable(publication.Clip(problem, 500)), firstPause, mostPause)
}

// SightLater puts the next look off, because a change of ours is under way or unknown.
func (l *Ledger) SightLater(ctx context.Context, content string, by time.Duration) error {
	return l.putOff(ctx, content, `next_at = clock_timestamp() + $2::interval`, by)
}

// SightMissing puts the next look off, because the content cannot be read and its slug cannot be asked for now: what to
// tell is known later.
func (l *Ledger) SightMissing(ctx context.Context, content string, by time.Duration) error {
	return l.putOff(ctx, content, `missing_at = coalesce(missing_at, clock_timestamp()), next_at = clock_timestamp() + $2::interval`, by)
}

// putOff leaves what is read no more as it is.
func (l *Ledger) putOff(ctx context.Context, content, set string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := l.pool.Exec(ctx, `update watches set `+set+` where content = $1 and next_at is not null`, append([]any{content}, args...)...)
	if err != nil {
		return fmt.Errorf("ledger: put off the watch of %s: %w", content, err)
	}
	return nil
}
