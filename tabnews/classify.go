package tabnews

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"postonce/publication"
)

// request is what was asked of TabNews, and what of it may have left.
type request struct {
	write
	account string // who must own the content
	host    string
	proxy   string // host of the proxy in between
	sent    sent
}

// answer is what came back.
type answer struct {
	started  time.Time
	duration time.Duration
	phase    phase
	status   int // 0: none was seen
	header   http.Header
	length   int64 // as announced; -1: not announced
	body     []byte
	bodyErr  error // the body broke off
	tooLong  bool  // the body went past bodyLimit
	err      error // there was no answer
}

// whole tells whether the answer arrived in full.
func (a answer) whole() bool { return a.status != 0 && a.err == nil && a.bodyErr == nil && !a.tooLong }

// classify judges one write. It is pure. Accepted and rejected are proven by the answer, not_sent by the gate; what is
// not proven is unknown, for the request may have had its effect.
func classify(asked request, seen answer) Verdict {
	v := Verdict{Outcome: publication.OutcomeUnknown, Evidence: evidence(asked, seen)}
	switch {
	case seen.status == 0 && !asked.sent.tried:
		v.Outcome = publication.OutcomeNotSent
		v.Evidence.ProvenUnsent = true
		v.Evidence.Summary = notSentWords(asked, seen)
	case seen.status == 0:
		v.Evidence.Summary = noAnswerWords(asked, seen)
	case !asked.sent.tried:
		// Somebody speaks before he is spoken to: whatever he says is not about this request.
		v.Evidence.Summary = fmt.Sprintf("%d seen before any byte of the request was written", seen.status)
	case seen.status == asked.success:
		judgeSuccess(&v, asked, seen)
	case seen.status >= 400:
		judgeRefusal(&v, asked, seen)
	default:
		v.Evidence.Summary = oddStatusWords(asked, seen)
		v.Evidence.Hint = salvageFrom(seen)
	}
	return v
}

// judgeSuccess accepts a 201 (TabNews API, POST /api/v1/contents) or a 200 (PATCH /api/v1/contents/{user}/{slug}) that
// names exactly what was asked for.
func judgeSuccess(v *Verdict, asked request, seen answer) {
	identity, problem := namedIdentity(asked, seen)
	if problem != "" {
		v.Evidence.Summary = problem
		v.Evidence.Hint = salvageFrom(seen)
		return
	}
	v.Outcome, v.Identity = publication.OutcomeAccepted, &identity
	if stored := (Content{}); json.Unmarshal(seen.body, &stored) == nil {
		v.Stored = &stored
	}
	v.Evidence.Summary = acceptedWords(asked, identity)
}

// judgeRefusal rejects what is on the list of refusals, and nothing else. No 5xx is on it: one was seen with the content
// stored and without (TabNews API, "Identity and the unknown outcome").
func judgeRefusal(v *Verdict, asked request, seen answer) {
	if !seen.whole() {
		v.Evidence.Summary = brokenWords(seen)
		return
	}
	refusal := parseAPIError(seen.status, seen.header, seen.body)
	if refusal == nil {
		v.Evidence.Summary = foreignWords(asked, seen)
		return
	}
	v.Evidence.APIError = refusal
	if proof := proofOf(asked.refusals, refusal); proof != "" {
		v.Outcome = publication.OutcomeRejected
		v.Evidence.Summary = rejectedWords(asked, refusal, proof)
		return
	}
	v.Evidence.Summary = unlistedWords(asked, refusal)
}
