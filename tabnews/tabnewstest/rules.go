package tabnewstest

import (
	"regexp"
	"strings"
)

// titleRule counts before it trims: 254 spaces and three letters are too long. What is blank only after trimming passes
// here and is refused inside the transaction, after the firewall was asked.
func titleRule(key string, value any) (*string, *refusal) {
	s, ref := asText(key, value, withoutNUL)
	if ref != nil {
		return nil, ref
	}
	if units(s) > 255 {
		return nil, tooLong(key, 255)
	}
	s = trimInvisibleEnd(trimInvisibleStart(s))
	return &s, nil
}

func bodyRule(key string, value any) (*string, *refusal) {
	s, ref := asText(key, value, withoutNUL)
	switch {
	case ref != nil:
		return nil, ref
	case startsInvisible(s):
		return nil, invalid(key, "string.pattern.invert.base", `"body" deve começar com caracteres visíveis.`)
	case units(s) > 20000:
		return nil, tooLong(key, 20000)
	}
	s = trimInvisibleEnd(s)
	if !showsText(s) {
		return nil, invalid(key, "markdown.empty", "Markdown deve conter algum texto.")
	}
	return &s, nil
}

func oneOf(allowed ...string) rule {
	return func(key string, value any) (*string, *refusal) {
		s, _ := value.(string)
		s = trimSpaces(s)
		for _, a := range allowed {
			if s == a {
				return &s, nil
			}
		}
		list := `"` + strings.Join(allowed, `", "`) + `"`
		return nil, invalid(key, "any.only", `"`+key+`" deve possuir um dos seguintes valores: `+list+`.`)
	}
}

var uuidForm = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func parentRule(key string, value any) (*string, *refusal) {
	s, ref := asText(key, value, trimSpaces)
	if ref != nil {
		return nil, ref
	}
	if !uuidForm.MatchString(s) {
		return nil, invalid(key, "string.guid", `"`+key+`" deve possuir um token UUID na versão 4.`)
	}
	return &s, nil
}

var sourceURLForm = regexp.MustCompile(
	`^https?://(?:[-\p{Ll}\d_]{1,255}\.)+[-a-z0-9]{2,24}(?::[0-9]{1,5})?(?:[/?#][^\t\n\v\f\r\p{Z}\x{FEFF}]*)?$`)

func sourceURLRule(key string, value any) (*string, *refusal) {
	s, ref := asText(key, value, withoutNUL, trimSpaces)
	switch {
	case ref != nil:
		return nil, ref
	case units(s) > 2000:
		return nil, tooLong(key, 2000)
	case !sourceURLForm.MatchString(s):
		return nil, invalid(key, "string.pattern.base",
			`"source_url" deve possuir uma URL válida e utilizando os protocolos HTTP ou HTTPS.`)
	}
	return &s, nil
}
