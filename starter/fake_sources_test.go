package main

import (
	"context"
	"strings"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/tabnews"
	"postonce/workflows"
)

// fakeRecords plays the ledger.
type fakeRecords struct {
	fakeChronicle
	snapshots  []publication.Snapshot
	inputs     map[publication.OperationID]workflows.PublishInput
	generation int
	removed    bool
	gone       publication.OperationID // by what it is removed; empty: by its removal
	tries      map[publication.OperationID]publication.State
	underWay   []workflows.PublishInput
	err        error
	fakeLanes
}

func (f *fakeRecords) Gone(_ context.Context, account, slug string, n int) (publication.OperationID, error) {
	switch {
	case f.err != nil || !f.removed:
		return "", f.err
	case f.gone != "":
		return f.gone, nil
	}
	return publication.RemoveID(account, slug, n), nil
}

func (f *fakeRecords) NewestTry(_ context.Context, op publication.OperationID) (publication.OperationID, publication.State, error) {
	newest := op
	for each := range f.tries {
		if each.WithTry(1) == op && each.Try() >= newest.Try() {
			newest = each
		}
	}
	return newest, f.tries[newest], f.err
}

func (f *fakeRecords) UnderWay(context.Context, string, string) ([]workflows.PublishInput, error) {
	return f.underWay, f.err
}

func (f *fakeRecords) Changes(context.Context, string, string, string) ([]publication.Snapshot, error) {
	var changes []publication.Snapshot
	for _, s := range f.snapshots {
		if s.Operation.Kind() == publication.KindRevise {
			changes = append(changes, s)
		}
	}
	return changes, f.err
}

func (f *fakeRecords) Input(_ context.Context, op publication.OperationID) (workflows.PublishInput, error) {
	if in, ok := f.inputs[op]; ok {
		return in, nil
	}
	return workflows.PublishInput{}, errNotRecorded
}

func (f *fakeRecords) Generation(context.Context, string, string) (int, bool, error) {
	return max(f.generation, 1), f.removed, f.err
}

// fakeReader plays TabNews' public pages.
type fakeReader map[string]tabnews.Content

func (f fakeReader) Content(_ context.Context, ref publication.Reference) (tabnews.Content, error) {
	if c, ok := f[strings.ToLower(ref.String())]; ok {
		return c, nil
	}
	return tabnews.Content{}, &tabnews.NotFoundError{Reference: ref}
}

func (f *fakeRecords) Close() {}

func (f *fakeRecords) Load(_ context.Context, op publication.OperationID) (publication.Snapshot, error) {
	for _, s := range f.snapshots {
		if s.Operation == op {
			return s, nil
		}
	}
	return publication.Snapshot{}, errNotRecorded
}

func (f *fakeRecords) List(_ context.Context, want filter) ([]publication.Snapshot, error) {
	var found []publication.Snapshot
	for _, s := range f.snapshots {
		if (want.State == "" || s.State == want.State) && (!want.Drift || s.Drift != nil) {
			found = append(found, s)
		}
	}
	return found, nil
}

// fakeSession plays TabNews' sessions.
type fakeSession struct {
	username string
	err      error
	logouts  int
}

func (f *fakeSession) CheckSession(context.Context) (tabnews.User, error) {
	return tabnews.User{Username: f.username}, f.err
}

func (f *fakeSession) Logout(context.Context) error { f.logouts++; return nil }

// fakePerson answers every question in the same way, and remembers them.
type fakePerson struct {
	yes     bool
	line    string
	aborts  bool
	asked   []string
	details []string
}

func (f *fakePerson) Confirm(_ context.Context, question, detail, _ string) (bool, error) {
	f.asked, f.details = append(f.asked, question), append(f.details, detail)
	if f.aborts {
		return false, terminal.ErrAborted
	}
	return f.yes, nil
}

func (f *fakePerson) Ask(_ context.Context, question, _ string) (string, error) {
	f.asked = append(f.asked, question)
	return f.line, nil
}
