package tabnewstest

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// object is a JSON object that keeps the order of its fields, because TabNews' answers have an order and a cut answer
// shows what came first.
type object []field

type field struct {
	name  string
	value any
}

// MarshalJSON writes the fields in their order.
func (o object) MarshalJSON() ([]byte, error) { return appendJSON(nil, o), nil }

// without gives o less the named fields.
func (o object) without(names ...string) object {
	kept := make(object, 0, len(o))
	for _, f := range o {
		if !slices.Contains(names, f.name) {
			kept = append(kept, f)
		}
	}
	return kept
}

// only gives the named fields of o, in o's order.
func (o object) only(names ...string) object {
	kept := make(object, 0, len(names))
	for _, f := range o {
		if slices.Contains(names, f.name) {
			kept = append(kept, f)
		}
	}
	return kept
}

func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case object:
		b = append(b, '{')
		for i, f := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, f.name), ':')
			b = appendJSON(b, f.value)
		}
		return append(b, '}')
	case []object:
		b = append(b, '[')
		for i, o := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, o)
		}
		return append(b, ']')
	case string:
		return appendString(b, v)
	case *string:
		if v == nil {
			return append(b, "null"...)
		}
		return appendString(b, *v)
	case time.Time:
		return appendString(b, timestamp(v))
	case *time.Time:
		if v == nil {
			return append(b, "null"...)
		}
		return appendString(b, timestamp(*v))
	}
	other, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("tabnewstest: %T is no JSON: %v", v, err)) // only our own values come here
	}
	return append(b, other...)
}

var shortEscapes = map[rune]string{
	'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`,
}

// appendString escapes as JavaScript's JSON.stringify does, which leaves <, > and U+2028 alone.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		if escape, ok := shortEscapes[r]; ok {
			b = append(b, escape...)
		} else if r < 0x20 {
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// timestamp is a date as TabNews writes it: UTC, truncated to milliseconds (TabNews API, section 9).
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
