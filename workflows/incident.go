package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"postonce/activities/api"
	"postonce/publication"
)

// findHidden reads again what the firewall may have hidden when it refused, and tells people. It is a search: when it
// fails, that is said.
func (p *publish) findHidden(ctx workflow.Context) {
	last := p.snap.LastAttempt()
	if last == nil || last.Outcome != publication.OutcomeRejected || last.Evidence == nil || !last.Evidence.APIError.Firewall() {
		return
	}
	if workflow.GetVersion(ctx, "find hidden", workflow.DefaultVersion, 1) < 1 {
		return
	}
	in := api.FindHiddenInput{Operation: p.in.Operation, Attempt: last.Number}
	var found api.FoundHidden
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	actx := workflow.WithActivityOptions(ctx, p.settings.repeatable("read again what the firewall may have hidden"))
	if err := workflow.ExecuteActivity(actx, api.FindHidden, in).Get(ctx, &found); err != nil {
		p.note("what the firewall may have hidden could not be read again (%s); `starter lane` lists it", publication.Clip(reason(err), 300))
		return
	}
	p.note("%s", hiddenNote(found))
}

func hiddenNote(found api.FoundHidden) string {
	if len(found.Hidden)+len(found.Gone)+len(found.Visible)+len(found.Unread)+len(found.Drafts) == 0 {
		return "none of ours was created from this address in the ten minutes before: nothing of ours is hidden"
	}
	parts := []string{}
	for _, group := range []struct {
		what string
		ops  []publication.OperationID
	}{{"hidden by the firewall", found.Hidden}, {"not found any more, hidden or deleted (the drift watch tells which)", found.Gone}, {"still visible", found.Visible}, {"not readable now (`starter lane` lists it)", found.Unread}, {"drafts, of which nobody can read whether they are hidden", found.Drafts}} {
		if len(group.ops) > 0 {
			parts = append(parts, fmt.Sprintf("%s: %s", group.what, list(group.ops)))
		}
	}
	return "of the ten minutes before, " + strings.Join(parts, "; ")
}

// list names at most ten.
func list(ops []publication.OperationID) string {
	names := []string{}
	for i, op := range ops {
		if i == 10 {
			names = append(names, fmt.Sprintf("and %d more", len(ops)-i))
			break
		}
		names = append(names, string(op))
	}
	return strings.Join(names, ", ")
}
