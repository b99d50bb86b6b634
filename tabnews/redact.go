package tabnews

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// redacted stands where a secret stood.
const redacted = "[redacted]"

// cutSecret is how many of a secret's first bytes, at the very end of a text, are taken for a secret that was cut.
const cutSecret = 6

// redactor takes secrets out of texts that other parties wrote: a server may echo the cookie or the password.
type redactor struct {
	mu        sync.RWMutex
	spellings []spelling // the longest first
}

// spelling is one way in which a secret may come back.
type spelling struct {
	text  string
	least int // so many of its first bytes give too much of it away, wherever they stand
}

func newRedactor(secrets ...string) *redactor {
	r := &redactor{}
	for _, s := range secrets {
		r.add(s)
	}
	return r
}

// add keeps a secret. Secrets are never forgotten: an old session may still be valid.
func (r *redactor) add(secret string) {
	if secret == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	asJSON, _ := json.Marshal(secret) // a text always marshals
	for _, s := range []string{
		secret, strings.TrimSpace(secret), inner(string(asJSON)), inner(strconv.Quote(secret)), url.QueryEscape(secret), url.PathEscape(secret),
	} {
		if s != "" && !slices.ContainsFunc(r.spellings, func(have spelling) bool { return have.text == s }) {
			r.spellings = append(r.spellings, spelling{s, tellingPrefix(len(s))})
		}
	}
	slices.SortFunc(r.spellings, func(a, b spelling) int { return len(b.text) - len(a.text) })
}

func inner(quoted string) string { return quoted[1 : len(quoted)-1] }

// tellingPrefix keeps a password that begins like a common word from blackening every text with that word, and lets few
// letters of a session's 96 through.
func tellingPrefix(length int) int {
	if length >= 32 {
		return 12
	}
	return max(min(length, cutSecret), length*3/4)
}

// text gives s as it may be shown and stored: without secrets, in valid UTF-8, and without NUL, which PostgreSQL's
// jsonb cannot hold.
func (r *redactor) text(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, secret := range r.spellings {
		s = secret.removeFrom(s)
	}
	for _, secret := range r.spellings {
		s = secret.removeCut(s)
	}
	return strings.ToValidUTF8(s, "\uFFFD") // a cut may have parted a character
}

// removeFrom takes out the secret, and what stands of it where somebody shortened it.
func (p spelling) removeFrom(s string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, p.text[:p.least])
		out.WriteString(before)
		if !found {
			return out.String()
		}
		out.WriteString(redacted)
		rest := p.text[p.least:]
		for rest != "" && after != "" && rest[0] == after[0] {
			rest, after = rest[1:], after[1:]
		}
		s = after
	}
}

// removeCut takes a short beginning of the secret from the end of s, where an answer broke off within it.
func (p spelling) removeCut(s string) string {
	for n := min(len(p.text)-1, len(s)); n >= cutSecret; n-- {
		if rest, cut := strings.CutSuffix(s, p.text[:n]); cut {
			return rest + redacted
		}
	}
	return s
}
