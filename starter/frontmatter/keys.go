package frontmatter

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"postonce/publication"
)

// keys are the allowed ones, in the order in which errors name them.
var keys = []string{"title", "slug", "source_url", "status"}

// frontLine is the line of the file on which the front matter's first line stands.
const frontLine = 2

// readKeys reads the front matter into the payload.
func (d *Document) readKeys(front []byte) *Error {
	pairs, problem := parseYAML(front)
	if problem != nil {
		return problem
	}
	values := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if problem := d.readPair(pairs[i], pairs[i+1], values); problem != nil {
			return problem
		}
	}
	if !d.bare && strings.TrimSpace(values["title"]) == "" {
		line, written := d.lines["title"]
		if !written {
			line = frontLine
		}
		return &Error{Line: line, Field: "title", Rule: "is required", Remedy: `write a line "title: Your title"`}
	}
	d.Payload.Title, d.Payload.Slug, d.Payload.SourceURL = values["title"], values["slug"], values["source_url"]
	d.Payload.Status = publication.ContentStatus(values["status"])
	return nil
}

// parseYAML gives the keys and values of the front matter, one after the other.
func parseYAML(front []byte) ([]*yaml.Node, *Error) {
	var document yaml.Node
	if err := yaml.Unmarshal(front, &document); err != nil {
		return nil, yamlError(err)
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	top := document.Content[0]
	switch {
	case top.Kind == yaml.MappingNode:
		return top.Content, nil
	case isNull(top):
		return nil, nil
	}
	return nil, &Error{
		Line: fileLine(top), Field: "front matter", Rule: "must be lines of a key, a colon, a space and a text",
		Remedy: `write it like "title: Your title"`,
	}
}

// readPair takes one key with its value into values.
func (d *Document) readPair(key, value *yaml.Node, values map[string]string) *Error {
	name, line := key.Value, fileLine(key)
	if key.Kind != yaml.ScalarNode || !isAllowed(name) {
		return unknownKey(key)
	}
	if first, again := d.lines[name]; again {
		return &Error{Line: line, Field: name, Rule: fmt.Sprintf("is written twice, first on line %d", first), Remedy: "remove one of the two"}
	}
	d.lines[name] = line
	text, ok := scalarText(value)
	if !ok {
		rule := fmt.Sprintf("must be a text, this is %s", describe(value))
		return &Error{Line: fileLine(value), Field: name, Rule: rule, Remedy: fmt.Sprintf("write it like %s: \"a text\"", name)}
	}
	values[name] = text
	return nil
}

// scalarText gives what is written. YAML would make numbers, dates and truth values of titles such as 2026 or yes; a
// person who writes them means the text. Nothing, null and ~ are no text.
func scalarText(n *yaml.Node) (text string, ok bool) {
	if n.Kind != yaml.ScalarNode {
		return "", false
	}
	switch n.ShortTag() {
	case "!!null":
		return "", true
	case "!!str", "!!int", "!!float", "!!bool", "!!timestamp", "!!merge":
		return n.Value, true
	}
	return "", false
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a group of keys"
	case yaml.AliasNode:
		return "a reference to another value"
	}
	return "of the type " + n.ShortTag()
}

func isAllowed(key string) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

func unknownKey(key *yaml.Node) *Error {
	name := key.Value
	if key.Kind != yaml.ScalarNode {
		name = describe(key)
	}
	remedy := "remove it"
	if near := nearest(name); near != "" {
		remedy = fmt.Sprintf("write %q, or remove it", near)
	}
	return &Error{
		Line: fileLine(key), Field: oneLine(name), Remedy: remedy,
		Rule: "is not a key of the front matter, which are " + strings.Join(keys, ", "),
	}
}

func fileLine(n *yaml.Node) int { return n.Line + frontLine - 1 }

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// yamlError puts the parser's own words, "yaml: line 3: …", into ours; its lines count from the front matter's first.
func yamlError(err error) *Error {
	words, line := strings.TrimPrefix(err.Error(), "yaml: "), frontLine
	if m := yamlLine.FindStringSubmatch(words); m != nil {
		n, _ := strconv.Atoi(m[1])
		words, line = words[len(m[0]):], n+frontLine-1
	}
	return &Error{
		Line: line, Field: "front matter", Rule: "must be YAML: " + oneLine(words),
		Remedy: `put a text with special characters in quotes, like title: "One: two"`,
	}
}

// oneLine shows a foreign text within a line: line ends and controls as escapes, and not too much of it.
func oneLine(s string) string {
	const most = 80
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
