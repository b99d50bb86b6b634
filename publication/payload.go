package publication

import "strings"

// ContentStatus is the status of a content at TabNews.
type ContentStatus string

// The statuses that TabNews knows. Only the first two may be asked for when a content is created
// (TabNews API, POST /api/v1/contents); the others are what becomes of it.
const (
	StatusDraft     ContentStatus = "draft"     // seen by nobody through a GET, not even by its owner
	StatusPublished ContentStatus = "published" // public
	StatusFirewall  ContentStatus = "firewall"  // hidden by TabNews' firewall; its slug stays taken
	StatusDeleted   ContentStatus = "deleted"   // gone; its slug is free again
)

// Payload is the exact content that is sent to TabNews: what a person sees in the preview and approves.
// The fields have the names of the TabNews API, POST /api/v1/contents.
type Payload struct {
	// Title is required for a root content and optional for a comment.
	Title string `json:"title,omitempty"`
	// Slug is always sent: unique per owner over all that is not deleted, it is TabNews' only duplicate guard.
	Slug string `json:"slug"`
	// Body is Markdown.
	Body string `json:"body"`
	// SourceURL is where the text came from; empty: none.
	SourceURL string `json:"source_url,omitempty"`
	// Status is StatusDraft or StatusPublished.
	Status ContentStatus `json:"status"`
	// ParentID is the UUID v4, in lower case, of the content this one answers; empty: a root content.
	ParentID string `json:"parent_id,omitempty"`
}

// IsComment tells whether the payload answers another content; else it is a root content.
func (p Payload) IsComment() bool { return p.ParentID != "" }

// Change is one thing that was altered in a payload before approval, told to the person who approves.
type Change struct {
	Field string // the field's name in the TabNews API, such as "body"
	What  string // what was done, such as "2 characters removed at the end (U+000A ×2)"
}

// String gives the change as one line, such as "body: 1 character removed at the end (U+000A)".
func (c Change) String() string { return c.Field + ": " + c.What }

// FieldError is one rule that a field breaks.
type FieldError struct {
	Field  string // the field's name in the TabNews API
	Rule   string // the rule and how it is broken
	Remedy string // the way out
}

// Error gives one line: "title: at most 255 UTF-16 units, this has 300; shorten the title".
func (e FieldError) Error() string { return e.Field + ": " + e.Rule + "; " + e.Remedy }

// Problems are all the rules that a payload breaks, in the order of TabNews' fields; as an error it is one line.
type Problems []FieldError

// Error joins the problems into one line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, " | ")
}

// Unwrap gives each problem to errors.As.
func (ps Problems) Unwrap() []error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = p
	}
	return errs
}

// errOrNil keeps an empty list from becoming an error that is not nil.
func (ps Problems) errOrNil() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}
