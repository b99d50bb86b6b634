package main

import (
	"fmt"
	"strings"

	"postonce/internal/terminal"
	"postonce/ledger"
	"postonce/publication"
)

// laneText draws a lane for a person. Times are UTC.
func laneText(l ledger.Lane) string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line("%s  %s", terminal.Bold("lane "+terminal.Line(l.Lane)), laneStanding(l))
	if l.LastStart != nil {
		line("  last start   %s  %s", publication.Clock(*l.LastStart), terminal.Line(string(l.LastOperation)))
	}
	for i, p := range l.Queue {
		line("  %d. %s%s", i+1, terminal.Line(string(p.Operation)), placeWords(p))
		if p.WaitingFor != "" {
			line("     %s", terminal.Faint("waits for "+terminal.Line(p.WaitingFor)))
		}
	}
	for _, i := range l.Incidents {
		line("  incident     %s  TabNews' firewall refused %s", publication.Moment(i.At), refusedWords(i))
		for _, hit := range i.Affected {
			line("     %s: %s", terminal.Line(string(hit.Operation)), affectedWords(hit))
		}
	}
	return out.String()
}

func refusedWords(i ledger.Incident) string {
	op := terminal.Line(string(i.Operation))
	if i.Attempt == 0 {
		return "to be asked for the slug of " + op + "; it is asked again after the pause"
	}
	return fmt.Sprintf("%s, attempt %d (%s); nothing of it is sent again", op, i.Attempt, i.Creates)
}

func laneStanding(l ledger.Lane) string {
	p := l.Paused
	switch {
	case p == nil && len(l.Queue) == 0:
		return "nobody waits"
	case p == nil:
		return fmt.Sprintf("%d waiting", len(l.Queue))
	case p.Until == nil:
		return fmt.Sprintf("paused by %s until it is resumed: %s", terminal.Line(p.By), terminal.Line(p.Reason))
	}
	return fmt.Sprintf("paused by %s until %s: %s", terminal.Line(p.By), publication.Moment(*p.Until), terminal.Line(p.Reason))
}

func placeWords(p ledger.LanePlace) string {
	switch {
	case p.Late:
		return "  did not come at " + publication.Clock(p.DueAt) + ", holds nobody up, and keeps its place"
	case p.SlotAt != nil:
		return "  about " + publication.Clock(*p.SlotAt)
	}
	return ""
}

// affectedWords say what was found when it was read again.
func affectedWords(hit ledger.Affected) string {
	switch hit.RemoteStatus {
	case publication.StatusFirewall:
		return "hidden; " + publication.HiddenWords
	case publication.StatusDraft:
		return "a draft; no public route shows whether it is hidden"
	}
	return "not found hidden (" + terminal.Line(string(hit.RemoteStatus)) + ")"
}
