package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

const (
	// DefaultPause is how long an incident pauses its lane: after it, nothing is left that another refusal could hide.
	DefaultPause = 10 * time.Minute
	// defaultReach is how long after its claim a creation may still begin, with the default settings.
	defaultReach = 50 * time.Second
)

// Incident is a refusal of TabNews' firewall. It hides every creation of the kind from the lane's address in the ten
// minutes before it.
type Incident struct {
	Lane        string                  `json:"lane"`
	At          time.Time               `json:"at"`
	Creates     Creates                 `json:"creates"`
	Operation   publication.OperationID `json:"operation"` // the one that was refused
	Attempt     int                     `json:"attempt"`   // 0: a slug probe about the operation's content was refused
	PausedUntil time.Time               `json:"paused_until"`
	// Affected are our creations that it may have hidden; those that were found hidden have the status firewall.
	Affected []Affected `json:"affected"`
	id       int64
}

// Affected is accepted content that an incident may have hidden.
type Affected struct {
	Operation    publication.OperationID   `json:"operation"`
	Identity     publication.Identity      `json:"identity"`
	RemoteStatus publication.ContentStatus `json:"remote_status"`
	// Slug is where its watch found it last; empty: where Identity says.
	Slug string `json:"-"`
	// Readable: it could be read before the incident, as far as is known. That it cannot now is then the incident's doing.
	Readable bool `json:"-"`
}

// incident notes a refusal of the firewall and pauses the lane: whatever was refused again would hide again.
func (c *change) incident(ctx context.Context, number int, k conclusion) error {
	if k.outcome != publication.OutcomeRejected || k.evidence == nil || !k.evidence.APIError.Firewall() {
		return nil
	}
	length := c.pause
	if length <= 0 {
		length = DefaultPause
	}
	var lane string
	var until time.Time
	err := c.tx.QueryRow(ctx, `
		insert into incidents (lane, creates, operation, attempt, paused_until)
		select lane, creates, operation, number, clock_timestamp() + $3::interval from attempts
			where operation = $1 and number = $2 and lane is not null and creates is not null
		on conflict do nothing returning lane, paused_until`, c.rec.Operation, number, length).Scan(&lane, &until)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // a change creates nothing; TabNews does not refuse it so
	}
	if err != nil {
		return fmt.Errorf("incident: %w", err)
	}
	if err := pauseLane(ctx, c.tx, lane, &until, Worker, fmt.Sprintf("TabNews' firewall refused %s", c.rec.Operation)); err != nil {
		return err
	}
	return c.journal(ctx, Entry{Event: EventIncident, By: Worker, Attempt: number, Digest: c.rec.Digest,
		Detail: map[string]any{"lane": lane, "paused_until": until}})
}

// affected selects what the incident i may have hidden, and what we did not remove since.
const affected = `
	from incidents i
	join incidents_of_operation a on a.incident = i.id
	join operations o on o.operation = a.operation and o.state = 'accepted'
	left join watches w on w.content = o.identity->>'id'
	where not exists (select from removed_contents r where r.content = o.identity->>'id')`

// AffectedByIncident gives what the incident of an attempt may have hidden: to be read again, and marked by MarkHidden
// where it is gone. None when the attempt met no
// incident. Attempt 0 stands for the newest slug probe about the operation's content.
func (l *Ledger) AffectedByIncident(ctx context.Context, op publication.OperationID, attempt int) ([]Affected, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := queryAffected(ctx, l.pool, `and i.id = (select max(id) from incidents where operation = $1 and attempt = $2)`, op, attempt)
	if err != nil {
		return nil, fmt.Errorf("ledger: affected by the incident of %s: %w", op, err)
	}
	return found, nil
}

func queryAffected(ctx context.Context, q querier, condition string, args ...any) ([]Affected, error) {
	rows, err := q.Query(ctx, `select o.operation, o.identity, coalesce(o.remote_status, ''), coalesce(w.slug, ''), `+readableBefore+affected+condition+` order by a.claimed_at, o.operation`, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Affected, error) {
		var one Affected
		var identity []byte
		err := row.Scan(&one.Operation, &identity, &one.RemoteStatus, &one.Slug, &one.Readable)
		if err == nil {
			err = json.Unmarshal(identity, &one.Identity)
		}
		return one, err
	})
}

// MarkHidden notes that accepted content is hidden by the firewall, since the incident that an attempt of the operation
// by met. Told again, it changes nothing; content that is known to be deleted stays so.
func (l *Ledger) MarkHidden(ctx context.Context, op, by publication.OperationID) error {
	err := l.change(ctx, op, func(ctx context.Context, c *change) error {
		before := c.rec.RemoteStatus
		if c.rec.State != publication.StateAccepted || before == publication.StatusFirewall || before == publication.StatusDeleted {
			return errNoChange
		}
		c.rec.RemoteStatus, c.rec.Verification = publication.SeenHidden.Effect()
		if err := c.save(ctx); err != nil {
			return err
		}
		because := fmt.Sprintf("TabNews' firewall refused %s, which hides what was created in the ten minutes before", by)
		// Told here, the watch does not tell it again.
		_, err := c.tx.Exec(ctx, `update watches set seen = 'hidden', seen_at = clock_timestamp(), since = clock_timestamp(), because = $2
			where operation = $1`, op, because)
		if err != nil {
			return err
		}
		return c.journal(ctx, Entry{Event: EventDrift, By: Worker, Digest: c.rec.Digest,
			Detail: map[string]any{"seen": publication.SeenHidden, "because": because, "remote_status": c.rec.RemoteStatus, "before": before, "reference": c.rec.Identity.Reference().String()}})
	})
	if err != nil {
		return fmt.Errorf("ledger: mark %s as hidden: %w", op, err)
	}
	return nil
}

// countCreation makes an attempt that only a snapshot tells of count in its lane: what the ledger forgot may have been
// created a moment ago.
func (m *merge) countCreation(ctx context.Context, number int) error {
	reach := m.req.Reach
	if reach <= 0 {
		reach = defaultReach
	}
	_, err := m.tx.Exec(ctx, `
		update attempts set may_create_until = case when outcome = 'accepted' then clock_timestamp() else clock_timestamp() + $3::interval end
		where operation = $1 and number = $2 and creates is not null and outcome not in ('rejected', 'not_sent')`,
		m.rec.Operation, number, reach)
	return err
}
