package main

import (
	"context"
	"errors"
	"fmt"

	"postonce/internal/terminal"
	"postonce/publication"
)

// run takes the items in their order. The board is the only thing that is written meanwhile.
func (b *batch) run(ctx context.Context, e engine) {
	b.board = terminal.NewBoard(b.app.stderr, b.names())
	b.app.board = b.board
	defer func() { b.board.Close(); b.app.board = nil }()
	for _, it := range b.items {
		b.tell(it)
	}
	for _, it := range b.items {
		b.take(ctx, e, it)
		b.tell(it)
		if b.stuck == nil && ctx.Err() == nil && !b.flags.goOn && it.holds(b.flags.propose) {
			b.stuck = it
		}
	}
}

// take starts what is due and follows what is under way. Where an earlier one holds, or a person interrupted, what is
// under way goes on by itself and nothing is started.
func (b *batch) take(ctx context.Context, e engine, it *batchItem) {
	switch {
	case b.stuck != nil || ctx.Err() != nil:
		it.held = it.due()
		return
	case !it.due() && !it.underWay():
		return
	}
	// Others may have started it while the ones before were awaited, and it may have been refused since: it is looked at
	// once more, so that nothing is attempted twice from here.
	it.err = b.app.refresh(ctx, e, it)
	switch {
	case it.err == nil && it.due():
		it.err = b.start(ctx, e, it)
	case it.err != nil && ctx.Err() != nil && it.due():
		it.err, it.held = nil, true
	case it.err != nil && ctx.Err() != nil:
		it.err = interrupted(it.in.Operation, *it.known)
	}
	if it.err == nil && it.underWay() && !b.proposed(it) {
		b.follow(ctx, e, it)
	}
}

// start starts the item's workflow, or joins one that another caller started meanwhile.
func (b *batch) start(ctx context.Context, e engine, it *batchItem) error {
	if !b.approved(it.in) {
		it.held = true // it became due only now, and nobody was asked about it
		return nil
	}
	err := e.Start(ctx, it.in)
	switch {
	case errors.Is(err, errStarted):
		return b.app.refresh(ctx, e, it)
	case err != nil:
		return unconfirmed(it.in.Operation, err)
	}
	s := startedSnapshot(it.in)
	it.known, it.open, it.started = &s, true, true
	return nil
}

// proposed reports whether the item is where --propose --no-wait leaves it.
func (b *batch) proposed(it *batchItem) bool {
	return b.flags.noWait && it.known.State == publication.StateProposed
}

func (b *batch) follow(ctx context.Context, e engine, it *batchItem) {
	s, err := b.app.followTelling(ctx, e, it.in.Operation, halted, func(s publication.Snapshot, err error) {
		if words := progressLine(s, err); words != "" {
			b.board.Set(it.position, words)
		}
	})
	switch {
	case err == nil:
		it.known, it.open = &s, halted(s)
	case s.State != "" && ctx.Err() != nil:
		it.known = &s // as it was seen last
	}
	it.err = err
}

func (b *batch) names() []string {
	var names []string
	for _, it := range b.items {
		names = append(names, it.name)
	}
	return names
}

// tell puts on the board where the item stands.
func (b *batch) tell(it *batchItem) { b.board.Set(it.position, it.words()) }

// words say in one line where the item stands.
func (it *batchItem) words() string {
	switch {
	case it.err != nil:
		return terminal.Line(it.err.Error())
	case it.held:
		return "held: not started"
	case it.known == nil:
		return notStarted
	}
	words := string(it.known.State)
	switch {
	case it.otherPayload():
		words += ", with another payload"
	case it.known.State == publication.StateAccepted:
		words += fmt.Sprintf(", verification %s", it.known.Verification)
	case it.known.WaitingFor != "":
		words += ", waiting for " + terminal.Line(it.known.WaitingFor)
	}
	return words
}

// notStarted is how people read an empty state.
const notStarted = "not started"
