package ledger

import (
	"context"
	"fmt"

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
		return fmt.Sprintf("its earlier publication was not removed through postonce, nor is it known to be deleted elsewhere; remove it first: `starter remove %s`", ref)
	case e.State == "":
		return fmt.Sprintf("no earlier publication is known (%s is not in the ledger); publish without --again, or take up what exists: `starter track %s`", e.Earlier, ref)
	case removal && e.State == publication.StateAbandoned:
		return fmt.Sprintf("the removal %s was abandoned, and nobody knows whether it removed; while the content can be read, `starter remove %s` tries again", e.Earlier, ref)
	case removal:
		return fmt.Sprintf("the removal %s is %s; it must be accepted first: `starter status %s`", e.Earlier, e.State, e.Earlier)
	}
	return fmt.Sprintf("its earlier publication %s is %s; finish that one: `starter status %s`", e.Earlier, e.State, e.Earlier)
}

// checkGeneration holds that a slug is published again only after its publication before is gone. The proof is the
// accepted removal, whoever created what it removed, or that the content was found deleted elsewhere; the publish
// before, when there is one, must have come to its end. Nothing is locked for it: accepted is for good.
func checkGeneration(ctx context.Context, q querier, op publication.OperationID) error {
	n, ref := op.Generation(), op.Reference()
	if op.Kind() != publication.KindPublish || n < 2 {
		return nil
	}
	known, err := loadFamily(ctx, q, ref)
	if err != nil {
		return err
	}
	gone := known.gone(ref, n-1)
	if publish, ended := known.ended(ref, n-1, gone != ""); !ended {
		return &GenerationError{op, publish, known.state(publish)}
	}
	if gone == "" {
		removal := known.newestTry(publication.RemoveID(ref.Owner, ref.Slug, n-1))
		return &GenerationError{op, removal, known.state(removal)}
	}
	return nil
}

// Generation gives the newest publication of a slug that the ledger knows of, counted from 1, and whether it is gone:
// postonce removed it, or it was found deleted elsewhere. Content that somebody else created counts once it was taken
// up or a removal of it was opened. 0: none is known.
//
// The next publish is generation n while removed is false, and n+1 after; a removal is that of generation n.
func (l *Ledger) Generation(ctx context.Context, account, slug string) (n int, removed bool, err error) {
	ref := publication.Reference{Owner: account, Slug: slug}
	known, err := l.family(ctx, ref)
	if err != nil {
		return 0, false, fmt.Errorf("ledger: generation of %s: %w", ref, err)
	}
	n, removed = known.newest(ref)
	return n, removed, nil
}

// Gone gives the operation that shows that a generation of a slug is gone: the accepted removal, or, for content that
// was found deleted elsewhere, the operation that published it, took it up or changed it last. Empty: it is not known
// to be gone.
func (l *Ledger) Gone(ctx context.Context, account, slug string, generation int) (publication.OperationID, error) {
	ref := publication.Reference{Owner: account, Slug: slug}
	known, err := l.family(ctx, ref)
	if err != nil {
		return "", fmt.Errorf("ledger: what became of %s: %w", ref, err)
	}
	return known.gone(ref, generation), nil
}
