package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"postonce/publication"
)

// detailLimit bounds what one line of a history tells, in bytes; --json has all of it.
const detailLimit = 160

// unsaid are details that help no reader: they are for machines, or another column tells them.
var unsaid = []string{"run_id", "allowed_by", "send_by", "state", "started_at", "recorded", "payload", "replaces"}

// detailWords says in one line what an entry of the journal holds: what is known by name first and in words, whatever
// else is short as it stands.
func detailWords(detail map[string]any) string {
	var parts []string
	said := map[string]bool{}
	for _, w := range detailOrder {
		said[w.key] = true
		if value, ok := detail[w.key]; ok && value != nil {
			parts = append(parts, w.words(value))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(detail)) {
		if !said[key] && !slices.Contains(unsaid, key) {
			if text := plainValue(detail[key]); text != "" {
				parts = append(parts, strings.ReplaceAll(key, "_", " ")+" "+text)
			}
		}
	}
	return publication.Clip(strings.Join(withoutEchoes(parts), "; "), detailLimit)
}

// withoutEchoes drops what another part says too: a summary often names outcome and identity.
func withoutEchoes(parts []string) []string {
	var kept []string
	for _, part := range parts {
		echo := slices.ContainsFunc(parts, func(other string) bool { return other != part && strings.Contains(other, part) })
		if part != "" && !echo && !slices.Contains(kept, part) {
			kept = append(kept, part)
		}
	}
	return kept
}

var detailOrder = []struct {
	key   string
	words func(any) string
}{
	{"decision", decisionWords},
	{"outcome", plainValue},
	{"evidence", field("summary")},
	{"identity", identityWords},
	{"request_bytes_written", func(v any) string { return plainValue(v) + " bytes written" }},
	{"found", field("reference")},
	{"reading", plainValue},
	{"candidates", func(v any) string { return "candidates: " + listWords(v) }},
}

// field gives the words of one field of a document.
func field(name string) func(any) string {
	return func(value any) string {
		document, _ := value.(map[string]any)
		return plainValue(document[name])
	}
}

func decisionWords(value any) string {
	words := field("kind")(value)
	if reference := field("reference")(value); reference != "" {
		words += " " + reference
	}
	if reason := field("reason")(value); reason != "" {
		words += ": " + reason
	}
	if refusal := field("refusal")(value); refusal != "" {
		words += " (refused: " + refusal + ")"
	}
	return words
}

func identityWords(value any) string { return "id " + field("id")(value) }

func listWords(value any) string {
	var words []string
	list, _ := value.([]any)
	for _, each := range list {
		words = append(words, plainValue(each))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// plainValue is empty for documents and lists, which are no words.
func plainValue(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool, float64:
		return fmt.Sprint(v)
	}
	return ""
}
