package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"postonce/publication"
)

// sessionValue is the form of a TabNews session (TabNews API, "Authentication"): 96 letters and digits. Digests and
// IDs are shorter or hold other characters.
var sessionValue = regexp.MustCompile(`\b[A-Za-z0-9]{96}\b`)

// noSecrets looks for the password and for session values in the story's workflow histories, in what the workers and
// servers logged, and in all that the command line printed.
func (s *story) noSecrets() {
	if s.t.Failed() {
		return // the stack may be broken; the story has its own words
	}
	places := map[string]string{"the command line's words": s.said.String()}
	for i, w := range s.stack.Workers() {
		places["the log of worker "+string(rune('1'+i))] = w.Log()
	}
	for _, op := range s.ops.list() {
		for _, id := range []string{string(op), "repair/" + string(op)} {
			code, history, _ := s.command("temporal", "workflow", "show", "--workflow-id", id, "-o", "json")
			if code == 0 {
				places["the history of "+id] = s.plain(history, op.Reference().Slug)
				s.keepHistory(id, history)
			}
		}
	}
	password := envValue(s.stack.Environ(), "TABNEWS_PASSWORD")
	for place, text := range places {
		if strings.Contains(text, password) {
			s.t.Errorf("the password is in %s", place)
		}
		if found := sessionValue.FindString(text); found != "" {
			s.t.Errorf("a session value is in %s: …%s…", place, around(text, found))
		}
	}
}

// plain is a history with its payloads decoded: Temporal's JSON holds them in Base64, which would hide a secret.
func (s *story) plain(history, slug string) string {
	var out strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, each := range v {
				if text, ok := each.(string); ok && key == "data" {
					if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
						out.Write(append(raw, '\n'))
						continue
					}
				}
				walk(each)
			}
		case []any:
			for _, each := range v {
				walk(each)
			}
		case string:
			out.WriteString(v + "\n")
		}
	}
	var decoded any
	if err := json.Unmarshal([]byte(history), &decoded); err != nil {
		s.t.Errorf("a history is no JSON: %v", err)
	}
	walk(decoded)
	if !strings.Contains(out.String(), slug) {
		s.t.Error("the payloads of the history were not decoded: a secret in them would not be seen")
	}
	return out.String()
}

// around shows where a finding stands, without showing it.
func around(text, found string) string {
	at := strings.Index(text, found)
	return text[max(0, at-60):at] + "(here)" + text[at+len(found):min(len(text), at+len(found)+60)]
}

// operations are those of one story, each once, in the order in which they were met.
type operations struct {
	mu  sync.Mutex
	ids []publication.OperationID
}

func (o *operations) add(id publication.OperationID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if id != "" && !slices.Contains(o.ids, id) {
		o.ids = append(o.ids, id)
	}
}

func (o *operations) list() []publication.OperationID {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.ids)
}

// keepHistory writes a story's history where POSTONCE_KEEP_HISTORIES says, for the replay tests of the workflows. The
// story's first publication has the test's name; its other operations have their kind and number behind it.
func (s *story) keepHistory(id, history string) {
	dir := os.Getenv("POSTONCE_KEEP_HISTORIES")
	if dir == "" {
		return
	}
	name := strings.ReplaceAll(strings.TrimSuffix(s.t.Name(), "/"), "/", "-")
	op, repair := strings.CutPrefix(id, "repair/")
	if op != s.operation() {
		name += fmt.Sprintf("-%s-%d", publication.OperationID(op).Kind(), slices.Index(s.ops.list(), publication.OperationID(op)))
	}
	if repair {
		name += "-repair"
	}
	if host, err := os.Hostname(); err == nil {
		history = strings.ReplaceAll(history, host, "host")
	}
	var small bytes.Buffer
	if err := json.Compact(&small, []byte(history)); err != nil {
		s.t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".json"), append(small.Bytes(), '\n'), 0o644); err != nil {
		s.t.Error(err)
	}
}

func envValue(environ []string, name string) string {
	value := ""
	for _, pair := range environ {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			value = v
		}
	}
	return value
}
