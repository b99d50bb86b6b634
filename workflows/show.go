package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"postonce/publication"
)

// The search attributes' typed keys.
var (
	stateKey   = temporal.NewSearchAttributeKeyKeyword(AttributeState)
	refKey     = temporal.NewSearchAttributeKeyKeyword(AttributeRef)
	accountKey = temporal.NewSearchAttributeKeyKeyword(AttributeAccount)
)

// shown remembers what people see already: each upsert of a search attribute is a billed action.
type shown struct{ state publication.State }

// show brings the Web UI up to date: the details of this run, and the search attributes of the list.
func (p *publish) show(ctx workflow.Context) {
	workflow.SetCurrentDetails(ctx, details(p.present()))
	if !p.opened || p.shown.state == p.snap.State {
		return // before the ledger has answered, a state would be a guess
	}
	updates := []temporal.SearchAttributeUpdate{stateKey.ValueSet(string(p.snap.State))}
	if p.shown.state == "" {
		updates = append(updates, refKey.ValueSet(p.snap.Reference), accountKey.ValueSet(p.in.Operation.Account()))
	}
	p.shown.state = p.snap.State
	if err := workflow.UpsertTypedSearchAttributes(ctx, updates...); err != nil {
		workflow.GetLogger(ctx).Error("search attributes were not set", "error", err)
	}
}

// become moves the operation to the next state.
func (p *publish) become(next publication.State) {
	if next == p.snap.State {
		return
	}
	if !p.snap.State.CanBecome(next) {
		p.note("%s → %s is not an allowed change of state; the ledger said so", p.snap.State, next)
	}
	p.snap.State = next
}

// maxNotes bounds the notes; the journal in the ledger has all events.
const maxNotes = 12

// note tells people something that was seen, once.
func (p *publish) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if n := len(p.snap.Notes); n > 0 && p.snap.Notes[n-1] == text {
		return
	}
	p.snap.Notes = append(p.snap.Notes, text)
	if over := len(p.snap.Notes) - maxNotes; over > 0 {
		p.snap.Notes = append([]string{}, p.snap.Notes[over:]...)
	}
}

// present is the snapshot with the words that follow from it.
func (p *publish) present() publication.Snapshot {
	s := p.snap
	s.Known = s.KnownWords()
	if !p.opened {
		s.Known = "The ledger is being asked what is known of this operation; nothing is sent before it has answered."
	}
	s.NextAction = s.NextWords()
	if s.Divergence == "" {
		s.Divergence = s.Foreign()
	}
	s.Signals = commands(s)
	return s
}

// commands are the exact commands that would decide what is parked.
func commands(s publication.Snapshot) []string {
	if !s.Parked && !(s.State == publication.StatePlanned && s.Schedule != nil) {
		return nil
	}
	signal := func(name, input string) string {
		return fmt.Sprintf("temporal workflow signal --workflow-id %s --name %s --input '%s'", s.Operation, name, input)
	}
	switch s.State {
	case publication.StateProposed:
		approve := []string{signal(SignalApprove, fmt.Sprintf(`{"by":"NAME","digest":"%s"}`, s.Digest))}
		return append(approve, planCommands(s, signal)...)
	case publication.StatePlanned:
		return planCommands(s, signal)
	case publication.StateUnknown:
		return resolveCommands(s, signal)
	case publication.StateAccepted:
		keep := fmt.Sprintf(`{"by":"NAME","attempt":%d,"decision":"adopt","reference":"%s","accept_divergence":true,"reason":"WHY"}`, openNumber(s), s.Reference)
		return []string{signal(SignalRecheck, `{"by":"NAME"}`), signal(SignalResolve, keep)}
	}
	return nil
}

// planCommands move and withdraw what has a time.
func planCommands(s publication.Snapshot, signal func(string, string) string) []string {
	if s.Schedule == nil {
		return nil
	}
	return []string{
		signal(SignalReschedule, `{"by":"NAME","at":"now"}`), signal(SignalReschedule, `{"by":"NAME","at":"WHEN","zone":"ZONE"}`), signal(SignalCancel, `{"by":"NAME"}`),
	}
}

