package publication

import (
	"fmt"
	"strings"
	"time"
)

// KnownWords says in a sentence or two what is known of the operation. "Unknown" is never worded as a failure.
func (s Snapshot) KnownWords() string {
	switch s.State {
	case StateProposed:
		return "Nobody approved this payload yet. Nothing was sent." + s.scheduleWords()
	case StatePlanned:
		return "A person approved this exact payload. It has not been sent" + s.afterAttempt() + "." + s.scheduleWords()
	case StateSending:
		return "The call left, or is about to, and has not ended." + s.closedWords()
	case StateAccepted:
		return s.acceptedWords()
	case StateUnknown:
		return s.unknownWords() + summaryOf(s.OpenAttempt())
	case StateRejected:
		return s.rejectedWords()
	case StateAbandoned:
		return "A person closed this after an unknown outcome, without a new send."
	}
	return ""
}

// closedWords say that nothing runs any more.
func (s Snapshot) closedWords() string {
	switch {
	case !s.Closed:
		return ""
	case s.Schedule != nil && s.State != StateSending:
		return fmt.Sprintf(" Its workflow is closed and nothing runs, so it is not sent by itself, also not at its time, %s.", s.Schedule)
	}
	return " Its workflow is closed and nothing runs, so nothing happens by itself."
}

// scheduleWords say when what was not sent yet is to be sent.
func (s Snapshot) scheduleWords() string {
	switch {
	case s.Closed:
		return s.closedWords()
	case s.Schedule == nil:
		return ""
	case s.Missed():
		return fmt.Sprintf(" Its time, %s, passed by more than %s: it is not sent by itself any more.", s.Schedule, time.Duration(s.Schedule.Late))
	}
	return fmt.Sprintf(" It is to be sent at %s, and by itself no later than %s after.", s.Schedule, time.Duration(s.Schedule.Late))
}

func (s Snapshot) afterAttempt() string {
	if last := s.LastAttempt(); last != nil {
		return fmt.Sprintf(" since attempt %d (%s)", last.Number, last.Outcome)
	}
	return ""
}

func (s Snapshot) unknownWords() string {
	switch s.Operation.Kind() {
	case KindRevise:
		return "The call may have changed it. "
	case KindRemove:
		return "The call may have removed it. "
	default:
		return "The call may have published. "
	}
}

func (s Snapshot) acceptedWords() string {
	if s.Identity == nil {
		return "TabNews accepted it."
	}
	if s.Operation.Kind() == KindRemove {
		return s.removedWords()
	}
	if s.Drift != nil {
		return s.driftWords()
	}
	switch {
	case s.RemoteStatus == StatusDeleted:
		return fmt.Sprintf("It was on TabNews as %s (id %s), and was removed since.", s.Identity.Reference(), s.Identity.ID)
	case s.RemoteStatus == StatusPublished && s.Identity.Status == StatusDraft:
		return fmt.Sprintf("It was created as a draft, %s (id %s), and is published since.", s.Identity.Reference(), s.Identity.ID)
	}
	if s.RemoteStatus == StatusFirewall && s.Identity.Status != StatusFirewall {
		return fmt.Sprintf("It was created on TabNews as %s (id %s, %s), and TabNews' firewall hides it since: %s.", s.Identity.Reference(), s.Identity.ID, s.Identity.Status, HiddenWords)
	}
	words := fmt.Sprintf("It is on TabNews as %s (id %s, %s).", s.Identity.Reference(), s.Identity.ID, s.Identity.Status)
	if s.Verification == VerificationUnreadable { // that it is there is not known, then
		words = fmt.Sprintf("Its identity is %s (id %s).", s.Identity.Reference(), s.Identity.ID)
	}
	switch s.Verification {
	case VerificationDiverged:
		words += " What can be read there differs from the approved payload."
	case VerificationUnreadable:
		words += " It could not be read back: it may be hidden, or deleted since."
	case VerificationNotApplicable:
		words += " It is a draft: no public route shows it, so it cannot be read back."
	}
	if s.Identity.Status == StatusFirewall {
		words += " TabNews' firewall hides it: " + HiddenWords + "."
	}
	return words
}

// What is said of hidden and deleted content is the same, whoever learnt it: the creation's own answer, an incident of
// the lane, or the drift watch. It follows from TabNews API, "The firewall".
const (
	// HiddenWords go behind a colon.
	HiddenWords = "only a moderator can restore it, its slug stays taken, and its identity is kept; published again under another slug it would be a duplicate once it is restored"

	hiddenNext  = "keep the reference and ask a moderator of TabNews to restore it; do not publish it again under another slug"
	deletedNext = "nothing; `starter publish --again` makes a new content under the slug"
)

