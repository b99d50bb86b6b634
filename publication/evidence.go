package publication

import (
	"fmt"
	"strings"
	"time"
)

// EvidenceBodyLimit bounds the answer's text that is kept, in bytes: histories and logs stay small (Temporal stores
// failure messages and results in clear).
const EvidenceBodyLimit = 2048

// Evidence is what was seen of one attempt. It holds no secret: neither cookies nor request headers are in it.
type Evidence struct {
	Summary      string            `json:"summary"`               // one line for people
	Phase        string            `json:"phase"`                 // how far the exchange came: connect, tls, write, wait, headers, body, answered
	RequestBytes int64             `json:"request_bytes_written"` // bytes of the HTTP request given to the connection
	ProvenUnsent bool              `json:"proven_unsent,omitempty"`
	HTTPStatus   int               `json:"http_status,omitempty"`
	Headers      map[string]string `json:"headers,omitempty"` // the subset that helps: cf-ray, x-vercel-id, date, age, content-type, location
	Body         string            `json:"body,omitempty"`    // clipped to EvidenceBodyLimit
	APIError     *APIError         `json:"api_error,omitempty"`
	Error        string            `json:"error,omitempty"` // the transport's own words
	Proxy        string            `json:"proxy,omitempty"` // host of the proxy in between
	StartedAt    time.Time         `json:"started_at"`
	DurationMS   int64             `json:"duration_ms"`
	Hint         *Identity         `json:"hint,omitempty"` // an identity seen in a broken answer; never adopted by itself
	// Foreign is a diff of what somebody else changed just before a removal took the content away, and which went with it.
	Foreign string `json:"foreign,omitempty"`
}

// APIError is TabNews' own error JSON (TabNews API, "Error JSON").
type APIError struct {
	Name              string `json:"name"`
	Message           string `json:"message"`
	Action            string `json:"action,omitempty"`
	StatusCode        int    `json:"status_code"`
	ErrorID           string `json:"error_id,omitempty"`
	RequestID         string `json:"request_id,omitempty"`
	ErrorLocationCode string `json:"error_location_code,omitempty"`
	Key               string `json:"key,omitempty"`
	Type              string `json:"type,omitempty"`
}

func (e *APIError) Error() string {
	text := fmt.Sprintf("TabNews answered %d %s: %s", e.StatusCode, e.Name, e.Message)
	if e.Action != "" {
		text += " " + e.Action
	}
	return text
}

// SlugTaken reports whether the refusal says that the slug is occupied (by a draft, a published or a hidden content).
// After an unknown attempt that is evidence that the attempt landed.
func (e *APIError) SlugTaken() bool {
	return e != nil && strings.HasSuffix(e.ErrorLocationCode, ":ALREADY_EXISTS")
}

// Firewall reports whether the refusal is the firewall's (TabNews API, "The firewall"): it hides what was created from
// the same address in the ten minutes before, and would hide again each time.
func (e *APIError) Firewall() bool {
	return e != nil && e.StatusCode == 429 && e.Name == "TooManyRequestsError"
}

// FoundByLedger marks a candidate that the ledger's record shows, not a reading; its Diff is a sentence.
const FoundByLedger = "ledger"

// FoundByProbe marks a candidate that a probe showed: a draft, which no reading shows.
const FoundByProbe = "probe"

// Candidate is content found after an unknown outcome. It is shown to a person, never adopted by itself: similar
// content is no proof.
type Candidate struct {
	Reference   string     `json:"reference"`
	ID          string     `json:"id,omitempty"`
	FoundBy     string     `json:"found_by"` // reference, listing, probe, or answer (an ALREADY_EXISTS refusal, a hint)
	Equal       bool       `json:"equal"`    // reads exactly as the payload
	Diff        string     `json:"diff,omitempty"`
	PublishedAt *time.Time `json:"published_at,omitempty"`
	SeenAt      time.Time  `json:"seen_at"`
	// ChangedBy is the edit of ours whose text is there in the place of a change's base; empty where none is known.
	ChangedBy OperationID `json:"changed_by,omitempty"`
}

// Reading is the result of one fresh read of a reference. A failed read proves nothing, and a 404 proves only that
// nothing public is there now (TabNews API, "Reading": drafts and hidden contents give the same 404).
type Reading string

// The results of a fresh read.
const (
	ReadingFound  Reading = "found"
	ReadingAbsent Reading = "absent"
	ReadingFailed Reading = "failed"
)

// Investigation is what reading found after an unknown outcome.
type Investigation struct {
	At         time.Time   `json:"at"`
	Reading    Reading     `json:"reading"` // of the pinned reference
	Candidates []Candidate `json:"candidates,omitempty"`
	Notes      []string    `json:"notes,omitempty"` // what reading cannot show, and what failed
}

// Clip cuts s to at most limit bytes at a rune boundary and marks the cut.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := strings.ToValidUTF8(s[:limit], "")
	return cut + "…"
}
