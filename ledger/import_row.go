package ledger

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// nobodysToken stands in the place of a claim's token, which is not exported: no sender can show it.
const nobodysToken = `"imported"`

// insertion gives the statement and its values for one row of an export. Each value goes as text, or as a list of texts,
// and PostgreSQL reads it. A column that the row lacks gets its default.
func (t ArchiveTable) insertion(row map[string]json.RawMessage) (statement string, values []any, err error) {
	columns := t.Columns
	if t.Name == "attempts" && string(row["outcome"]) == `"sending"` {
		columns = append(columns[:len(columns):len(columns)], ArchiveColumn{Name: "token", Type: "text"})
		row["token"] = json.RawMessage(nobodysToken)
	}
	var names, places []string
	for _, c := range columns {
		raw, there := row[c.Name]
		if !there {
			continue
		}
		value, err := c.value(raw)
		if err != nil {
			return "", nil, err
		}
		values = append(values, value)
		names = append(names, pgx.Identifier{c.Name}.Sanitize())
		places = append(places, fmt.Sprintf(c.cast(), len(values)))
	}
	statement = fmt.Sprintf("insert into %s (%s) overriding system value values (%s)", t.sqlName(), strings.Join(names, ", "), strings.Join(places, ", "))
	return statement, values, nil
}

func (c ArchiveColumn) isList() bool { return strings.HasSuffix(c.Type, "[]") }

func (c ArchiveColumn) isDocument() bool { return c.Type == "json" || c.Type == "jsonb" }

func (c ArchiveColumn) cast() string {
	if c.isList() {
		return "$%d::text[]::" + c.Type
	}
	return "$%d::text::" + c.Type
}

// value is the column's value as PostgreSQL would write it, nil for null. Documents keep their bytes.
func (c ArchiveColumn) value(raw json.RawMessage) (any, error) {
	var into any
	switch {
	case string(raw) == "null":
		return nil, nil
	case c.isDocument():
		return string(raw), nil
	case c.isList():
		into = new([]string)
	case raw[0] == '"':
		into = new(string)
	case raw[0] == '{' || raw[0] == '[':
		return nil, fmt.Errorf("%s: a document stands where a %s belongs", c.Name, c.Type)
	default: // a number or a truth value
		return string(raw), nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	if list, ok := into.(*[]string); ok {
		return *list, nil
	}
	return *into.(*string), nil
}
