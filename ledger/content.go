package ledger

import (
	"fmt"

	"postonce/publication"
)

// checkContent holds that an operation's content is whole: a change has the base that it starts from, of the version
// that its ID names, and the digest is that of payload and base together.
func checkContent(op publication.OperationID, p publication.Payload, base *publication.Base, digest publication.Digest) error {
	switch changes := changesContent(op.Kind()); {
	case changes && base == nil:
		return fmt.Errorf("the base is missing: a %s starts from the content as it was", op.Kind())
	case !changes && base != nil:
		return fmt.Errorf("a %s starts from nothing, and a base came with it", op.Kind())
	case op.Kind() == publication.KindRevise && op.BaseVersion() != base.Version():
		return fmt.Errorf("the base is version %s, not %s", base.Version(), op.BaseVersion())
	}
	if want := publication.DigestOf(p, base); want != digest {
		return fmt.Errorf("the digest %s is not the payload's, which is %s", digest, want)
	}
	return nil
}

// changesContent tells whether operations of a kind start from content that exists.
func changesContent(k publication.Kind) bool {
	return k == publication.KindRevise || k == publication.KindRemove
}

// baseJSON is a base as it is stored. Its time is in UTC, so that it is read again as it was written.
func baseJSON(b *publication.Base) any {
	if b == nil {
		return nil
	}
	stored := *b
	if b.Readable() {
		stored.UpdatedAt = b.UpdatedAt.UTC()
	}
	return stored
}
