package main

import (
	"context"

	"postonce/ledger"
	"postonce/publication"
	"postonce/workflows"
)

func (l *ledgerRecords) Gone(ctx context.Context, account, slug string, generation int) (publication.OperationID, error) {
	gone, err := l.ledger.Gone(ctx, account, slug, generation)
	switch {
	case noTables(err):
		return "", nil
	case err != nil:
		return "", ledgerError(err)
	}
	return gone, nil
}

func (l *ledgerRecords) NewestTry(ctx context.Context, op publication.OperationID) (publication.OperationID, publication.State, error) {
	newest, state, err := l.ledger.NewestTry(ctx, op)
	switch {
	case noTables(err):
		return op, "", nil
	case err != nil:
		return op, "", ledgerError(err)
	}
	return newest, state, nil
}

func (l *ledgerRecords) UnderWay(ctx context.Context, account, slug string) ([]workflows.PublishInput, error) {
	found, err := l.ledger.Find(ctx, account, slug)
	switch {
	case noTables(err):
		return nil, nil
	case err != nil:
		return nil, ledgerError(err)
	}
	var inputs []workflows.PublishInput
	for _, r := range found {
		if r.State == publication.StateSending || r.State == publication.StateUnknown {
			inputs = append(inputs, inputFrom(r))
		}
	}
	return inputs, nil
}

func (l *ledgerRecords) Changes(ctx context.Context, account, slug, content string) ([]publication.Snapshot, error) {
	found, err := l.ledger.Find(ctx, account, slug)
	switch {
	case noTables(err):
		return nil, nil
	case err != nil:
		return nil, ledgerError(err)
	}
	var changes []publication.Snapshot
	for _, r := range found {
		if r.Operation.Kind() == publication.KindRevise && (r.Base != nil && r.Base.ID == content || r.Identity != nil && r.Identity.ID == content) {
			changes = append(changes, inWords(r.Snapshot()))
		}
	}
	return changes, nil
}

// inputFrom is a record in the form of a start's input.
func inputFrom(r ledger.Record) workflows.PublishInput {
	return workflows.PublishInput{Operation: r.Operation, Payload: r.Payload, Base: r.Base, Digest: r.Digest, ProposedBy: r.ProposedBy}
}
