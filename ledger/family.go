package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// relative is an operation of the same reference, as far as generations and tries are about it.
type relative struct {
	operation publication.OperationID
	state     publication.State
	contentID string                    // what it created, removed or took up; empty until that is known
	remote    publication.ContentStatus // what became of the content, as far as was seen
	proven    bool                      // TabNews itself answered that it was done; so it was, also where a person had given up before
}

// family is all that is known of a reference, the oldest first.
type family []relative

func (l *Ledger) family(ctx context.Context, ref publication.Reference) (family, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return loadFamily(ctx, l.pool, ref)
}

func loadFamily(ctx context.Context, q querier, ref publication.Reference) (family, error) {
	rows, err := q.Query(ctx, `
		select o.operation, o.state, coalesce(o.identity->>'id', a.identity->>'id', ''), coalesce(o.remote_status, ''), a.operation is not null
		from operations o left join attempts a on a.operation = o.operation and a.outcome = 'accepted'
		where o.reference = $1 order by o.created_at, o.operation`, ref.String())
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r relative, err error) {
		err = row.Scan(&r.operation, &r.state, &r.contentID, &r.remote, &r.proven)
		return r, err
	})
}

// find gives what is known of an operation, or nil.
func (f family) find(op publication.OperationID) *relative {
	for i := range f {
		if f[i].operation == op {
			return &f[i]
		}
	}
	return nil
}

// state gives the state of an operation; empty when it is not there.
func (f family) state(op publication.OperationID) publication.State {
	if r := f.find(op); r != nil {
		return r.state
	}
	return ""
}

// newestTry gives the newest try of a change that is there, or its first one when none is.
func (f family) newestTry(op publication.OperationID) publication.OperationID {
	newest := op.WithTry(1)
	for _, r := range f {
		if r.operation.WithTry(1) == op.WithTry(1) && r.operation.Try() > newest.Try() {
			newest = r.operation
		}
	}
	return newest
}

// gone gives the operation that shows that a generation is gone; empty when none does.
func (f family) gone(ref publication.Reference, generation int) publication.OperationID {
	for _, r := range f {
		if r.operation.Kind() == publication.KindRemove && r.operation.Generation() == generation && r.done() {
			return r.operation
		}
	}
	if r := f.find(publication.PublishAgainID(ref.Owner, ref.Slug, generation)); f.deleted(r) {
		return r.operation
	}
	if r := f.find(publication.TrackID(ref.Owner, ref.Slug)); generation == 1 && f.deleted(r) {
		return r.operation
	}
	return ""
}

// done tells whether an operation had its effect.
func (r relative) done() bool { return r.state == publication.StateAccepted || r.proven }

// deleted tells whether the content that an operation published or took up was found deleted elsewhere. That is noted
// with the operation itself, or with our newest change of its content.
func (f family) deleted(r *relative) bool {
	if r == nil || r.state != publication.StateAccepted {
		return false
	}
	newest := *r
	for _, other := range f {
		if other.operation.Kind() == publication.KindRevise && other.state == publication.StateAccepted && other.contentID == r.contentID {
			newest = other
		}
	}
	return r.remote == publication.StatusDeleted || newest.remote == publication.StatusDeleted
}

// ended tells whether a generation was there and needs nothing more but to be gone: it was published or taken up, or
// that it is gone proves that it was there. It also names the generation's publish.
func (f family) ended(ref publication.Reference, generation int, gone bool) (publication.OperationID, bool) {
	publish := publication.PublishAgainID(ref.Owner, ref.Slug, generation)
	state := f.state(publish)
	switch {
	case state == publication.StateAccepted:
		return publish, true
	case generation == 1 && f.state(publication.TrackID(ref.Owner, ref.Slug)) == publication.StateAccepted:
		return publish, true
	}
	return publish, gone && (state == "" || state.Settled())
}

func (f family) newest(ref publication.Reference) (n int, removed bool) {
	for _, r := range f {
		if r.operation.Kind() != publication.KindRevise {
			n = max(n, r.operation.Generation())
		}
	}
	removed = f.gone(ref, n) != ""
	if removed && f.outlived(publication.TrackID(ref.Owner, ref.Slug)) {
		return n + 1, false // else nobody could ever remove it: the removal that its number has is used up
	}
	return n, removed
}

// outlived tells whether the content that was taken up is another one than those that are gone: somebody else created
// it under the slug afterwards.
func (f family) outlived(track publication.OperationID) bool {
	tracked := f.find(track)
	if tracked == nil || tracked.contentID == "" || f.deleted(tracked) {
		return false
	}
	for i, r := range f {
		removal := r.operation.Kind() == publication.KindRemove && r.done()
		published := r.operation.Kind() == publication.KindPublish && f.deleted(&f[i])
		if (removal || published) && r.contentID == tracked.contentID {
			return false
		}
	}
	return true
}
