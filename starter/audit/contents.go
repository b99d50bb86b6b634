package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
)

// expectation is how a content should read: as the newest accepted operation on it left it.
type expectation struct {
	record ledger.Record
	at     time.Time
	noted  []ledger.Record // record, and what the others say that was noted of the content since they were accepted
}

// expectations gives one for each content that an accepted operation names.
func expectations(records []ledger.Record) []expectation {
	newest := map[string]expectation{}
	for _, r := range records {
		if r.State != publication.StateAccepted || r.Identity == nil {
			continue
		}
		e := expectation{record: r, at: r.CreatedAt}
		for _, a := range r.Attempts {
			if a.Outcome == publication.OutcomeAccepted && a.ClaimedAt != nil {
				e.at = *a.ClaimedAt
			}
		}
		if before, there := newest[r.Identity.ID]; !there || !e.at.Before(before.at) {
			newest[r.Identity.ID] = e
		}
	}
	for id, e := range newest {
		e.noted = noted(records, e.record)
		newest[id] = e
	}
	return slices.SortedFunc(maps.Values(newest), func(a, b expectation) int { return cmp.Compare(a.record.Operation, b.record.Operation) })
}

// noted gives the records that tell what is known of the newest one's content. The drift watch and an incident note what
// they see on the publication, whatever we made of its content since; what an older read-back showed is past.
func noted(records []ledger.Record, newest ledger.Record) []ledger.Record {
	found := []ledger.Record{newest}
	for _, r := range records {
		same := r.Identity != nil && r.Identity.ID == newest.Identity.ID && r.Operation != newest.Operation
		if same && r.Operation.Kind() != publication.KindRemove && (r.Drift != nil || hidden(r)) {
			found = append(found, r)
		}
	}
	return found
}

// hidden reports whether the ledger says that TabNews shows the content to nobody.
func hidden(r ledger.Record) bool {
	return r.RemoteStatus == publication.StatusFirewall || r.RemoteStatus == publication.StatusDeleted
}

// readable reports whether a public route shows the content, as far as the ledger knows.
func (e expectation) readable() bool {
	return e.record.Identity.Status != publication.StatusDraft || e.record.RemoteStatus == publication.StatusPublished
}

// compare tells how a fresh read differs from the record; nil: it does not. A divergence that the ledger knows already
// is no difference between the two.
func (e expectation) compare(content *tabnews.Content) *Difference {
	r := e.record
	d := &Difference{Operation: r.Operation, Reference: r.Identity.Reference().String(), ContentID: r.Identity.ID}
	removed := r.Operation.Kind() == publication.KindRemove
	found := content != nil && content.ID == r.Identity.ID
	switch {
	case removed && found:
		d.Kind, d.Detail = StillThere, "the ledger says that it was removed, and TabNews shows it"
		d.Remedy = fmt.Sprintf("look at it; `starter track %s` takes it up again, to be removed", d.Reference)
		return d
	case removed, e.knownAway():
		return nil
	case content == nil:
		d.Kind, d.Detail = Missing, "the ledger says that it is public, and TabNews answers 404: hidden, deleted, or the user was renamed"
		d.Remedy = "look at TabNews logged in as the account; the identity is kept, and publishing it under another slug may make a duplicate"
		return d
	case !found:
		d.Kind, d.Detail = OtherContent, fmt.Sprintf("the ledger names %s, and TabNews shows %s there", r.Identity.ID, content.ID)
		d.Remedy = "look at it: ours was deleted, and somebody created another under its slug"
		return d
	}
	fields := differing(r, *content)
	if len(fields) == 0 || e.verified(publication.VerificationDiverged) {
		return nil
	}
	d.Kind, d.Detail = Diverged, "TabNews shows another "+strings.Join(fields, ", ")+" than was approved"
	d.Remedy = fmt.Sprintf("look at it; `starter edit %s FILE` changes it with an approval", d.Reference)
	return d
}

// knownAway reports whether the ledger itself says that nobody can read it.
func (e expectation) knownAway() bool {
	return slices.ContainsFunc(e.noted, hidden) || e.verified(publication.VerificationUnreadable)
}

// verified reports whether the ledger says that reading it again came to this.
func (e expectation) verified(v publication.Verification) bool {
	return slices.ContainsFunc(e.noted, func(r ledger.Record) bool { return r.Verification == v })
}

func differing(r ledger.Record, c tabnews.Content) []string {
	var fields []string
	for _, d := range r.Payload.Differences(r.Account, c.Observed()) {
		fields = append(fields, d.Field)
	}
	return fields
}

// Reader reads what everybody can read at TabNews.
type Reader interface {
	// Content reads fresh. *tabnews.NotFoundError: nothing public is there.
	Content(context.Context, publication.Reference) (tabnews.Content, error)
	// UserContents lists a user's public contents, newest first.
	UserContents(ctx context.Context, username string, page, perPage int) ([]tabnews.Content, error)
}

// read reads one content; nil when nothing public is there.
func read(ctx context.Context, r Reader, ref publication.Reference) (*tabnews.Content, error) {
	content, err := r.Content(ctx, ref)
	var absent *tabnews.NotFoundError
	if errors.As(err, &absent) {
		return nil, nil
	}
	return &content, err
}