func resolveCommands(s publication.Snapshot, signal func(string, string) string) []string {
	out := []string{}
	if s.OpenAttempt() == nil {
		return out
	}
	n := openNumber(s)
	for _, reference := range s.Adoptable() {
		out = append(out, signal(SignalResolve, fmt.Sprintf(`{"by":"NAME","attempt":%d,"decision":"adopt","reference":"%s","reason":"WHY"}`, n, reference)))
	}
	out = append(out, signal(SignalRecheck, `{"by":"NAME"}`))
	if s.DraftInDoubt() {
		out = append(out, signal(SignalResolve, fmt.Sprintf(`{"by":"NAME","attempt":%d,"decision":"probe","reason":"WHY"}`, n)))
	}
	if len(s.OpenAttempt().Candidates) == 0 || s.Operation.Kind() != publication.KindPublish {
		out = append(out, signal(SignalResolve, fmt.Sprintf(`{"by":"NAME","attempt":%d,"decision":"not_created","reason":"WHY"}`, n)))
	}
	return append(out, signal(SignalResolve, fmt.Sprintf(`{"by":"NAME","attempt":%d,"decision":"abandon","reason":"WHY"}`, n)))
}

func openNumber(s publication.Snapshot) int {
	if open := s.OpenAttempt(); open != nil {
		return open.Number
	}
	return 0
}

// details is the Markdown of the Web UI's run page. Its frame is short: the important part comes first.
func details(s publication.Snapshot) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** · %s\n\n%s\n\n**Next:** %s\n", s.State, s.Reference, s.Known, s.NextAction)
	if s.WaitingFor != "" {
		fmt.Fprintf(&b, "\n**Waiting for:** %s\n", s.WaitingFor)
	}
	for _, command := range s.Signals {
		fmt.Fprintf(&b, "\n```\n%s\n```\n", command)
	}
	if open := s.OpenAttempt(); open != nil {
		writeCandidates(&b, open.Candidates)
	}
	if s.Divergence != "" {
		fmt.Fprintf(&b, "\n**Difference**\n\n```diff\n%s\n```\n", publication.Clip(s.Divergence, 1500))
	}
	writeAttempts(&b, s.Attempts)
	writeDecisions(&b, s.Decisions)
	fmt.Fprintf(&b, "\nDigest `%s`\n", s.Digest)
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "\n- %s", n)
	}
	return b.String()
}

func writeCandidates(b *strings.Builder, candidates []publication.Candidate) {
	for _, c := range candidates {
		same := "differs from the payload"
		if c.Equal {
			same = "reads exactly as the payload"
		}
		fmt.Fprintf(b, "\n**Candidate** %s (id `%s`, found by %s): %s\n", c.Reference, c.ID, c.FoundBy, same)
	}
}

func writeAttempts(b *strings.Builder, attempts []publication.Attempt) {
	if len(attempts) == 0 {
		return
	}
	b.WriteString("\n| attempt | outcome | evidence |\n|---|---|---|\n")
	for _, a := range attempts {
		summary := ""
		if a.Evidence != nil {
			summary = a.Evidence.Summary
		}
		fmt.Fprintf(b, "| %d | %s | %s |\n", a.Number, a.Outcome, cell(summary))
	}
}

func writeDecisions(b *strings.Builder, decisions []publication.Decision) {
	if len(decisions) == 0 {
		return
	}
	b.WriteString("\n| decision | by | attempt | result |\n|---|---|---|---|\n")
	for _, d := range decisions[max(0, len(decisions)-8):] {
		result := "taken"
		if !d.Taken {
			result = "refused: " + d.Refusal
		}
		fmt.Fprintf(b, "| %s | %s | %d | %s |\n", cell(string(d.Kind)), cell(d.By), d.Attempt, cell(result))
	}
}

// cell keeps text inside one cell of a Markdown table.
func cell(s string) string {
	return publication.Clip(strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ").Replace(s), 300)
}
