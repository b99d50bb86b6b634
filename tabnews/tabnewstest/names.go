package tabnewstest

import (
	"regexp"
	"strings"
)

var (
	alphanumeric = regexp.MustCompile(`^[a-zA-Z0-9]+$`)
	emailForm    = regexp.MustCompile(`^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$`)
)

// usernameRule is the pattern of a user name in a path: one that breaks it is 400, not 404 (TabNews API, section 2).
func usernameRule(key string, value any) (*string, *refusal) {
	s, ref := asText(key, value, trimSpaces)
	switch {
	case ref != nil:
		return nil, ref
	case !alphanumeric.MatchString(s):
		return nil, notAlphanumeric(key)
	case len(s) < 3:
		return nil, tooShort(key, 3)
	case len(s) > 30:
		return nil, tooLong(key, 30)
	case reserved(s):
		return nil, invalid(key, "username.reserved", "Este nome de usuário não está disponível para uso.")
	}
	return &s, nil
}

func notAlphanumeric(key string) *refusal {
	return invalid(key, "string.alphanum", `"`+key+`" deve conter apenas caracteres alfanuméricos.`)
}

// reservedNames is a part of TabNews' list of names that nobody may have: those that a test is likely to try.
var reservedNames = strings.Fields(`account administrador ajuda all analytics anonymous api app auth blog cadastro conta
	contato content create css dashboard docs draft edit editor email faq features guest init login logout me moderador
	news newsletter notifications password post posts public publish register root rss senha status sudo superuser
	suporte support swr tabnews tag tags termos terms todos trending upgrade username users usuario usuarios`)

func reserved(name string) bool {
	name = strings.ToLower(name)
	for _, r := range reservedNames {
		if r == name {
			return true
		}
	}
	return strings.HasPrefix(name, "favicon") || strings.HasPrefix(name, "manifest")
}

// emailRule lowercases and trims, as at TabNews, before it looks (TabNews API, section 2).
func emailRule(key string, value any) (*string, *refusal) {
	s, ref := asText(key, value, trimSpaces, strings.ToLower)
	switch {
	case ref != nil:
		return nil, ref
	case !emailForm.MatchString(s):
		return nil, invalid(key, "string.email", `"`+key+`" deve conter um email válido.`)
	case units(s) < 7:
		return nil, tooShort(key, 7)
	case units(s) > 254:
		return nil, tooLong(key, 254)
	}
	return &s, nil
}

func passwordRule(key string, value any) (*string, *refusal) {
	s, ref := asText(key, value, trimSpaces)
	switch {
	case ref != nil:
		return nil, ref
	case units(s) < 8:
		return nil, tooShort(key, 8)
	case units(s) > 72:
		return nil, tooLong(key, 72)
	}
	return &s, nil
}
