package publication

import (
	"fmt"
	"regexp"
	"strings"
)

// slugPattern is TabNews' rule for a slug after trimming (TabNews API, POST /api/v1/contents).
var slugPattern = regexp.MustCompile(`^[a-z0-9](-?[a-z0-9])*$`)

// ValidSlug gives TabNews' verdict on an explicit slug: nil, or a FieldError that suggests a slug TabNews takes.
// White space around it, characters beyond 160 and hyphens at the end are no error: TabNews drops them in silence,
// and Normalize tells it.
func ValidSlug(s string) error {
	if trimSpace(s) == "" {
		return FieldError{"slug", "is required", "give the content a slug of a-z, 0-9 and single hyphens"}
	}
	if slugPattern.MatchString(trimSlug(s)) {
		return nil
	}
	remedy := "choose another"
	if slugOf(s) != "" { // something readable is left of it
		remedy = fmt.Sprintf("take %q", SlugFromTitle(s))
	}
	return FieldError{"slug", fmt.Sprintf("must be a-z, 0-9 and single hyphens between them, not %q", clip(s)), remedy}
}

// trimSlug is what TabNews does to an explicit slug: trims white space, cuts to 160 UTF-16 units, drops hyphens at the
// end. The cut is by runes, for a slug with anything beyond ASCII is refused anyway.
func trimSlug(s string) string {
	s = trimSpace(s)
	if runes := []rune(s); len(runes) > maxSlug {
		s = string(runes[:maxSlug])
	}
	return strings.TrimRight(s, "-")
}
