package main

import (
	"context"
	"fmt"
	"strings"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/workflows"
)

// batch is several publications that go one after another, in the order in which they were given.
type batch struct {
	app   *app
	flags publishFlags
	items []*batchItem
	board *terminal.Board
	stuck *batchItem // the one that holds the rest; nil: none does
}

// publishBatch checks and shows all files before the first send, asks once, and publishes one after another. Nothing
// needs to be remembered between two calls: what was attempted before is known to Temporal and the ledger, and is never
// sent again from here.
func (a *app) publishBatch(ctx context.Context, args []string, flags publishFlags) error {
	if err := a.checkBatch(flags); err != nil {
		return err
	}
	files, problems := readBatch(args, flags.draft)
	if err := a.refuseBatch(problems); err != nil {
		return err
	}
	if flags.dryRun {
		return a.dryRunBatch(files, flags.account)
	}
	b := &batch{app: a, flags: flags}
	if err := b.plan(ctx, files); err != nil {
		return err
	}
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	if err := b.lookAtAll(ctx, e); err != nil {
		return err
	}
	b.showPlan()
	if err := b.approve(ctx, e); err != nil {
		return err
	}
	b.run(ctx, e)
	return b.show(ctx)
}

// checkBatch refuses what has no meaning for several publications.
func (a *app) checkBatch(flags publishFlags) error {
	switch {
	case flags.again:
		return usage("publish: --again is for one file, for what was removed is published anew on purpose, one by one", "publish that file alone")
	case flags.at != "":
		return usage("publish: --at is for one file: of several, each starts when the one before has ended well", "publish each with its own --at")
	case flags.tz != "" || flags.changed("late"):
		return usage("publish: --tz, --late: belong to --at, which is for one file", "leave them out, or publish each with its own --at")
	case flags.noWait && !flags.propose:
		return usage("publish: --no-wait is for one file: of several, each starts when the one before has ended well", "leave it out; Ctrl-C ends the waiting, and the same command goes on later")
	}
	return a.checkPublish(flags)
}

// plan makes an item of each file.
func (b *batch) plan(ctx context.Context, files []batchFile) error {
	by, account, err := b.app.who(ctx, b.flags.approvalFlags)
	if err != nil {
		return err
	}
	var problems []error
	for i, file := range files {
		it := &batchItem{batchFile: file, in: inputOf(file.text.payload, account, by), position: i}
		if it.in.Operation, err = b.app.publicationID(ctx, it.in.Operation.Reference(), false); err != nil {
			problems = append(problems, badInput(fmt.Errorf("%s: %w", file.name, err)))
		}
		b.items = append(b.items, it)
	}
	return b.app.refuseBatch(problems)
}

// lookAtAll finds out what was started before, and the times that are kept. A file whose slug holds another text already
// is a mistake in the batch, which is told before anything starts; one that was never published with that text is not,
// and holds the rest.
func (b *batch) lookAtAll(ctx context.Context, e engine) error {
	var problems []error
	for _, it := range b.items {
		if err := b.app.refresh(ctx, e, it); err != nil {
			return err
		}
		if it.due() {
			it.in.Schedule = b.app.heldTime(ctx, it.in.Operation, nil)
		}
		if it.otherPayload() && (it.open || it.known.State == publication.StateAccepted) {
			problems = append(problems, usage(fmt.Sprintf("%s: %s was started with another payload, %s, and is %s", it.name, it.in.Operation, digestWords(it.known.Digest), it.known.State),
				"leave the file out; "+insteadOf(*it.known)))
		}
	}
	return b.app.refuseBatch(problems)
}

func digestWords(d publication.Digest) string {
	if d == "" {
		return "which cannot be told now"
	}
	return string(d)
}

// toStart are the items that would be started now: all that are due, or those before the first that is known to hold.
func (b *batch) toStart() []*batchItem {
	var due []*batchItem
	for _, it := range b.items {
		switch {
		case it.due():
			due = append(due, it)
		case !b.flags.goOn && !it.underWay() && it.holds(b.flags.propose):
			return due
		}
	}
	return due
}

// mostListed bounds the digests in the question itself: a question must fit the screen. All of them stand in the table
// before it.
const mostListed = 12

// approve asks once for all that would be started.
func (b *batch) approve(ctx context.Context, e engine) error {
	due := b.toStart()
	if len(due) == 0 {
		return nil
	}
	if err := b.app.warnWithoutWorker(ctx, e, due[0].in.Operation); err != nil {
		return err
	}
	if b.flags.propose {
		return nil
	}
	by := due[0].in.ProposedBy
	if !b.flags.yes {
		question := fmt.Sprintf("Publish these %d, one after another?", len(due))
		if err := b.app.confirm(ctx, question, approvalDetail(due, by), "Yes, send each once"); err != nil {
			return err
		}
	}
	for _, it := range due {
		it.in.ApprovedBy = by
	}
	return nil
}

func approvalDetail(due []*batchItem, by string) string {
	lines := []string{"approved by " + by + ":"}
	for _, it := range due[:min(len(due), mostListed)] {
		lines = append(lines, fmt.Sprintf("%s %s%s", it.in.Digest, it.in.Payload.Slug, it.sendTime()))
	}
	if rest := len(due) - mostListed; rest > 0 {
		lines = append(lines, fmt.Sprintf("and %d more, in the table above", rest))
	}
	return strings.Join(lines, "\n")
}

// approved reports whether the item may be started by this command: a person was asked about exactly this payload.
func (b *batch) approved(in workflows.PublishInput) bool {
	return b.flags.propose || in.ApprovedBy != ""
}
