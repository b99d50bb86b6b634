package tabnewstest

import "strconv"

// values are validated fields by name: a string, or nil for null. A field that was not sent is not there.
type values map[string]*string

// text gives a field that is a string, "" when it is null or was not sent.
func (v values) text(key string) string {
	if s := v[key]; s != nil {
		return *s
	}
	return ""
}

// rule validates one value and gives what TabNews goes on with.
type rule func(key string, value any) (*string, *refusal)

type schemaField struct {
	key      string
	rule     rule
	required bool
}

// schema is validated in its order and stops at the first refusal, which is the only one that TabNews tells.
type schema []schemaField

// createSchema and updateSchema are those of POST and PATCH contents (TabNews API, sections 3 and 7).
var (
	createSchema = schema{
		{"parent_id", nullable(parentRule), false},
		{"slug", slugRule, false},
		{"title", nullable(titleRule), false},
		{"body", bodyRule, true},
		{"status", oneOf("draft", "published", "deleted", "firewall"), false},
		{"type", oneOf("content", "ad"), false},
		{"source_url", nullable(sourceURLRule), false},
	}
	updateSchema = schema{
		{"slug", slugRule, false},
		{"title", nullable(titleRule), false},
		{"body", bodyRule, false},
		{"status", oneOf("draft", "published", "deleted", "firewall"), false},
		{"source_url", nullable(sourceURLRule), false},
	}
	loginSchema = schema{{"email", emailRule, true}, {"password", passwordRule, true}}
	nameSchema  = schema{{"username", usernameRule, true}}
	pathSchema  = schema{{"username", usernameRule, true}, {"slug", slugRule, true}}
)

// validate drops unknown fields and gives the known ones as TabNews would keep them.
func (s schema) validate(body any) (values, *refusal) {
	sent, ok := body.(map[string]any)
	if !ok {
		return nil, invalid("object", "object.base", `"body" enviado deve ser do tipo Object.`)
	}
	known := values{}
	for _, f := range s {
		value, ok := sent[f.key]
		if !ok {
			if f.required {
				return nil, invalid(f.key, "any.required", `"`+f.key+`" é um campo obrigatório.`)
			}
			continue
		}
		clean, ref := f.rule(f.key, value)
		if ref != nil {
			return nil, ref
		}
		known[f.key] = clean
	}
	if len(known) == 0 {
		return nil, invalid("object", "object.min", "Objeto enviado deve ter no mínimo uma chave.")
	}
	return known, nil
}

// nullable lets null pass.
func nullable(r rule) rule {
	return func(key string, value any) (*string, *refusal) {
		if value == nil {
			return nil, nil
		}
		return r(key, value)
	}
}

// asText takes a string and prepares it; what is then empty is refused.
func asText(key string, value any, prepare ...func(string) string) (string, *refusal) {
	s, ok := value.(string)
	if !ok {
		return "", invalid(key, "string.base", `"`+key+`" deve ser do tipo String.`)
	}
	for _, p := range prepare {
		s = p(s)
	}
	if s == "" {
		return "", blank(key)
	}
	return s, nil
}

func blank(key string) *refusal {
	return invalid(key, "string.empty", `"`+key+`" não pode estar em branco.`)
}

func tooLong(key string, limit int) *refusal {
	return invalid(key, "string.max", `"`+key+`" deve conter no máximo `+strconv.Itoa(limit)+` caracteres.`)
}

func tooShort(key string, limit int) *refusal {
	return invalid(key, "string.min", `"`+key+`" deve conter no mínimo `+strconv.Itoa(limit)+` caracteres.`)
}

func wrongForm(key string) *refusal {
	return invalid(key, "string.pattern.base", `"`+key+`" está no formato errado.`)
}
