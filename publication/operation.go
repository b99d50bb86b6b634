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

// idForm is what an operation ID looks like; the groups are kind, account, slug, generation, base version.
var idForm = regexp.MustCompile(`^(publish|revise|remove|track)/([A-Za-z0-9]{3,30})/([a-z0-9](?:-?[a-z0-9])*)(?:@([1-9][0-9]*))?(?:/([A-Za-z0-9.-]+))?$`)

// ParseOperationID reads an operation ID. The error names the rule and shows the form.
func ParseOperationID(s string) (OperationID, error) {
	m := idForm.FindStringSubmatch(s)
	if m == nil || (m[1] == string(KindRevise)) != (m[5] != "") || m[4] == "1" || m[4] != "" && m[1] != string(KindPublish) && m[1] != string(KindRemove) {
		return "", fmt.Errorf("operation: %q is not of the form publish/ACCOUNT/SLUG, revise/ACCOUNT/SLUG/BASE, remove/ACCOUNT/SLUG or track/ACCOUNT/SLUG; `starter list` shows the operations", s)
	}
	return OperationID(s), nil
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
func (id OperationID) BaseVersion() string { return id.part(3) }

func (id OperationID) part(n int) string {
	parts := strings.SplitN(string(id), "/", 4)
	if n >= len(parts) {
		return ""
	}
	return parts[n]
}
