package terminal

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"postonce/publication"
)

func drawAttempt(out *page, a publication.Attempt, v View) {
	out.heading(fmt.Sprintf("Attempt %d: %s", a.Number, outcome(v.Operation.Kind(), a.Outcome)))
	out.fact("approved by", Line(a.ApprovedBy))
	out.fact("claimed", moment(a.ClaimedAt))
	if a.Evidence != nil {
		drawEvidence(out, *a.Evidence)
		drawBody(out, a)
	}
	for _, candidate := range a.Candidates {
		drawCandidate(out, candidate, v.Site)
	}
}

func drawEvidence(out *page, e publication.Evidence) {
	out.fact("seen", Line(e.Summary))
	out.fact("exchange", exchange(e))
	out.fact("headers", headers(e.Headers))
	if e.APIError != nil {
		out.fact("answer", Line(e.APIError.Error()))
	}
	out.fact("error", Line(e.Error))
	if e.Hint != nil {
		out.fact("hint", fmt.Sprintf("the broken answer names %s, id %s", Line(e.Hint.Reference().String()), Line(e.Hint.ID)))
	}
}

// drawBody shows an answer's text where nothing else says what it said.
func drawBody(out *page, a publication.Attempt) {
	if e := a.Evidence; e.Body != "" && e.APIError == nil && a.Outcome != publication.OutcomeAccepted {
		out.block(Faint("the answer's text:") + "\n" + Plain(publication.Clip(e.Body, shownBody)))
	}
}

// shownBody bounds the answer's text on a screen, in bytes; --json has all that was kept.
const shownBody = 600

// exchange says how far the exchange came, in the order in which it went.
func exchange(e publication.Evidence) string {
	parts := []string{fmt.Sprintf("written: %d bytes", e.RequestBytes)}
	if e.ProvenUnsent {
		parts = append(parts, "proven unsent")
	}
	if e.HTTPStatus != 0 {
		parts = append(parts, fmt.Sprintf("HTTP %d", e.HTTPStatus))
	}
	if e.Phase != "" {
		parts = append(parts, "ended in phase "+Line(e.Phase))
	}
	if e.Proxy != "" {
		parts = append(parts, "through the proxy "+Line(e.Proxy))
	}
	if e.DurationMS > 0 {
		parts = append(parts, (time.Duration(e.DurationMS) * time.Millisecond).String())
	}
	return strings.Join(parts, ", ")
}

func headers(all map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, Line(name)+": "+Line(all[name]))
	}
	return strings.Join(parts, ", ")
}

func drawCandidate(out *page, c publication.Candidate, site string) {
	verdict := warnStyle.Render("differs from the payload")
	if c.Equal {
		verdict = addedStyle.Render("reads exactly as the payload")
	}
	out.fact("candidate", fmt.Sprintf("%s, found by %s: %s", Bold(Line(c.Reference)), Line(c.FoundBy), verdict))
	out.fact("", Line(site+"/"+c.Reference))
	if c.ID != "" {
		out.fact("", "id "+Line(c.ID))
	}
	if c.PublishedAt != nil {
		out.fact("", "published "+moment(c.PublishedAt))
	}
	if c.Diff != "" {
		out.block(Diff(c.Diff))
	}
}

func drawDecisions(out *page, decisions []publication.Decision) {
	if len(decisions) == 0 {
		return
	}
	out.heading("Decisions")
	for _, d := range decisions {
		out.line("  %s %s: %s", Faint(moment(&d.At)), decision(d), fate(d))
	}
}

func decision(d publication.Decision) string {
	text := string(d.Kind)
	if text == "" {
		text = "unreadable signal " + d.Signal
	}
	if d.Attempt > 0 {
		text += fmt.Sprintf(" attempt %d", d.Attempt)
	}
	if d.Reference != "" {
		text += " " + d.Reference
	}
	if d.By != "" {
		text += " by " + d.By
	}
	if d.Reason != "" {
		text += " (" + d.Reason + ")"
	}
	return Line(text)
}

func fate(d publication.Decision) string {
	switch {
	case d.Taken:
		return addedStyle.Render("taken")
	case d.Refusal != "":
		return warnStyle.Render("refused") + ": " + Line(d.Refusal)
	}
	return "being looked at"
}

// moment is a time for people, or empty.
func moment(t *time.Time) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return publication.Moment(*t)
}