// firewallWords are for the creation that met the firewall.
func firewallWords(a *Attempt) string {
	return fmt.Sprintf("TabNews' firewall refused attempt %d before creating anything: too many creations came from this address in a short time, and not by us alone. "+
		"Nothing is sent again. What was created from there in the ten minutes before may be hidden; it is read again, and the lane pauses (`starter lane`).", a.Number)
}

func (s Snapshot) removedWords() string {
	words := fmt.Sprintf("It is removed from TabNews (was %s, id %s).", s.Identity.Reference(), s.Identity.ID)
	if s.Verification == VerificationUnreadable {
		words += " It could still be read afterwards."
	}
	if s.Foreign() != "" {
		words += " Somebody else changed it after we had read it last, and that change went with it."
	}
	return words
}

func (s Snapshot) rejectedWords() string {
	last := s.LastAttempt()
	if last == nil || last.Outcome != OutcomeRejected {
		if len(s.Notes) > 0 {
			return "Nothing was sent. " + strings.TrimRight(s.Notes[len(s.Notes)-1], ".") + "."
		}
		return "Refused before anything was sent."
	}
	if s.lastMetFirewall() {
		return firewallWords(last)
	}
	if kind := s.Operation.Kind(); kind == KindRevise || kind == KindRemove {
		return "TabNews refused the change. " + summaryOf(last)
	}
	return "TabNews refused before creating anything. " + summaryOf(last)
}

func summaryOf(a *Attempt) string {
	if a == nil || a.Evidence == nil {
		return ""
	}
	return fmt.Sprintf("Attempt %d: %s.", a.Number, strings.TrimRight(a.Evidence.Summary, "."))
}

// lastMetFirewall: the newest attempt was refused by TabNews' firewall.
func (s Snapshot) lastMetFirewall() bool {
	last := s.LastAttempt()
	return last != nil && last.Outcome == OutcomeRejected && last.Evidence != nil && last.Evidence.APIError.Firewall()
}

// NextWords is the next safe action in the operation's present situation.
func (s Snapshot) NextWords() string {
	switch {
	case s.Closed && s.State == StateSending:
		return "start it again: it takes up what the ledger knows, and nothing is sent while the outcome is unknown"
	case s.Closed && (s.State == StateProposed || s.State == StatePlanned):
		return "nothing by itself; start it again, which sends it once it is approved"
	case s.Missed():
		return "a person decides: now, another time, or not at all"
	case s.State == StatePlanned && s.Schedule != nil:
		return "wait for its time"
	case s.State == StateUnknown && s.Operation.Kind() != KindPublish && s.Operation.Kind() != "":
		return "no new change; a person looks at the evidence and decides: adopt (it was applied), not created (it was not applied), or abandon"
	case s.State == StateUnknown:
		return "no new POST; a person looks at the evidence and decides: adopt, not created, or abandon"
	case s.State == StateAccepted && s.Drift != nil:
		return s.driftNext()
	case s.State == StateAccepted && s.RemoteStatus == StatusFirewall:
		return hiddenNext
	case s.State == StateRejected && s.lastMetFirewall():
		return "wait until the lane goes on (`starter lane`) and look at what was hidden; then publish it again"
	case s.State == StateAccepted && s.RemoteStatus == StatusDeleted && s.Operation.Kind() != KindRemove:
		return deletedNext
	case s.State == StateAbandoned && (s.Operation.Kind() == KindRevise || s.Operation.Kind() == KindRemove):
		return "nothing by itself; look at the content, and if the change is still wanted, order it again: that is another try of it"
	case s.State == StateAccepted && s.kept() && s.Verification == VerificationDiverged:
		return "keep the reference; a person took it as it stands"
	case s.State == StateAccepted && s.kept() && s.Verification == VerificationUnreadable:
		return "keep the reference; a person took it although it could not be read: look on TabNews, logged in, whether it is hidden"
	case s.State == StateAccepted && (s.Verification == VerificationDiverged || s.Verification == VerificationUnreadable):
		return "keep the reference; look at the content on TabNews, then recheck or keep it as it stands; nothing is sent"
	case s.State == StateAccepted && s.Verification == VerificationMatched && s.LocalRecord == LocalRecorded:
		return "keep the reference"
	case s.State == StateAccepted && s.RemoteStatus == StatusPublished && s.Verification == VerificationNotApplicable:
		return "keep the reference"
	case s.State == StateAccepted && s.Verification == VerificationNotApplicable && s.LocalRecord == LocalRecorded:
		return "keep the reference; `starter publish-draft` makes the draft public"
	case s.State == StateAccepted && s.LocalRecord == LocalPending:
		return "keep the reference; the local record is being repaired"
	}
	return s.State.NextSafeAction()
}
