package main

import (
	"strings"

	"github.com/spf13/pflag"

	"postonce/publication"
	"postonce/workflows"
)

// resolveFlags are the choices of `starter resolve`.
type resolveFlags struct {
	adopt, reason, by   string
	notCreated, abandon bool
	probe, yes          bool
	acceptDivergence    bool
	attempt             int
	attemptGiven        func() bool
	wait                bool
}

func (f *resolveFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.adopt, "adopt", "", "the attempt created `REF`, ACCOUNT/SLUG or the page's address")
	set.BoolVar(&f.notCreated, "not-created", false, "the attempt created nothing; open one new attempt")
	set.BoolVar(&f.abandon, "abandon", false, "close the operation without a new send")
	set.BoolVar(&f.probe, "probe", false, "ask TabNews about the draft by a request that touches updated_at")
	set.BoolVar(&f.yes, "yes", false, "with --probe: do not ask at a terminal")
	set.IntVar(&f.attempt, "attempt", 0, "the attempt that is decided, as `starter status` numbers it")
	set.StringVar(&f.reason, "reason", "", "why, in your words; kept with the decision")
	set.StringVar(&f.by, "by", "", "who decides (default: your login name)")
	set.BoolVar(&f.acceptDivergence, "accept-divergence", false, "adopt it although it differs, after you saw the difference")
	set.BoolVar(&f.wait, "wait", false, "follow on until it settles or waits for a person")
	f.attemptGiven = func() bool { return set.Changed("attempt") }
}

// resolveInput makes the signal's input of the flags. What may be left open at a terminal is an error elsewhere.
func (a *app) resolveInput(f resolveFlags) (workflows.ResolveInput, error) {
	in := workflows.ResolveInput{
		Attempt: f.attempt, AcceptDivergence: f.acceptDivergence, Reason: strings.TrimSpace(f.reason), ID: newDecisionID(),
	}
	f.adopt = strings.TrimPrefix(f.adopt, a.site()+"/") // the page's address, as status prints it
	var err error
	if in.Decision, in.Reference, err = f.decision(); err != nil {
		return in, err
	}
	if in.Decision == publication.DecisionProbe && in.Reason == "" {
		in.Reason = "to learn what is there"
	}
	switch {
	case f.yes && in.Decision != publication.DecisionProbe:
		return in, usage("--yes: belongs to --probe, which decides nothing yet", "leave it out; elsewhere than at a terminal the command itself is the decision")
	case f.acceptDivergence && in.Decision != publication.DecisionAdopt:
		return in, usage("--accept-divergence: belongs to --adopt", "leave it out")
	case f.attemptGiven() && f.attempt < 1:
		return in, usage("--attempt: is a number from 1", "`starter status OP` shows the attempts")
	case !f.attemptGiven() && a.prompt == nil && in.Decision != publication.DecisionProbe:
		return in, usage("--attempt: a decision names its attempt", "give --attempt N; `starter status OP` shows the attempts")
	case in.Reason == "" && a.prompt == nil:
		return in, usage("--reason: a decision has a reason", "say why with --reason TEXT; it is kept with the decision")
	}
	in.By, err = a.person(f.by)
	return in, err
}

// decision is the one that was chosen.
func (f resolveFlags) decision() (publication.DecisionKind, string, error) {
	var kinds []publication.DecisionKind
	if f.adopt != "" {
		kinds = append(kinds, publication.DecisionAdopt)
	}
	if f.notCreated {
		kinds = append(kinds, publication.DecisionNotCreated)
	}
	if f.abandon {
		kinds = append(kinds, publication.DecisionAbandon)
	}
	if f.probe {
		kinds = append(kinds, publication.DecisionProbe)
	}
	if len(kinds) != 1 {
		return "", "", usage("resolve: needs exactly one decision", "give --adopt REF, --not-created, --abandon or --probe")
	}
	if kinds[0] != publication.DecisionAdopt {
		return kinds[0], "", nil
	}
	reference, err := publication.ParseReference(f.adopt)
	if err != nil {
		return "", "", badInput(err)
	}
	return kinds[0], reference.String(), nil
}
