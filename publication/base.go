package publication

import (
	"strings"
	"time"
)

// Base is the version of a content that a change starts from: what a person saw on the left side of the diff. It is
// kept, so that it can be restored.
type Base struct {
	ID string `json:"id,omitempty"`
	// UpdatedAt is TabNews' updated_at, in milliseconds. Zero: the content is a draft, which no route shows; the base is
	// then what was approved and accepted.
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	Payload   Payload   `json:"payload"`
}

// Version names the base in an operation ID.
func (b Base) Version() string {
	if !b.UpdatedAt.IsZero() {
		return strings.ReplaceAll(b.UpdatedAt.UTC().Format("20060102T150405.000"), ".", "-") + "Z"
	}
	if b.ID != "" {
		return "draft-" + b.ID[:min(8, len(b.ID))]
	}
	return "draft"
}

// Readable reports whether the public can read the base, so that it can be compared with what is there now.
func (b Base) Readable() bool { return !b.UpdatedAt.IsZero() }

// PatchTo is the change from the base to p: the fields that differ, and no others.
func (b Base) PatchTo(p Payload) Patch {
	var patch Patch
	differ := func(from, to string) *string {
		if from == to {
			return nil
		}
		return &to
	}
	patch.Title = differ(b.Payload.Title, p.Title)
	patch.Body = differ(b.Payload.Body, p.Body)
	patch.SourceURL = differ(b.Payload.SourceURL, p.SourceURL)
	patch.Slug = differ(b.Payload.Slug, p.Slug)
	if b.Payload.Status != p.Status {
		status := p.Status
		patch.Status = &status
	}
	return patch
}

// DigestOf is what an approval binds: the payload, and for a change of existing content its base too.
func DigestOf(p Payload, base *Base) Digest {
	if base == nil {
		return p.Digest()
	}
	out := append([]byte{'{'}, `"base":`...)
	out = append(out, base.canonicalJSON()...)
	out = append(out, `,"payload":`...)
	out = append(out, p.CanonicalJSON()...)
	return digestOf(append(out, '}'))
}

func (b Base) canonicalJSON() []byte {
	out := []byte{'{'}
	if b.ID != "" {
		out = appendMember(out, "id", b.ID)
	}
	out = append(appendKey(out, "payload"), b.Payload.CanonicalJSON()...)
	if b.Readable() {
		out = appendMember(out, "updated_at", b.UpdatedAt.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
	return append(out, '}')
}
