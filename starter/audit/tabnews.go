package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
)

// compareTabNews reads what was accepted again, and what the accounts show, one request after the other.
func (a *Audit) compareTabNews(ctx context.Context) error {
	expected := expectations(a.records)
	a.Say("reading %d contents of TabNews again", len(expected))
	for _, e := range expected {
		if !e.readable() {
			continue // a draft, which no public route shows
		}
		if err := a.compareContent(ctx, e); err != nil {
			return err
		}
	}
	if err := a.compareRunsContents(ctx); err != nil {
		return err
	}
	for _, account := range a.accounts() {
		if err := a.comparePages(ctx, account); err != nil {
			return err
		}
	}
	return nil
}

func (a *Audit) compareContent(ctx context.Context, e expectation) error {
	content, err := a.content(ctx, e.record.Identity.Reference())
	if err != nil || content.failed {
		return err
	}
	if d := e.compare(content.Content); d != nil {
		a.report.Differences = append(a.report.Differences, *d)
	}
	return nil
}

// seen is one fresh read.
type seen struct {
	*tabnews.Content      // nil: nothing public is there
	failed           bool // it proves nothing
}

// content reads once, after the pause. What cannot be read makes the audit incomplete, and does not end it.
func (a *Audit) content(ctx context.Context, ref publication.Reference) (seen, error) {
	if err := a.wait(ctx, a.Pause); err != nil {
		return seen{}, err
	}
	a.report.Compared.Contents++
	content, err := read(ctx, a.TabNews, ref)
	if ctx.Err() != nil {
		return seen{}, ctx.Err()
	}
	if err != nil {
		a.incomplete("TabNews: %s could not be read: %v", ref, err)
		return seen{failed: true}, nil
	}
	return seen{Content: content}, nil
}

// compareRunsContents looks for the contents that only Temporal names.
func (a *Audit) compareRunsContents(ctx context.Context) error {
	for _, d := range slices.Clone(a.report.Differences) {
		if d.Repair == nil || d.Repair.Snapshot.Identity == nil || d.Operation.Kind() == publication.KindRemove {
			continue
		}
		identity := *d.Repair.Snapshot.Identity
		if identity.Status == publication.StatusDraft {
			continue
		}
		content, err := a.content(ctx, identity.Reference())
		if err != nil {
			return err
		}
		if !content.failed && (content.Content == nil || content.ID != identity.ID) {
			a.report.Differences = append(a.report.Differences, Difference{
				Kind: Missing, Operation: d.Operation, Reference: identity.Reference().String(), ContentID: identity.ID,
				Detail: "Temporal's run names it, and TabNews does not show it: hidden, changed place, or deleted since",
				Remedy: "look at TabNews logged in as the account; the identity is kept",
			})
		}
	}
	return nil
}

// accounts are those of the ledger and of Temporal's runs, and the one that was named.
func (a *Audit) accounts() []string {
	accounts := map[string]bool{}
	if a.Account != "" {
		accounts[a.Account] = true
	}
	for _, r := range a.records {
		accounts[r.Account] = true
	}
	for _, d := range a.report.Differences { // of a ledger that lost them
		if d.Operation != "" {
			accounts[d.Operation.Account()] = true
		}
	}
	return slices.Sorted(maps.Keys(accounts))
}

// perPage is TabNews' most (TabNews API, GET /contents/{user}).
const perPage = 100

// comparePages goes through an account's public list.
func (a *Audit) comparePages(ctx context.Context, account string) error {
	a.Say("reading the public list of %s", account)
	for page := 1; ; page++ {
		if page > a.Pages {
			a.incomplete("TabNews: the newest %d contents of %s were compared; raise --pages", a.Pages*perPage, account)
			return nil
		}
		if err := a.wait(ctx, a.Pause); err != nil {
			return err
		}
		list, err := a.TabNews.UserContents(ctx, account, page, perPage)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.incomplete("TabNews: the list of %s could not be read: %v", account, err)
			return nil
		}
		for _, content := range list {
			if !a.tracked(content.ID) {
				a.report.Differences = append(a.report.Differences, a.untracked(content))
			}
		}
		if len(list) < perPage {
			return nil
		}
	}
}

func (a *Audit) tracked(id string) bool {
	return slices.ContainsFunc(a.records, func(r ledger.Record) bool { return r.Identity != nil && r.Identity.ID == id })
}

// untracked words what to do about content that the ledger does not know. An operation that waits under the same address
// may be the one that created it.
func (a *Audit) untracked(c tabnews.Content) Difference {
	ref := c.Reference().String()
	d := Difference{Kind: Untracked, Reference: ref, ContentID: c.ID, Detail: fmt.Sprintf("TabNews shows %q, and no accepted operation of the ledger names it", publication.Clip(c.Title, 80)),
		Remedy: fmt.Sprintf("`starter track %s` takes it up; a publication under its slug stops before the send", ref)}
	for _, known := range a.report.Differences {
		if known.Repair != nil && known.Repair.Snapshot.Identity != nil && known.Repair.Snapshot.Identity.ID == c.ID {
			d.Operation, d.Remedy = known.Operation, known.Remedy
			return d
		}
	}
	for _, r := range a.records {
		switch {
		case r.Reference != ref:
		case r.State == publication.StateUnknown:
			d.Operation = r.Operation
			d.Remedy = fmt.Sprintf("it may be what %s created: `starter status %s`, then adopt it", r.Operation, r.Operation)
			return d
		case r.State == publication.StateAbandoned && r.Operation.Kind() == publication.KindPublish:
			d.Operation = r.Operation
			d.Remedy = fmt.Sprintf("it is probably what %s created, which a person abandoned: `starter status %s`; `starter track %s` takes it up", r.Operation, r.Operation, ref)
		}
	}
	return d
}
