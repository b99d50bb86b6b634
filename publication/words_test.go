package publication

import (
	"strings"
	"testing"
)

func attempt(n int, o Outcome, summary string) Attempt {
	return Attempt{Number: n, Outcome: o, Evidence: &Evidence{Summary: summary}}
}

func TestKnownWordsSayWhatIsKnownAndNoMore(t *testing.T) {
	identity := &Identity{ID: "e7fdd873-c3af-4962-b843-42737ca37a52", OwnerUsername: "autora", Slug: "ola", Status: StatusPublished}
	hidden := *identity
	hidden.Status = StatusFirewall
	lost := attempt(1, OutcomeUnknown, "the request was written and no answer came")
	for name, c := range map[string]struct {
		known Snapshot
		want  string
	}{
		"proposed":            {Snapshot{State: StateProposed}, "Nobody approved this payload yet. Nothing was sent."},
		"planned":             {Snapshot{State: StatePlanned}, "It has not been sent."},
		"planned again":       {Snapshot{State: StatePlanned, Attempts: []Attempt{attempt(1, OutcomeNotCreated, "")}}, "It has not been sent since attempt 1 (not_created)."},
		"sending":             {Snapshot{State: StateSending}, "has not ended"},
		"unknown":             {Snapshot{State: StateUnknown, Attempts: []Attempt{lost}}, "The call may have published. Attempt 1: the request was written and no answer came."},
		"unknown, and later":  {Snapshot{State: StateUnknown, Attempts: []Attempt{lost, attempt(2, OutcomeRejected, "rejected")}}, "Attempt 1: the request was written"},
		"unknown, no details": {Snapshot{State: StateUnknown}, "The call may have published."},
		"accepted":            {Snapshot{State: StateAccepted, Identity: identity}, "It is on TabNews as autora/ola (id e7fdd873-c3af-4962-b843-42737ca37a52, published)."},
		"accepted, no id":     {Snapshot{State: StateAccepted}, "TabNews accepted it."},
		"diverged":            {Snapshot{State: StateAccepted, Identity: identity, Verification: VerificationDiverged}, "differs from the approved payload"},
		"unreadable":          {Snapshot{State: StateAccepted, Identity: identity, Verification: VerificationUnreadable}, "Its identity is autora/ola (id e7fdd873-c3af-4962-b843-42737ca37a52). It could not be read back: it may be hidden"},
		"draft":               {Snapshot{State: StateAccepted, Identity: identity, Verification: VerificationNotApplicable}, "no public route shows it"},
		"hidden":              {Snapshot{State: StateAccepted, Identity: &hidden}, HiddenWords},
		"rejected":            {Snapshot{State: StateRejected, Attempts: []Attempt{attempt(1, OutcomeRejected, "400 duplicado")}}, "TabNews refused before creating anything. Attempt 1: 400 duplicado."},
		"rejected unsent":     {Snapshot{State: StateRejected, Notes: []string{"a", "the slug is taken"}}, "Nothing was sent. the slug is taken."},
		"rejected, no note":   {Snapshot{State: StateRejected}, "Refused before anything was sent."},
		"abandoned":           {Snapshot{State: StateAbandoned}, "without a new send"},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.known.KnownWords()
			if !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			if c.known.State == StateUnknown && strings.Contains(strings.ToLower(got), "fail") {
				t.Errorf("unknown is worded as a failure: %q", got)
			}
		})
	}
}

func TestEveryStateHasWords(t *testing.T) {
	for _, s := range States() {
		known := Snapshot{State: s}
		if known.KnownWords() == "" || known.NextWords() == "" {
			t.Errorf("%s: %q, %q", s, known.KnownWords(), known.NextWords())
		}
	}
	if (Snapshot{State: "other"}).KnownWords() != "" {
		t.Error("a state that is none has words")
	}
}

func TestNextWordsKeepTheReferenceAndSendNothingAfterAnAcceptance(t *testing.T) {
	for name, c := range map[string]struct {
		known Snapshot
		want  string
	}{
		"unknown":         {Snapshot{State: StateUnknown}, "no new POST"},
		"diverged":        {Snapshot{State: StateAccepted, Verification: VerificationDiverged}, "nothing is sent"},
		"unreadable":      {Snapshot{State: StateAccepted, Verification: VerificationUnreadable}, "nothing is sent"},
		"record pending":  {Snapshot{State: StateAccepted, LocalRecord: LocalPending}, "the local record is being repaired"},
		"record complete": {Snapshot{State: StateAccepted, LocalRecord: LocalRecorded}, "keep the reference"},
		"rejected":        {Snapshot{State: StateRejected}, "correct the cause"},
	} {
		if got := c.known.NextWords(); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What a person took as it stands needs no recheck, which its closed workflow would refuse.
func TestWhatAPersonTookAsItStandsIsNotCheckedAgain(t *testing.T) {
	kept := Snapshot{State: StateAccepted, Decisions: []Decision{{Kind: DecisionAdopt, Taken: true, AcceptDivergence: true}}}
	for v, want := range map[Verification]string{VerificationDiverged: "as it stands", VerificationUnreadable: "whether it is hidden"} {
		kept.Verification = v
		if got := kept.NextWords(); strings.Contains(got, "recheck") || !strings.Contains(got, want) {
			t.Errorf("%s: %q", v, got)
		}
	}
}

func TestAnAbandonedChangeMayBeOrderedAgain(t *testing.T) {
	for kind, want := range map[Kind]string{KindRevise: "another try", KindRemove: "another try", KindPublish: "no POST can follow"} {
		if got := (Snapshot{State: StateAbandoned, Operation: OperationID(kind + "/autora/ola")}).NextWords(); !strings.Contains(got, want) {
			t.Errorf("%s: %q", kind, got)
		}
	}
}

func TestADecisionIsAboutTheUnknownAttempt(t *testing.T) {
	if (Snapshot{}).LastAttempt() != nil || (Snapshot{}).OpenAttempt() != nil {
		t.Error("an operation without attempts has one")
	}
	for name, c := range map[string]struct {
		outcomes   []Outcome
		last, open int
	}{
		"the newest":        {[]Outcome{OutcomeRejected, OutcomeAccepted}, 2, 2},
		"the unknown one":   {[]Outcome{OutcomeUnknown, OutcomeRejected}, 2, 1},
		"the only one left": {[]Outcome{OutcomeNotCreated, OutcomeUnknown}, 2, 2},
	} {
		var s Snapshot
		for i, o := range c.outcomes {
			s.Attempts = append(s.Attempts, attempt(i+1, o, ""))
		}
		if s.LastAttempt().Number != c.last || s.OpenAttempt().Number != c.open {
			t.Errorf("%s: last %d, open %d", name, s.LastAttempt().Number, s.OpenAttempt().Number)
		}
	}
}
