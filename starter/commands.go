package main

import (
	"fmt"
	"strings"

	"postonce/publication"
)

// commandsFor lists the exact commands that would take an operation on: ours first, then the workflow's own, which
// name the official temporal command.
func commandsFor(s publication.Snapshot) []string {
	commands := ownCommands(s)
	for _, command := range s.Signals {
		if !strings.HasPrefix(command, "starter ") {
			commands = append(commands, command)
		}
	}
	return commands
}

func ownCommands(s publication.Snapshot) []string {
	if s.Closed && s.State != publication.StateUnknown {
		return startCommands(s)
	}
	switch s.State {
	case publication.StateProposed:
		return append([]string{fmt.Sprintf("starter approve %s", s.Operation)}, planCommands(s)...)
	case publication.StatePlanned, publication.StateSending:
		if s.BlockedBy != "" {
			return []string{fmt.Sprintf("starter status %s", s.BlockedBy), fmt.Sprintf("starter status %s --watch", s.Operation)}
		}
		if commands := planCommands(s); commands != nil {
			return commands
		}
		return []string{fmt.Sprintf("starter status %s --watch", s.Operation)}
	case publication.StateUnknown:
		return append(resolveCommands(s), fmt.Sprintf("starter recheck %s", s.Operation))
	case publication.StateAccepted:
		return acceptedCommands(s)
	case publication.StateRejected, publication.StateAbandoned:
		return rejectedCommands(s)
	}
	return nil
}

// startCommands start what nothing runs for: with an approval, which sends it, and with --propose, which leaves it to one.
func startCommands(s publication.Snapshot) []string {
	start, propose := strings.Trim(takeUp(s.Operation), "`"), strings.Trim(takeUpProposed(s.Operation), "`")
	if start == propose || s.State == publication.StateSending {
		return []string{propose}
	}
	return []string{start, propose}
}

// planCommands move or withdraw what has a time and was not sent yet.
func planCommands(s publication.Snapshot) []string {
	if s.Schedule == nil || !unsent(s) {
		return nil
	}
	reschedule := fmt.Sprintf("starter reschedule %s", s.Operation)
	return []string{reschedule + " --now", reschedule + " --at WHEN --tz ZONE", fmt.Sprintf("starter cancel %s", s.Operation)}
}

// rejectedCommands are for a change that met another version than it started from, or was abandoned: a new one starts
// from what is there.
func rejectedCommands(s publication.Snapshot) []string {
	if s.Operation.Kind() == publication.KindPublish || fromDraft(s.Operation) && s.State == publication.StateRejected {
		return nil
	}
	return []string{strings.Trim(takeUp(s.Operation), "`")}
}

// resolveCommands names the probe first where it alone could show the content, then the candidates, then the pinned
// reference.
func resolveCommands(s publication.Snapshot) []string {
	last := s.OpenAttempt()
	if last == nil {
		return nil
	}
	resolve := fmt.Sprintf("starter resolve %s --attempt %d", s.Operation, last.Number)
	var commands []string
	if s.DraftInDoubt() {
		commands = append(commands, fmt.Sprintf("starter resolve %s --probe", s.Operation))
	}
	for _, reference := range s.Adoptable() {
		commands = append(commands, resolve+" --adopt "+reference+" --reason '…'")
	}
	if len(last.Candidates) == 0 || s.Operation.Kind() != publication.KindPublish {
		commands = append(commands, resolve+" --not-created --reason '…'")
	}
	return append(commands, resolve+" --abandon --reason '…'")
}

// acceptedCommands are for what can follow: a draft becomes public, an edit over somebody else's goes back, and what
// still waits for a person is settled.
func acceptedCommands(s publication.Snapshot) []string {
	var commands []string
	kind, id := s.Operation.Kind(), s.Identity
	switch {
	case kind == publication.KindPublish && id != nil && id.Status == publication.StatusDraft && s.RemoteStatus == publication.StatusDraft:
		commands = append(commands, fmt.Sprintf("starter publish-draft %s", s.Operation))
	case kind == publication.KindRevise && !fromDraft(s.Operation) && s.Verification == publication.VerificationDiverged:
		commands = append(commands, fmt.Sprintf("starter restore %s", s.Operation))
	}
	last := s.LastAttempt()
	if !s.Parked || last == nil {
		return commands
	}
	return append(commands,
		fmt.Sprintf("starter recheck %s", s.Operation),
		fmt.Sprintf("starter resolve %s --attempt %d --adopt %s --accept-divergence --reason '…'", s.Operation, last.Number, s.Reference),
	)
}
