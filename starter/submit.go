package main

import (
	"context"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/workflows"
)

// inputOf starts a publication.
func inputOf(p publication.Payload, account, by string) workflows.PublishInput {
	return workflows.PublishInput{
		Operation: publication.PublishID(account, p.Slug), Payload: p, Digest: p.Digest(), ProposedBy: by,
	}
}

// changeOf starts a change of what exists.
func changeOf(op publication.OperationID, base publication.Base, p publication.Payload, by string) workflows.PublishInput {
	return workflows.PublishInput{Operation: op, Payload: p, Base: &base, Digest: publication.DigestOf(p, &base), ProposedBy: by}
}

// drawn is what can be put before a person in full, or in one line.
type drawn struct{ heading, text string }

// preview shows what would be approved. With --json nobody reads along: the heading is enough.
func (a *app) preview(d drawn) {
	if a.json {
		a.say("%s", d.heading)
		return
	}
	a.say("%s", d.text)
}

func (a *app) drawPreview(v terminal.Preview) drawn { return drawn{v.Heading(), v.Text(a.stderr)} }

// submitHere is submit for a command that needs Temporal for nothing else.
func (a *app) submitHere(ctx context.Context, in workflows.PublishInput, noWait bool, ask consent) error {
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	return a.submit(ctx, e, in, noWait, ask)
}

// submit starts the operation unless it is there already, and follows it.
func (a *app) submit(ctx context.Context, e engine, in workflows.PublishInput, noWait bool, ask consent) error {
	first, err := a.existing(ctx, e, in.Operation)
	if err != nil {
		return err
	}
	if first != nil {
		return a.showFirst(ctx, e, *first, in, noWait)
	}
	if err := a.warnWithoutWorker(ctx, e, in.Operation); err != nil {
		return err
	}
	if err := ask(ctx, &in); err != nil {
		return err
	}
	return a.start(ctx, e, in, noWait)
}

// warnWithoutWorker tells that nothing will happen for now. It is no reason to stop: the operation waits.
func (a *app) warnWithoutWorker(ctx context.Context, e engine, op publication.OperationID) error {
	polled, err := e.Polled(ctx, op.Account())
	if err != nil {
		return failed(err)
	}
	if !polled {
		a.say("no worker serves %s now; the publication waits until one does (POSTONCE_ACCOUNT=%s bin/worker)", op.Account(), op.Account())
	}
	return nil
}

// startedWith gives what an operation holds: the input of its start where that is what counts, else the ledger's
// record, which remembers what Temporal forgot and what another start replaced.
func (a *app) startedWith(ctx context.Context, e engine, s publication.Snapshot) (workflows.PublishInput, error) {
	in, err := e.Input(ctx, s.Operation)
	if err == nil && publication.DigestOf(in.Payload, in.Base) == s.Digest {
		return in, nil
	}
	in, err = a.recordedInput(ctx, s.Operation)
	if err != nil {
		return in, usage(string(s.Operation)+": its payload is known neither to Temporal nor to the ledger ("+err.Error()+")", "set DATABASE_URL to the worker's ledger")
	}
	return in, nil
}
