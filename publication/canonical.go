package publication

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Digest names a payload by content: "sha256:" and 64 lower-case hexadecimal digits, the SHA-256 of its canonical
// JSON. It ties an approval to a payload; it proves nothing about what TabNews did.
type Digest string

const digestPrefix = "sha256:"

// CanonicalJSON gives the payload in the canonical form of RFC 8785 (JCS): keys sorted, no white space, only the
// escapes that JSON needs, optional fields left out when empty. It is also the request body that is sent, byte for
// byte, so that what was approved is what leaves. The text must be valid UTF-8, which Validate sees to.
func (p Payload) CanonicalJSON() []byte {
	out := make([]byte, 0, len(p.Body)+len(p.Title)+256)
	out = append(out, '{')
	// The keys are ASCII, so RFC 8785's order by UTF-16 units is the alphabet's.
	out = appendMember(out, "body", p.Body)
	if p.ParentID != "" {
		out = appendMember(out, "parent_id", p.ParentID)
	}
	out = appendMember(out, "slug", p.Slug)
	if p.SourceURL != "" {
		out = appendMember(out, "source_url", p.SourceURL)
	}
	out = appendMember(out, "status", string(p.Status))
	if p.Title != "" {
		out = appendMember(out, "title", p.Title)
	}
	return append(out, '}')
}

// Digest gives the name of the payload's canonical JSON.
func (p Payload) Digest() Digest { return digestOf(p.CanonicalJSON()) }

func digestOf(canonical []byte) Digest {
	sum := sha256.Sum256(canonical)
	return Digest(digestPrefix + hex.EncodeToString(sum[:]))
}

// ParseDigest takes a digest as a person typed or pasted it: white space around it is dropped, nothing else is
// mended, for an approval must name the payload exactly.
func ParseDigest(s string) (Digest, error) {
	s = strings.TrimSpace(s)
	digits, ok := strings.CutPrefix(s, digestPrefix)
	if !ok || len(digits) != 2*sha256.Size || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", fmt.Errorf("digest: must be %q and 64 lower-case hexadecimal digits, not %q; copy it from the preview", digestPrefix, s)
	}
	return Digest(s), nil
}

func appendMember(out []byte, key, value string) []byte {
	return appendString(appendKey(out, key), value)
}

func appendKey(out []byte, key string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(appendString(out, key), ':')
}

// appendString writes a JSON string as RFC 8785 section 3.2.2.2 wants it. encoding/json escapes U+2028 and U+2029, which
// RFC 8785 leaves as they are.
func appendString(out []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	out = append(out, '"')
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '"' || b == '\\':
			out = append(out, '\\', b)
		case b >= 0x20:
			out = append(out, b)
		case shortEscapes[b] != 0:
			out = append(out, '\\', shortEscapes[b])
		default:
			out = append(out, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&0xf])
		}
	}
	return append(out, '"')
}

var shortEscapes = [0x20]byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}
