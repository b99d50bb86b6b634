package main

import (
	"fmt"
	"strings"

	"postonce/publication"
)

// fromDraft reports whether a revision makes a draft public: its base has no version, but the draft's id.
func fromDraft(op publication.OperationID) bool {
	return op.Kind() == publication.KindRevise && strings.HasPrefix(op.BaseVersion(), "draft")
}

// takeUp is the command that starts an operation again, where its workflow was cancelled or terminated.
func takeUp(op publication.OperationID) string {
	command := "publish FILE"
	switch {
	case fromDraft(op):
		command = "publish-draft " + op.Reference().String()
	case op.Kind() == publication.KindRevise:
		command = "edit " + op.Reference().String() + " FILE"
	case op.Kind() == publication.KindRemove:
		command = "remove " + op.Reference().String()
	case op.Kind() == publication.KindTrack:
		command = "track " + op.Reference().String()
	case strings.HasPrefix(op.Reference().Slug, "comentario-"):
		command = "comment --on OWNER/SLUG FILE"
	}
	return "`starter " + command + "`"
}

// takeUpProposed is takeUp without an approval, where the command can do without: an earlier approval that was not used
// is void then.
func takeUpProposed(op publication.OperationID) string {
	if kind := op.Kind(); kind == publication.KindRemove || kind == publication.KindTrack {
		return takeUp(op)
	}
	return strings.TrimSuffix(takeUp(op), "`") + " --propose`"
}

// insteadOf is the way out where an operation holds another payload than the one that was to be sent.
func insteadOf(first publication.Snapshot) string {
	op := first.Operation
	switch {
	case op.Kind() == publication.KindPublish && first.State == publication.StateProposed:
		return fmt.Sprintf("that one waits for an approval; to propose this one in its place, first withdraw it: `starter cancel %s`", op)
	case op.Kind() == publication.KindPublish:
		return insteadOfPublished(first) + "; for another article choose another slug"
	case !first.State.Settled():
		return fmt.Sprintf("one change at a time: settle that one first, look with `starter status %s`", op)
	case op.Kind() == publication.KindTrack:
		return "track it again: what is there now is taken up"
	case op.Kind() == publication.KindRemove:
		return fmt.Sprintf("it is settled as %s, and was about an earlier content; set DATABASE_URL, so that the ledger tells this one from that", first.State)
	}
	return fmt.Sprintf("it is settled as %s, and TabNews still shows the version that it started from; look with `starter status %s`", first.State, op)
}

// insteadOfPublished is the way out where it is the same article whose text changed.
func insteadOfPublished(first publication.Snapshot) string {
	op, ref := first.Operation, first.Operation.Reference()
	draft := first.Identity != nil && first.Identity.Status == publication.StatusDraft && first.RemoteStatus != publication.StatusPublished
	switch {
	case first.State == publication.StatePlanned:
		return fmt.Sprintf("to send this text in its place, first withdraw that one while nothing of it was sent: `starter cancel %s`", op)
	case first.State == publication.StateAccepted && draft:
		return fmt.Sprintf("a stored draft is not edited: remove it with `starter remove %s`, then store this text with `--again`", ref)
	case first.State == publication.StateAccepted:
		return fmt.Sprintf("to change its text: `starter edit %s FILE`", ref)
	}
	return fmt.Sprintf("that one first: look with `starter status %s`", op)
}

// effect is what an operation's request does to content, as a verb.
type effect struct{ plain, past string }

func effectOf(op publication.OperationID) effect {
	switch op.Kind() {
	case publication.KindRevise, publication.KindTrack:
		return effect{"change", "changed"}
	case publication.KindRemove:
		return effect{"remove", "removed"}
	}
	return effect{"create", "created"}
}
