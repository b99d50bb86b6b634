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
	switch s.State {
	case publication.StateProposed:
		return []string{fmt.Sprintf("starter approve %s", s.Operation)}
	case publication.StatePlanned, publication.StateSending:
		return []string{fmt.Sprintf("starter status %s --watch", s.Operation)}
	case publication.StateUnknown:
		return append(resolveCommands(s), fmt.Sprintf("starter recheck %s", s.Operation))
	case publication.StateAccepted:
		return acceptedCommands(s)
	}
	return nil
}

// resolveCommands names the candidates first, then the pinned reference.
func resolveCommands(s publication.Snapshot) []string {
	last := s.LastAttempt()
	if last == nil {
		return nil
	}
	resolve := fmt.Sprintf("starter resolve %s --attempt %d", s.Operation, last.Number)
	var commands []string
	for _, reference := range candidatesOf(s) {
		commands = append(commands, resolve+" --adopt "+reference+" --reason '…'")
	}
	return append(commands, resolve+" --not-created --reason '…'", resolve+" --abandon --reason '…'")
}

func candidatesOf(s publication.Snapshot) []string {
	var references []string
	for _, candidate := range s.LastAttempt().Candidates {
		references = append(references, candidate.Reference)
	}
	if len(references) == 0 {
		references = append(references, s.Reference)
	}
	return references
}

// acceptedCommands are for an accepted operation that still waits for a person.
func acceptedCommands(s publication.Snapshot) []string {
	last := s.LastAttempt()
	if !s.Parked || last == nil {
		return nil
	}
	return []string{
		fmt.Sprintf("starter recheck %s", s.Operation),
		fmt.Sprintf("starter resolve %s --attempt %d --adopt %s --accept-divergence --reason '…'", s.Operation, last.Number, s.Reference),
	}
}
