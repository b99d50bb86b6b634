package terminal

import "postonce/publication"

// words are how an operation of one kind is spoken of.
type words struct {
	did, matched, diverged, unreadable, pending string
}

// kindWords: each kind has its own effect, and so its own words for having had it. A removal that worked cannot be
// read any more, which is its proof.
var kindWords = map[publication.Kind]words{
	publication.KindPublish: {did: "created", matched: "reads as approved", diverged: "reads differently", unreadable: "could not be read back", pending: "not read back yet"},
	publication.KindRevise:  {did: "changed", matched: "was applied, reads as approved", diverged: "was applied, reads differently", unreadable: "was applied, could not be read back", pending: "not read back yet"},
	publication.KindRemove:  {did: "removed", matched: "is gone", diverged: "can still be read", unreadable: "not seen to be gone", pending: "not looked for yet"},
	publication.KindTrack:   {did: "changed", matched: "is tracked, reads as it was taken up", diverged: "reads differently", unreadable: "could not be read", pending: "not read yet"},
}

func verification(kind publication.Kind, v publication.Verification) string {
	w := kindWords[kind]
	switch v {
	case publication.VerificationMatched:
		return addedStyle.Render(w.matched)
	case publication.VerificationDiverged:
		return warnStyle.Render(w.diverged)
	case publication.VerificationUnreadable:
		return warnStyle.Render(w.unreadable)
	case publication.VerificationNotApplicable:
		return "a draft cannot be read back"
	}
	return w.pending
}

func outcome(kind publication.Kind, o publication.Outcome) string {
	switch o {
	case publication.OutcomeNotSent:
		return "not sent"
	case publication.OutcomeNotCreated:
		return kindWords[kind].did + " nothing, as a person decided"
	case publication.OutcomeUnknown:
		return "unknown, it may have " + kindWords[kind].did + " content"
	}
	return string(o)
}
