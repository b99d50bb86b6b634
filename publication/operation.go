package publication

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Kind is the kind of an operation.
type Kind string

// The kinds of operation.
const (
	KindPublish Kind = "publish" // create by POST
	KindRevise  Kind = "revise"  // edit, or draft → published, by PATCH
	KindRemove  Kind = "remove"  // PATCH to deleted
	KindTrack   Kind = "track"   // take up content that exists already; nothing is sent
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{KindPublish, KindRevise, KindRemove, KindTrack} }

// OperationID is derived from the intent, never random. It is the Temporal workflow ID too:
//
//	publish/ACCOUNT/SLUG      publish/ACCOUNT/SLUG@2: again, after a removal
//	revise/ACCOUNT/SLUG/BASE  BASE is the version that is changed: two edits of one version are one operation, or a conflict
//	remove/ACCOUNT/SLUG       remove/ACCOUNT/SLUG@2: of the second publication under the slug
//	track/ACCOUNT/SLUG
//
// A change that a person abandoned may be made again, as another try of it: revise/ACCOUNT/SLUG/BASE@2,
// remove/ACCOUNT/SLUG/@2, remove/ACCOUNT/SLUG@2/@2. An abandoned publish stays final.
type OperationID string

// PublishID is the ID of the operation that creates account/slug for the first time.
func PublishID(account, slug string) OperationID { return generationID(KindPublish, account, slug, 1) }

// PublishAgainID is the ID of the operation that creates account/slug again after its earlier publications were
// removed. Generations count from 1.
func PublishAgainID(account, slug string, generation int) OperationID {
	return generationID(KindPublish, account, slug, generation)
}

// RemoveID is the ID of the operation that removes a generation of account/slug.
func RemoveID(account, slug string, generation int) OperationID {
	return generationID(KindRemove, account, slug, generation)
}

// ReviseID is the ID of the operation that changes one version of account/slug; version is Base.Version.
func ReviseID(account, slug, version string) OperationID {
	return OperationID(string(KindRevise) + "/" + account + "/" + slug + "/" + version)
}

// TrackID is the ID of the operation that takes up account/slug.
func TrackID(account, slug string) OperationID { return generationID(KindTrack, account, slug, 1) }

func generationID(kind Kind, account, slug string, generation int) OperationID {
	id := string(kind) + "/" + account + "/" + slug
	if generation > 1 {
		id += "@" + strconv.Itoa(generation)
	}
	return OperationID(id)
}

// idForm is what an operation ID looks like; the groups are kind, account, slug, generation, fourth part, base version,
// try.
var idForm = regexp.MustCompile(`^(publish|revise|remove|track)/([A-Za-z0-9]{3,30})/([a-z0-9](?:-?[a-z0-9])*)(?:@([1-9][0-9]*))?(/([A-Za-z0-9.-]*)(?:@([1-9][0-9]*))?)?$`)

// ParseOperationID reads an operation ID. The error names the rule and shows the form.
func ParseOperationID(s string) (OperationID, error) {
	m := idForm.FindStringSubmatch(s)
	if m == nil || !properParts(Kind(m[1]), m[4], m[5], m[6], m[7]) {
		return "", fmt.Errorf("operation: %q is not of the form publish/ACCOUNT/SLUG, revise/ACCOUNT/SLUG/BASE, remove/ACCOUNT/SLUG or track/ACCOUNT/SLUG; `starter list` shows the operations", s)
	}
	return OperationID(s), nil
}

// properParts tells whether a kind has these parts. One intent has one ID: the first generation and the first try are
// never written.
func properParts(kind Kind, generation, fourth, base, try string) bool {
	generations := kind == KindPublish || kind == KindRemove
	switch {
	case generation == "1" || generation != "" && !generations, try == "1":
		return false
	case kind == KindRevise:
		return base != ""
	case kind == KindRemove:
		return base == "" && (fourth == "") == (try == "")
	}
	return fourth == ""
}

// Kind is the first part of the ID.
func (id OperationID) Kind() Kind { return Kind(id.part(0)) }

// Account is the TabNews user name that the operation acts for.
func (id OperationID) Account() string { return id.part(1) }

// Reference is the pinned address account/slug.
func (id OperationID) Reference() Reference {
	slug, _, _ := strings.Cut(id.part(2), "@")
	return Reference{Owner: id.part(1), Slug: slug}
}

// Generation counts the publications under one slug, from 1.
func (id OperationID) Generation() int {
	_, text, _ := strings.Cut(id.part(2), "@")
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return 1
}

// BaseVersion is the version that a revision changes; empty for the other kinds.
func (id OperationID) BaseVersion() string {
	version, _, _ := strings.Cut(id.part(3), "@")
	return version
}

// Try counts how often the same change was meant to be made, from 1: a new one follows an abandoned one.
func (id OperationID) Try() int {
	_, text, _ := strings.Cut(id.part(3), "@")
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return 1
}

// WithTry is another try of the same change, a revise or a remove. Tries count from 1.
func (id OperationID) WithTry(n int) OperationID {
	first := strings.Join([]string{id.part(0), id.part(1), id.part(2)}, "/")
	version := id.BaseVersion()
	if version != "" {
		first += "/" + version
	}
	switch {
	case n < 2:
		return OperationID(first)
	case version == "":
		first += "/"
	}
	return OperationID(first + "@" + strconv.Itoa(n))
}

func (id OperationID) part(n int) string {
	parts := strings.SplitN(string(id), "/", 4)
	if n >= len(parts) {
		return ""
	}
	return parts[n]
}
