package main

import (
	"context"
	"fmt"
	"slices"

	"postonce/internal/terminal"
	"postonce/publication"
)

// showPlan puts all that would be sent before the person, and a table of all files with what is known of each.
func (b *batch) showPlan() {
	for _, it := range b.toStart() {
		view := b.app.previewOf(it.text, it.in.Operation.Account())
		view.Schedule = it.in.Schedule
		b.app.preview(b.app.drawPreview(view))
	}
	rows := [][]string{{"FILE", "SO FAR", "NOW", "AS", "SLUG", "TITLE", "DIGEST"}}
	plans := b.plans()
	for i, it := range b.items {
		p := it.in.Payload
		rows = append(rows, []string{it.name, stateCell(it), plans[i], string(p.Status), p.Slug, publication.Clip(p.Title, 40), string(it.in.Digest)})
	}
	b.app.say("%s", terminal.Table(rows))
}

// holding is the plan for the one that keeps those after it from being started.
const holding = "holds the rest"

// plans say for each item what happens to it now.
func (b *batch) plans() []string {
	starts := map[*batchItem]bool{}
	for _, it := range b.toStart() {
		starts[it] = true
	}
	var plans []string
	for i, it := range b.items {
		switch {
		case starts[it]:
			plans = append(plans, "send"+it.sendTime())
		case it.due():
			plans = append(plans, "held")
		case it.underWay() && awaitsTime(*it.known):
			plans = append(plans, "waits for its time")
		case it.underWay():
			plans = append(plans, "follow")
		case !it.holds(b.flags.propose):
			plans = append(plans, "skip")
		case !b.flags.goOn && !slices.Contains(plans, holding) && slices.ContainsFunc(b.items[i:], (*batchItem).due):
			plans = append(plans, holding)
		default:
			plans = append(plans, "left as it is")
		}
	}
	return plans
}

func stateCell(it *batchItem) string {
	if it.known == nil {
		return notStarted
	}
	return string(it.known.State)
}

// batchDocument is what --json prints for several files.
type batchDocument struct {
	Items   []itemDocument `json:"items"`
	Summary batchSummary   `json:"summary"`
}

type itemDocument struct {
	File      string                    `json:"file"`
	Operation publication.OperationID   `json:"operation"`
	Title     string                    `json:"title"`
	Slug      string                    `json:"slug"`
	Status    publication.ContentStatus `json:"status"` // what it is to be: published or draft
	Digest    publication.Digest        `json:"digest"` // of the file; that of the operation is in publication
	State     publication.State         `json:"state"`  // empty: it was never started
	Started   bool                      `json:"started"`
	Held      bool                      `json:"held"`      // an earlier one, or an interruption, kept it from being started
	ExitCode  int                       `json:"exit_code"` // as publishing the file alone would have it; 6 when it is held
	Error     string                    `json:"error,omitempty"`
	WayOut    string                    `json:"way_out,omitempty"`
	// Publication is all that is known of the operation; null when it was never started.
	Publication *publication.Snapshot `json:"publication"`
}

type batchSummary struct {
	Files      int                       `json:"files"`
	Started    int                       `json:"started"` // by this command
	States     map[publication.State]int `json:"states"`
	NotStarted int                       `json:"not_started"`
	HeldBy     publication.OperationID   `json:"held_by,omitempty"` // the one that keeps the rest
	ExitCode   int                       `json:"exit_code"`         // the worst of all
}

func (b *batch) document() batchDocument {
	d := batchDocument{Items: []itemDocument{}, Summary: batchSummary{Files: len(b.items), States: map[publication.State]int{}}}
	codes := []int{}
	for _, it := range b.items {
		doc := it.document()
		d.Items, codes = append(d.Items, doc), append(codes, doc.ExitCode)
		if it.started {
			d.Summary.Started++
		}
		if it.known == nil {
			d.Summary.NotStarted++
			continue
		}
		d.Summary.States[it.known.State]++
	}
	if b.stuck != nil && b.held() > 0 {
		d.Summary.HeldBy = b.stuck.in.Operation
	}
	d.Summary.ExitCode = worst(codes)
	return d
}

func (it *batchItem) document() itemDocument {
	p := it.in.Payload
	d := itemDocument{File: it.name, Operation: it.in.Operation, Title: p.Title, Slug: p.Slug, Status: p.Status, Digest: it.in.Digest,
		State: it.state(), Started: it.started, Held: it.held, ExitCode: it.code(), WayOut: it.wayOut()}
	if it.err != nil {
		d.Error = it.err.Error()
	}
	if it.known != nil {
		s := complete(*it.known)
		d.Publication = &s
	}
	return d
}

// show prints the batch as the command's result. The worst exit code is the command's.
func (b *batch) show(ctx context.Context) error {
	document := b.document()
	b.app.code = document.Summary.ExitCode
	b.sayInterrupted(ctx)
	if b.app.json {
		return b.app.printJSON(document)
	}
	rows := [][]string{{"FILE", "STATE", "OPERATION"}}
	for _, it := range b.items {
		rows = append(rows, []string{it.name, it.words(), string(it.in.Operation)})
	}
	terminal.Print(b.app.stdout, terminal.Table(rows))
	for _, it := range b.items {
		b.printWayOut(it)
	}
	b.sayHeld()
	return nil
}

// printWayOut prints the exact commands for an item that a person has to look at.
func (b *batch) printWayOut(it *batchItem) {
	way := it.wayOut()
	if way == "" {
		return
	}
	terminal.Print(b.app.stdout, fmt.Sprintf("\n%s: %s\n", terminal.Bold(terminal.Line(string(it.in.Operation))), terminal.Line(way)))
	for _, command := range b.app.asTyped(ownCommands(*it.known)) {
		terminal.Print(b.app.stdout, "  "+terminal.Line(command)+"\n")
	}
}

// held counts what was to be started and was not.
func (b *batch) held() (n int) {
	for _, it := range b.items {
		if it.held {
			n++
		}
	}
	return n
}

func (b *batch) sayHeld() {
	held := b.held()
	if held == 0 || b.stuck == nil {
		return
	}
	b.app.say("%d not started, for %s holds the rest; settle it and give the same command again, or go on past it with --continue", held, b.stuck.in.Operation)
}

// sayInterrupted tells what goes on without this command, and how to take it up.
func (b *batch) sayInterrupted(ctx context.Context) {
	if ctx.Err() == nil {
		return
	}
	for _, it := range b.items {
		if it.underWay() {
			b.app.say("%s goes on by itself; look with `starter status %s`", it.in.Operation, it.in.Operation)
		}
	}
	b.app.say("interrupted; the same command takes up what is under way and goes on with what was never attempted")
}
