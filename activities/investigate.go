package activities

import (
	"context"
	"fmt"
	"time"

	"postonce/activities/api"
	"postonce/publication"
	"postonce/tabnews"
)

// Bounds of the search, so that an account with many publications costs no more than one with few.
const (
	searchPage    = 30
	searchFetched = 5
	// searchBefore allows for clocks that differ: PostgreSQL's that claimed, TabNews' that created.
	searchBefore = 2 * time.Minute
)

// Investigate searches, read-only, for what an attempt may have created: the pinned reference, and the account's
// newest contents around the attempt, each fetched in full. It adopts nothing: similar content is no proof.
func (a *Activities) Investigate(ctx context.Context, in api.InvestigateInput) (publication.Investigation, error) {
	found := publication.Investigation{At: time.Now().UTC()}
	pinned := in.Operation.Reference()
	seen, err := a.readOver(ctx, pinned, in.Payload, in.Base)
	switch {
	case err != nil:
		found.Reading = publication.ReadingFailed
		found.Notes = append(found.Notes, fmt.Sprintf("reading %s failed: %s", pinned, publication.Clip(err.Error(), 300)))
	default:
		found.Reading = seen.Reading
		if seen.Reading == publication.ReadingFound {
			found.Candidates = append(found.Candidates, candidate(seen, pinned.String(), "reference"))
		}
	}
	if in.Payload.Status == publication.StatusDraft {
		found.Notes = append(found.Notes, "the payload is a draft: no public route shows drafts, so reading cannot settle this")
	}
	found.Notes = append(found.Notes, changeNotes(in, seen)...)
	if in.Base == nil { // a change has no twin elsewhere
		a.searchListing(ctx, in, &found)
	}
	if err := a.Ledger.SaveInvestigation(ctx, in.Operation, in.Attempt.Number, found); err != nil {
		found.Notes = append(found.Notes, "this search is not in the ledger yet")
		a.Log.WarnContext(ctx, "an investigation was not saved", "operation", in.Operation, "error", err)
	}
	return found, nil
}

// changeNotes say what reading shows of an unknown change.
func changeNotes(in api.InvestigateInput, seen api.Read) []string {
	removal := in.Payload.Status == publication.StatusDeleted
	switch {
	case in.Base == nil || seen.Reading == "":
		return nil
	case seen.AsBase:
		return []string{"it reads as before the change: not applied as far as can be seen"}
	case removal && seen.Reading == publication.ReadingAbsent:
		return []string{"it cannot be read any more: removed, or hidden"}
	case seen.Reading == publication.ReadingFound && !seen.Equal:
		return []string{"it reads neither as before the change nor as approved"}
	}
	return nil
}

// searchListing adds the account's contents that are as new as the attempt.
func (a *Activities) searchListing(ctx context.Context, in api.InvestigateInput, found *publication.Investigation) {
	listed, err := a.TabNews.UserContents(ctx, a.Account, 1, searchPage)
	if err != nil {
		found.Notes = append(found.Notes, fmt.Sprintf("listing %s failed: %s", a.Account, publication.Clip(err.Error(), 300)))
		return
	}
	fetched := 0
	for _, item := range listed {
		if fetched == searchFetched || !asNew(item, in.Attempt) || item.Reference() == in.Operation.Reference() {
			continue
		}
		fetched++
		content, err := a.TabNews.Content(ctx, item.Reference())
		if err != nil || !resembles(content, in.Payload) {
			continue
		}
		if holder := a.holder(ctx, in.Operation, content); holder != "" {
			found.Notes = append(found.Notes, fmt.Sprintf("%s reads alike, and is the content of %s", item.Reference(), holder))
			continue
		}
		identity := content.Identity()
		seen := api.Read{At: time.Now().UTC(), Reading: publication.ReadingFound, Identity: &identity}
		seen.Equal, seen.Diff = compare(in.Payload, a.Account, content)
		c := candidate(seen, item.Reference().String(), "listing")
		c.PublishedAt = item.PublishedAt
		found.Candidates = append(found.Candidates, c)
	}
}

// holder is another operation of ours that created, or took up, the content; empty where none is known.
func (a *Activities) holder(ctx context.Context, op publication.OperationID, content tabnews.Content) publication.OperationID {
	records, err := a.Ledger.Find(ctx, a.Account, content.Slug)
	if err != nil {
		a.Log.WarnContext(ctx, "whose a similar content is could not be asked", "operation", op, "error", err)
		return ""
	}
	for _, r := range records {
		creates := r.Operation.Kind() == publication.KindPublish || r.Operation.Kind() == publication.KindTrack
		if r.Operation != op && creates && r.State == publication.StateAccepted && r.Identity != nil && r.Identity.ID == content.ID {
			return r.Operation
		}
	}
	return ""
}

// asNew reports whether a content may have been created by the attempt, by its time.
func asNew(item tabnews.Content, attempt publication.Attempt) bool {
	if attempt.ClaimedAt == nil {
		return false
	}
	return item.CreatedAt.After(attempt.ClaimedAt.Add(-searchBefore))
}

// resembles leaves out what is certainly another article: a candidate shares its place, and its title or its body.
func resembles(content tabnews.Content, payload publication.Payload) bool {
	return content.ParentID == payload.ParentID && (content.Title == payload.Title && content.Title != "" || content.Body == payload.Body)
}
