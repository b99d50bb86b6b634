package tabnews

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"postonce/publication"
)

// The words of a verdict: one line for people, another one for every thing that can happen. The transport's own words
// stand beside them in Evidence.Error.

func acceptedWords(asked request, i publication.Identity) string {
	text := fmt.Sprintf("accepted: TabNews %s %s as %s, id %s", asked.did, i.Reference(), i.Status, i.ID)
	if i.Status == publication.StatusFirewall {
		text += "; its firewall hides it, and only a moderator can show it"
	}
	return text
}

func rejectedWords(asked request, e *publication.APIError, proof string) string {
	return fmt.Sprintf("rejected, nothing was %s (%s): %d %s", asked.did, proof, e.StatusCode, e.Message)
}

// unlistedWords is for TabNews' own errors that are no proof.
func unlistedWords(asked request, e *publication.APIError) string {
	return fmt.Sprintf("TabNews answered %d %s, which does not prove that nothing was %s: %s", e.StatusCode, e.Name, asked.did, e.Message)
}

// foreignWords is for refusals that TabNews did not write.
func foreignWords(asked request, seen answer) string {
	text := fmt.Sprintf("%d that is not TabNews' own JSON: somebody in front of TabNews answered", seen.status)
	if by := edgeNames(seen.header.Get("Server"), seen.header.Get("Cf-Ray"), seen.header.Get("X-Vercel-Id"), asked.proxy); by != "" {
		text += " (" + by + ")"
	}
	return text + "; TabNews may have the request all the same, and the session is not concerned"
}

// oddStatusWords is for 1xx, 2xx and 3xx that this write does not know.
func oddStatusWords(asked request, seen answer) string {
	switch s := seen.status; {
	case !seen.whole():
		return brokenWords(seen)
	case s == 304:
		return "304 seen: TabNews answers so after it stored, too"
	case s >= 300:
		return fmt.Sprintf("%d redirect to %s, not followed", s, quote(seen.header.Get("Location")))
	case s == 204:
		return "204 seen: success without a content is no proof of one"
	case s == 202:
		return "202 seen: somebody took the request and promises to handle it later"
	case s >= 200:
		return fmt.Sprintf("%d seen where TabNews answers %d after it %s", s, asked.success, asked.did)
	default:
		return fmt.Sprintf("%d seen as the last answer, which is none to a write", s)
	}
}

// brokenWords is for an answer whose status was seen and whose body was not.
func brokenWords(seen answer) string {
	of := ""
	if seen.length > 0 {
		of = " of " + strconv.FormatInt(seen.length, 10)
	}
	switch {
	case seen.tooLong:
		return fmt.Sprintf("%d seen, then a body without end: reading stopped after %d bytes", seen.status, len(seen.body))
	case isTimeout(seen.bodyErr):
		return fmt.Sprintf("%d seen, then the body had not ended in time: %d%s bytes came", seen.status, len(seen.body), of)
	default:
		return fmt.Sprintf("%d seen, then the body stopped after %d%s bytes", seen.status, len(seen.body), of)
	}
}

// notSentWords says why no byte of the request left.
func notSentWords(asked request, seen answer) string {
	return "nothing was sent, 0 bytes of the request were written: " + unsentReason(asked, seen)
}

func unsentReason(asked request, seen answer) string {
	switch err := seen.err; {
	case err == nil:
		return "the send was not tried"
	case asked.problem != nil && errors.Is(err, asked.problem),
		errors.Is(err, errNoSession), errors.Is(err, errNoAccount), errors.Is(err, errBadProxy), errors.Is(err, errCancelled):
		return err.Error()
	case asked.sent.pastDue, errors.Is(err, errPastSendBy), errors.Is(err, errSendBy):
		return "the time for the send was over before the request could be written" + through(asked)
	case seen.phase == phaseTLS:
		return "the TLS handshake with " + asked.host + " failed" + through(asked) + ": " + cause(err)
	case seen.phase == phaseConnect:
		return "no connection to " + asked.host + through(asked) + ": " + cause(err)
	default:
		return "the connection to " + asked.host + through(asked) + " broke before the request was written: " + cause(err)
	}
}

// noAnswerWords says how far the request came and what ended the wait.
func noAnswerWords(asked request, seen answer) string {
	n := asked.sent.written
	switch why := cause(seen.err); {
	case asked.sent.pastDue:
		return fmt.Sprintf("the time for the send was over while the request was being written: %d bytes had left%s", n, through(asked))
	case seen.phase <= phaseWrite:
		return fmt.Sprintf("the connection failed while the request was being written, after %d bytes%s: %s", n, through(asked), why)
	case seen.phase == phaseWait:
		return fmt.Sprintf("the request was written (%d bytes)%s and no answer came: %s", n, through(asked), why)
	default:
		return fmt.Sprintf("the request was written (%d bytes)%s and the answer broke before its headers were complete: %s", n, through(asked), why)
	}
}

func through(asked request) string {
	if asked.proxy == "" {
		return ""
	}
	return " through the proxy " + asked.proxy
}

// cause gives the kind of a transport's error in a few words, or the error's own.
func cause(err error) string {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	switch {
	case err == nil:
		return "no reason was given"
	case errors.As(err, &dns):
		return "the name " + quote(dns.Name) + " could not be resolved"
	case errors.As(err, &certificate), errors.As(err, &authority):
		return "its certificate is not trusted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the connection was reset"
	case isTimeout(err):
		return "the time was over"
	default:
		return err.Error()
	}
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.Is(err, errSendBy) || errors.Is(err, errSlowBody) || errors.Is(err, errPastSendBy) || errors.As(err, &t) && t.Timeout()
}

// quote shows a foreign text within a line. It does not clip: a secret must be whole when the redactor looks for it.
func quote(s string) string { return strconv.Quote(s) }
