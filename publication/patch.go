package publication

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Patch is the exact change of a content that is sent to TabNews (TabNews API, PATCH /api/v1/contents/{user}/{slug}):
// what a person saw as a diff and approved. A field that is nil is not sent and stays as it is; the other fields have
// the rules that they have in a Payload.
type Patch struct {
	// Title "" takes a comment's title away; it is sent as null. A root content must keep one.
	Title *string
	Body  *string
	// SourceURL "" takes the address away; it is sent as null.
	SourceURL *string
	// Slug moves the content: the old address is gone at once, and nothing leads from it to the new one.
	Slug *string
	// Status is StatusPublished or StatusDeleted. StatusDraft changes nothing: asked of a draft it gives the draft, of a
	// published content it is refused, so it tells the two apart.
	Status *ContentStatus
}

// patchField is a field in the order of RFC 8785, which is the alphabet's here.
type patchField struct {
	name     string
	value    *string
	nullable bool // empty is sent as null
}

func (p Patch) fields() []patchField {
	return []patchField{
		{"body", p.Body, false}, {"slug", p.Slug, false}, {"source_url", p.SourceURL, true},
		{"status", (*string)(p.Status), false}, {"title", p.Title, true},
	}
}

// IsEmpty tells whether the patch changes nothing; TabNews refuses such a one.
func (p Patch) IsEmpty() bool { return p == Patch{} }

// CanonicalJSON gives the patch in the canonical form of RFC 8785 (JCS), with the fields that change and no others. It
// is the request body, byte for byte, as Payload's is.
func (p Patch) CanonicalJSON() []byte {
	out := []byte{'{'}
	for _, f := range p.fields() {
		switch {
		case f.value == nil:
		case f.nullable && *f.value == "":
			out = append(appendKey(out, f.name), "null"...)
		default:
			out = appendMember(out, f.name, *f.value)
		}
	}
	return append(out, '}')
}

// Digest gives the name of the patch's canonical JSON.
func (p Patch) Digest() Digest { return digestOf(p.CanonicalJSON()) }

// MarshalJSON gives the canonical JSON, so that null and "not changed" stay apart wherever a patch is kept.
func (p Patch) MarshalJSON() ([]byte, error) { return p.CanonicalJSON(), nil }

// UnmarshalJSON takes what MarshalJSON gives. A field that a patch does not have is an error: what was approved must not
// lose a part on its way.
func (p *Patch) UnmarshalJSON(text []byte) error {
	var object map[string]*string
	if err := json.Unmarshal(text, &object); err != nil {
		return fmt.Errorf("patch: %w", err)
	}
	var read Patch
	for name, value := range object {
		if err := read.set(name, value); err != nil {
			return err
		}
	}
	*p = read
	return nil
}

func (p *Patch) set(name string, value *string) error {
	known := p.fields()
	i := slices.IndexFunc(known, func(f patchField) bool { return f.name == name })
	switch {
	case i < 0:
		return fmt.Errorf("patch: %q is no field that can be changed", name)
	case value == nil && !known[i].nullable:
		return fmt.Errorf("patch: %s must not be null", name)
	case value == nil:
		value = new(string)
	}
	switch name {
	case "title":
		p.Title = value
	case "body":
		p.Body = value
	case "source_url":
		p.SourceURL = value
	case "slug":
		p.Slug = value
	case "status":
		p.Status = (*ContentStatus)(value)
	}
	return nil
}

// Validate gives TabNews' verdict on the patch exactly as it stands, as Payload's does: nil when TabNews would take it,
// else Problems. It cannot tell what depends on the content, such as whether the title may go.
func (p Patch) Validate() error {
	if p.IsEmpty() {
		return Problems{{"object", "must change at least one field", "give a title, body, slug, status or source_url"}}
	}
	whole := Payload{
		Title: valueOf(p.Title), Body: valueOf(p.Body), SourceURL: valueOf(p.SourceURL),
		Slug: valueOf(p.Slug), Status: valueOf(p.Status),
	}
	if problems := whole.checkUTF8(); len(problems) > 0 {
		return problems
	}
	return p.check(whole).errOrNil()
}

func valueOf[T ~string](p *T) T {
	if p == nil {
		return ""
	}
	return *p
}

// check judges the fields that change, in the order of a payload's.
func (p Patch) check(whole Payload) Problems {
	var problems Problems
	if p.Title != nil && *p.Title != "" {
		problems = append(problems, whole.checkTitle()...)
	}
	if p.Slug != nil {
		problems = append(problems, whole.checkSlug()...)
	}
	if p.Body != nil {
		problems = append(problems, whole.checkBody()...)
	}
	problems = append(problems, whole.checkSourceURL()...)
	if p.Status != nil && whole.Status != StatusDeleted && whole.checkStatus() != nil {
		return append(problems, FieldError{"status", fmt.Sprintf("must be draft, published or deleted, not %q", clip(string(whole.Status))), "write one of the three"})
	}
	return problems
}
