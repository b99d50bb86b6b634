package publication

import (
	"fmt"
	"strings"
)

// Kind is the kind of an operation.
type Kind string

// The kinds of operation.
const (
	KindPublish Kind = "publish" // create by POST
	KindRevise  Kind = "revise"  // edit, or draft → published, by PATCH
	KindRemove  Kind = "remove"  // PATCH to deleted
)

// OperationID is derived from the intent, never random: KIND/ACCOUNT/SLUG. It is the Temporal workflow ID too.
type OperationID string

// PublishID is the ID of the operation that creates account/slug.
func PublishID(account, slug string) OperationID {
	return OperationID(string(KindPublish) + "/" + account + "/" + slug)
}

// ParseOperationID reads KIND/ACCOUNT/SLUG. The error names the rule and shows the form.
func ParseOperationID(s string) (OperationID, error) {
	parts := strings.Split(s, "/")
	if len(parts) < 3 || parts[0] != string(KindPublish) || parts[1] == "" || parts[2] == "" || len(parts) > 3 {
		return "", fmt.Errorf("operation: %q is not of the form publish/ACCOUNT/SLUG; `starter list` shows the operations", s)
	}
	return OperationID(s), nil
}

// Kind is the first part of the ID.
func (id OperationID) Kind() Kind { return Kind(id.part(0)) }

// Account is the TabNews user name that the operation acts for.
func (id OperationID) Account() string { return id.part(1) }

// Reference is the pinned address account/slug.
func (id OperationID) Reference() Reference { return Reference{Owner: id.part(1), Slug: id.part(2)} }

func (id OperationID) part(n int) string {
	parts := strings.SplitN(string(id), "/", 4)
	if n >= len(parts) {
		return ""
	}
	return parts[n]
}
