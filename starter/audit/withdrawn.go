package audit

import (
	"slices"

	"postonce/ledger"
	"postonce/publication"
)

// withdrawal gives the decision by which a person withdrew what was not sent, when nobody approved it again since; or nil.
func withdrawal(decisions []publication.Decision) *publication.Decision {
	for i := len(decisions) - 1; i >= 0; i-- {
		switch d := &decisions[i]; {
		case !d.Taken:
		case d.Kind == publication.DecisionCancel:
			return d
		case d.Kind.Authorizes():
			return nil
		}
	}
	return nil
}

// withdrawn reports whether an operation waits for nobody: it was withdrawn, and whoever wants it after all starts it again.
func withdrawn(record ledger.Record) bool {
	return record.State == publication.StateProposed && withdrawal(record.Decisions) != nil
}

// knows reports whether the ledger has a decision.
func knows(record ledger.Record, d publication.Decision) bool {
	return slices.ContainsFunc(record.Decisions, func(known publication.Decision) bool { return known.ID == d.ID })
}
