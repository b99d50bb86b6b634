package publication

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Reference is the address of a content at TabNews: who owns it and its slug. A user can rename himself and a slug
// can be edited, so a reference may stop to hold; the content's id does not.
type Reference struct {
	Owner string // the user name, in TabNews' stored spelling where it is known
	Slug  string
}

// String gives "owner/slug".
func (r Reference) String() string { return r.Owner + "/" + r.Slug }

// usernamePattern is TabNews' rule for user names (TabNews API, common rules of paths).
var usernamePattern = regexp.MustCompile(`^[A-Za-z0-9]{3,30}$`)

// ParseReference takes "owner/slug" or the address of the content's page, "https://www.tabnews.com.br/owner/slug".
// Query, fragment and a trailing slash of an address are dropped. The error names the rule that is broken.
func ParseReference(s string) (Reference, error) {
	s = strings.TrimSpace(s)
	path, err := referencePath(s)
	if err != nil {
		return Reference{}, err
	}
	owner, slug, ok := strings.Cut(path, "/")
	if !ok || owner == "" || slug == "" || strings.Contains(slug, "/") {
		return Reference{}, referenceError(s, "must be owner/slug")
	}
	if !usernamePattern.MatchString(owner) {
		return Reference{}, referenceError(s, fmt.Sprintf("the owner %q must be 3 to 30 ASCII letters and digits", owner))
	}
	if !slugPattern.MatchString(slug) || len(slug) > maxSlug {
		return Reference{}, referenceError(s, fmt.Sprintf("the slug %q must be at most %d of a-z, 0-9 and single hyphens inside", slug, maxSlug))
	}
	return Reference{Owner: owner, Slug: slug}, nil
}

// referencePath gives what stands for owner/slug in s.
func referencePath(s string) (string, error) {
	if !strings.Contains(s, "://") {
		return s, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return "", referenceError(s, "is not a web address")
	}
	if host := strings.ToLower(u.Hostname()); host != "tabnews.com.br" && host != "www.tabnews.com.br" {
		return "", referenceError(s, fmt.Sprintf("the host %q is not TabNews", host))
	}
	return strings.Trim(u.Path, "/"), nil
}

func referenceError(s, rule string) error {
	return fmt.Errorf("reference %q: %s; give owner/slug or https://www.tabnews.com.br/owner/slug", s, rule)
}
