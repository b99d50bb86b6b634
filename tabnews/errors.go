package tabnews

import (
	"errors"
	"fmt"
	"strings"

	"postonce/publication"
)

// NotFoundError is TabNews' own 404 for a content. It says that nothing public is there: a draft, a deleted and a hidden
// content give the same answer (TabNews API, "Reading").
type NotFoundError struct {
	Reference publication.Reference
	API       *publication.APIError
}

func (e *NotFoundError) Error() string {
	if e.Reference.Slug == "" || e.API != nil && e.API.Key == "username" {
		return fmt.Sprintf("%s: TabNews knows no such user; was the user renamed?", e.Reference.Owner)
	}
	return fmt.Sprintf("%s: TabNews shows nothing there (it shows no draft, no deleted and no hidden content)", e.Reference)
}

// Unwrap gives TabNews' own error.
func (e *NotFoundError) Unwrap() error { return e.API }

// SessionProblem is what is wrong with a session.
type SessionProblem string

// What can be wrong with a session.
const (
	SessionAbsent        SessionProblem = "absent"         // neither a session nor a password is configured
	SessionMalformed     SessionProblem = "malformed"      // not 96 letters and digits
	SessionExpired       SessionProblem = "expired"        // or ended, or never known to TabNews
	SessionWrongPassword SessionProblem = "wrong_password" // or an e-mail address that TabNews does not know
	SessionNotActivated  SessionProblem = "not_activated"  // the account waits for its activation e-mail
	SessionNotPermitted  SessionProblem = "not_permitted"  // the account may not log in or use a session
	SessionOtherAccount  SessionProblem = "other_account"  // it belongs to somebody else than configured
)

// SessionError says that TabNews cannot be spoken to as the account, and the way out. It never holds the session or the
// password. No content is concerned: nothing was sent.
type SessionError struct {
	Problem SessionProblem
	Account string                // the account asked for, where one is configured
	Found   string                // the account that the session belongs to, for SessionOtherAccount
	Detail  string                // more on the problem, may be empty
	API     *publication.APIError // TabNews' own words, where it said any
}

var sessionWords = map[SessionProblem]string{
	SessionAbsent:        "no session and no password: log in; set TABNEWS_EMAIL and TABNEWS_PASSWORD, or TABNEWS_SESSION",
	SessionMalformed:     "TABNEWS_SESSION: must be 96 letters and digits; copy the value of the cookie session_id from a browser that is logged in",
	SessionExpired:       "the session is not active any more: log in again; copy a new session_id into TABNEWS_SESSION, or set TABNEWS_EMAIL and TABNEWS_PASSWORD",
	SessionWrongPassword: "TabNews refused the login: check TABNEWS_EMAIL and TABNEWS_PASSWORD",
	SessionNotActivated:  "the account is not activated: follow the link that TabNews has just sent by e-mail, then try again",
	SessionNotPermitted:  "TabNews does not let this account log in or use a session: ask TabNews' support",
	SessionOtherAccount:  "the session belongs to another account: log in as the right one, or change POSTONCE_ACCOUNT",
}

func (e *SessionError) Error() string {
	text := sessionWords[e.Problem]
	if e.Detail != "" {
		text += " (" + e.Detail + ")"
	}
	return text
}

// Unwrap gives TabNews' own error where there was one.
func (e *SessionError) Unwrap() error {
	if e.API == nil {
		return nil
	}
	return e.API
}

// malformedSession tells the length alone.
func malformedSession(session string) *SessionError {
	detail := "it holds other characters"
	if len(session) != 96 {
		detail = fmt.Sprintf("it has %d bytes", len(session))
	}
	return &SessionError{Problem: SessionMalformed, Detail: detail}
}

// EdgeError is a refusal that is not TabNews' own JSON: a firewall, a proxy or the platform in front of it answered.
// It says nothing about the session or the content.
type EdgeError struct {
	Status      int
	Server      string // of the header server
	CFRay       string // of the header cf-ray: Cloudflare's name of the request
	VercelID    string // of the header x-vercel-id: Vercel's name of the request
	ContentType string
	Body        string // clipped to publication.EvidenceBodyLimit
	Proxy       string // host of the proxy in between
}

func (e *EdgeError) Error() string {
	text := fmt.Sprintf("blocked before TabNews: %d that is not TabNews' own JSON", e.Status)
	if by := edgeNames(e.Server, e.CFRay, e.VercelID, e.Proxy); by != "" {
		text += " (" + by + ")"
	}
	return text + "; it does not concern the session or the content; try again later, or from another network"
}

// edgeNames lists what identifies the one who answered.
func edgeNames(server, cfRay, vercelID, proxy string) string {
	var names []string
	for _, n := range []struct{ label, value string }{
		{"server", server}, {"cf-ray", cfRay}, {"x-vercel-id", vercelID}, {"proxy", proxy},
	} {
		if n.value != "" {
			names = append(names, n.label+" "+n.value)
		}
	}
	return strings.Join(names, ", ")
}

// AnswerError is an answer to a read that cannot be used: a redirect, a cut or foreign body, a stale copy of a cache.
// It proves nothing about the content.
type AnswerError struct {
	Op     string // what was read
	Status int
	Reason string // what is wrong with the answer
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("%s: the answer (%d) cannot be used: %s", e.Op, e.Status, e.Reason)
}

// TransportError says that a read got no answer. Its text holds the transport's own words; errors.Is sees through to
// the cause, such as context.DeadlineExceeded, but errors.Unwrap does not, for the raw text may hold a secret.
type TransportError struct {
	Op    string // what was read
	Proxy string // host of the proxy in between
	Text  string // the transport's own words
	cause error
}

func (e *TransportError) Error() string {
	text := e.Op + ": no answer: " + e.Text
	if e.Proxy != "" {
		text += " (through the proxy " + e.Proxy + ")"
	}
	return text
}

// Is makes errors.Is find the cause.
func (e *TransportError) Is(target error) bool { return errors.Is(e.cause, target) }

// Timeout reports whether a time limit ended the wait.
func (e *TransportError) Timeout() bool {
	var t interface{ Timeout() bool }
	return errors.As(e.cause, &t) && t.Timeout()
}
