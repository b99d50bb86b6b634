package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

// quiet runs a program from a goroutine: it reports nothing to the test by itself.
func (s *story) quiet(name string, args ...string) (int, string) {
	cmd := exec.CommandContext(context.Background(), filepath.Join(bin, name), args...)
	cmd.Env = s.stack.Environ()
	out, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(out)
}

// createByHand publishes the story's slug past postonce, as a person in a browser would.
func (s *story) createByHand(status string) {
	s.t.Helper()
	post := func(path, cookie string, body map[string]string) map[string]any {
		raw, _ := json.Marshal(body)
		req, err := http.NewRequestWithContext(s.context(), http.MethodPost, s.stack.TabNewsURL()+path, bytes.NewReader(raw))
		if err != nil {
			s.t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if cookie != "" {
			req.Header.Set("Cookie", "session_id="+cookie)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			s.t.Fatal(err)
		}
		defer resp.Body.Close()
		var answer map[string]any
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != http.StatusCreated {
			s.t.Fatalf("%s: %s %v %v", path, resp.Status, answer, err)
		}
		return answer
	}
	env := s.stack.Environ()
	session := post("/api/v1/sessions", "", map[string]string{"email": envValue(env, "TABNEWS_EMAIL"), "password": envValue(env, "TABNEWS_PASSWORD")})
	post("/api/v1/contents", session["token"].(string), map[string]string{"title": "À mão", "slug": s.slug, "body": "Um texto escrito à mão.", "status": status})
}

// writeDraft makes the article a draft.
func (s *story) writeDraft() {
	s.t.Helper()
	text := fmt.Sprintf("---\ntitle: Um rascunho\nslug: %s\nstatus: draft\n---\nAinda sem fim.\n", s.slug)
	if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}
