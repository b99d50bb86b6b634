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

	"postonce/publication"
)

// quiet runs a program from a goroutine: it reports nothing to the test by itself.
func (s *story) quiet(name string, args ...string) (int, string) {
	cmd := exec.CommandContext(context.Background(), filepath.Join(bin, name), args...)
	cmd.Env = s.stack.Environ()
	out, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(out)
}

// createByHand publishes the story's slug past postonce, as a person in a browser would.
func (s *story) createByHand(status string) publication.Identity {
	s.t.Helper()
	return s.byHand("autora", http.MethodPost, "", map[string]any{"title": "À mão", "slug": s.slug, "body": "Um texto escrito à mão.", "status": status})
}

// byHand writes at TabNews past postonce as one of its two users: path is what follows the contents' root. The
// emulator counts it as an arrival like any other.
func (s *story) byHand(user, method, path string, fields map[string]any) publication.Identity {
	s.t.Helper()
	session := s.ask(http.MethodPost, "/api/v1/sessions", "", map[string]any{"email": user + "@example.com", "password": "senha-" + user + "-123"})
	answer := s.ask(method, "/api/v1/contents"+path, fmt.Sprint(session["token"]), fields)
	return publication.Identity{
		ID: fmt.Sprint(answer["id"]), OwnerUsername: user, Slug: fmt.Sprint(answer["slug"]), Status: publication.ContentStatus(fmt.Sprint(answer["status"])),
	}
}

// ask sends one request with JSON and wants a success.
func (s *story) ask(method, path, session string, fields map[string]any) map[string]any {
	s.t.Helper()
	raw, err := json.Marshal(fields)
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.context(), method, s.stack.TabNewsURL()+path, bytes.NewReader(raw))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if session != "" {
		req.Header.Set("Cookie", "session_id="+session)
	}
	resp, err := emulator.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode/100 != 2 {
		s.t.Fatalf("%s %s: %s %v %v", method, path, resp.Status, answer, err)
	}
	return answer
}

// writeDraft makes the article a draft.
func (s *story) writeDraft() {
	s.t.Helper()
	text := fmt.Sprintf("---\ntitle: Um rascunho\nslug: %s\nstatus: draft\n---\nAinda sem fim.\n", s.slug)
	if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}
