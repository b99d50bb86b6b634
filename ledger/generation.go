package ledger

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"postonce/publication"
)

// GenerationError says that a slug may not be published again, since the publication before is not known to have been
// removed. Once the way out that it names was taken, asking again succeeds.
type GenerationError struct {
	Operation publication.OperationID
	Earlier   publication.OperationID // what has to be accepted before
	State     publication.State       // of Earlier; empty: it is not in the ledger
}

func (e *GenerationError) Error() string {
	return fmt.Sprintf("%s publishes a slug again: %s", e.Operation, e.why())
}

func (e *GenerationError) why() string {
	ref := e.Operation.Reference()
	removal := e.Earlier.Kind() == publication.KindRemove
	switch {
	case removal && e.State == "":
		return fmt.Sprintf("its earlier publication was not removed through postonce; remove it first: `starter remove %s`", ref)
	case e.State == "":
		return fmt.Sprintf("no earlier publication is known (%s is not in the ledger); publish without --again, or take up what exists: `starter track %s`", e.Earlier, ref)
	case removal:
		return fmt.Sprintf("the removal %s is %s; it must be accepted first: `starter status %s`", e.Earlier, e.State, e.Earlier)
	}
	return fmt.Sprintf("its earlier publication %s is %s; finish that one: `starter status %s`", e.Earlier, e.State, e.Earlier)
}

// relative is an operation of the same reference, as far as generations are about it.
type relative struct {
	operation publication.OperationID
	state     publication.State
	contentID string // what it created, removed or took up; empty until it is accepted
}

// family is all that is known of a reference.
type family []relative

func loadFamily(ctx context.Context, q querier, ref publication.Reference) (family, error) {
	rows, err := q.Query(ctx, `select operation, state, coalesce(identity->>'id', '') from operations where reference = $1`, ref.String())
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r relative, err error) {
		err = row.Scan(&r.operation, &r.state, &r.contentID)
		return r, err
	})
}

// state gives the state of an operation; empty when it is not there.
func (f family) state(op publication.OperationID) publication.State {
	for _, r := range f {
		if r.operation == op {
			return r.state
		}
	}
	return ""
}

// checkGeneration holds that a slug is published again only after its publication before was removed. The proof is the
// accepted removal, whoever created what it removed; the publish before, when there is one, must have come to its end.
// Nothing is locked for it: accepted is for good.
func checkGeneration(ctx context.Context, q querier, op publication.OperationID) error {
	n, ref := op.Generation(), op.Reference()
	if op.Kind() != publication.KindPublish || n < 2 {
		return nil
	}
	known, err := loadFamily(ctx, q, ref)
	if err != nil {
		return err
	}
	removal := publication.RemoveID(ref.Owner, ref.Slug, n-1)
	removed := known.state(removal)
	if publish, ended := known.ended(ref, n-1, removed); !ended {
		return &GenerationError{op, publish, known.state(publish)}
	}
	if removed != publication.StateAccepted {
		return &GenerationError{op, removal, removed}
	}
	return nil
}

// ended tells whether a generation was there and needs nothing more but its removal: it was published or taken up, or
// what was removed is the proof that it was there. It also names the generation's publish.
func (f family) ended(ref publication.Reference, generation int, removal publication.State) (publication.OperationID, bool) {
	publish := publication.PublishAgainID(ref.Owner, ref.Slug, generation)
	state := f.state(publish)
	switch {
	case state == publication.StateAccepted:
		return publish, true
	case generation == 1 && f.state(publication.TrackID(ref.Owner, ref.Slug)) == publication.StateAccepted:
		return publish, true
	}
	return publish, removal == publication.StateAccepted && (state == "" || state.Settled())
}

// Generation gives the newest publication of a slug that the ledger knows of, counted from 1, and whether postonce
// removed it. Content that somebody else created counts once it was taken up or a removal of it was opened. 0: none is
// known.
//
// The next publish is generation n while removed is false, and n+1 after; a removal is that of generation n.
func (l *Ledger) Generation(ctx context.Context, account, slug string) (n int, removed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	ref := publication.Reference{Owner: account, Slug: slug}
	known, err := loadFamily(ctx, l.pool, ref)
	if err != nil {
		return 0, false, fmt.Errorf("ledger: generation of %s: %w", ref, err)
	}
	n, removed = known.newest(ref)
	return n, removed, nil
}

func (f family) newest(ref publication.Reference) (n int, removed bool) {
	for _, r := range f {
		if r.operation.Kind() != publication.KindRevise {
			n = max(n, r.operation.Generation())
		}
	}
	removed = f.state(publication.RemoveID(ref.Owner, ref.Slug, n)) == publication.StateAccepted
	if removed && f.outlived(publication.TrackID(ref.Owner, ref.Slug)) {
		return n + 1, false // else nobody could ever remove it: the removal that its number has is used up
	}
	return n, removed
}

// outlived tells whether the content that was taken up is another one than those that were removed: somebody else
// created it under the slug after our removal.
func (f family) outlived(track publication.OperationID) bool {
	tracked := ""
	gone := map[string]bool{}
	for _, r := range f {
		switch {
		case r.operation == track:
			tracked = r.contentID
		case r.operation.Kind() == publication.KindRemove:
			gone[r.contentID] = true
		}
	}
	return tracked != "" && !gone[tracked]
}
