package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"postonce/publication"
)

// content is a row of the emulator.
type content struct {
	ID, Slug, Title, Body, Status string
	OwnerUsername                 string    `json:"owner_username"`
	ParentID                      string    `json:"parent_id"`
	UpdatedAt                     time.Time `json:"updated_at"`
}

// contents are all rows, also deleted ones, in the order of their creation.
func (s *story) contents() []content {
	s.t.Helper()
	var all []content
	s.control(http.MethodGet, "contents", nil, &all)
	return all
}

// stored is the one living row of the story's slug.
func (s *story) stored() content {
	s.t.Helper()
	living := slices.DeleteFunc(s.contents(), func(c content) bool {
		return c.Slug != s.slug || c.OwnerUsername != "autora" || c.Status == "deleted"
	})
	if len(living) != 1 {
		s.t.Fatalf("%d living contents have the slug %s, want 1: %+v", len(living), s.slug, living)
	}
	return living[0]
}

func (s *story) reference() string { return "autora/" + s.slug }

// patches are the changes of the story's slug that reached TabNews.
func (s *story) patches() []arrival {
	s.t.Helper()
	var all []arrival
	s.control(http.MethodGet, "arrivals", nil, &all)
	return slices.DeleteFunc(all, func(a arrival) bool { return a.Method != http.MethodPatch || a.Slug != s.slug })
}

// wantWrites checks how many creations and how many changes arrived, and how many contents are stored.
func (s *story) wantWrites(posts, patches, rows int) {
	s.t.Helper()
	s.want(posts, rows)
	if p := s.patches(); len(p) != patches {
		s.t.Errorf("%d changes arrived, want %d: %+v", len(p), patches, p)
	}
}

// untilPatches waits until the change has reached TabNews.
func (s *story) untilPatches(n int) {
	s.t.Helper()
	s.untilArrived("change", n, s.patches)
}

// run runs a command of the starter and wants an exit code.
func (s *story) run(want int, args ...string) publication.Snapshot {
	s.t.Helper()
	code, snap := s.starter(args...)
	if code != want {
		s.t.Fatalf("starter %s: exit %d, want %d; %+v", strings.Join(args, " "), code, want, snap)
	}
	return snap
}

// change runs a command that changes content, approved by bea.
func (s *story) change(want int, args ...string) publication.Snapshot {
	s.t.Helper()
	return s.run(want, append(args, "--yes", "--by", "bea")...)
}

// refused runs a command that must not do anything and wants words about why.
func (s *story) refused(words string, args ...string) {
	s.t.Helper()
	if code, out, talk := s.command("starter", args...); code != exitUsage || !strings.Contains(out+talk, words) {
		s.t.Errorf("starter %s: exit %d, want %d and %q in:\n%s%s", strings.Join(args, " "), code, exitUsage, words, out, talk)
	}
}

// decide decides on the first attempt of an operation.
func (s *story) decide(want int, op publication.OperationID, decision ...string) publication.Snapshot {
	s.t.Helper()
	args := append([]string{"resolve", string(op)}, decision...)
	return s.run(want, append(args, "--attempt", "1", "--by", "ana", "--reason", "seen on the site")...)
}

// statusOf asks about any operation once.
func (s *story) statusOf(op publication.OperationID) publication.Snapshot {
	s.t.Helper()
	_, snap := s.starter("status", string(op))
	return snap
}

// untilOf asks the status of an operation until it is so.
func (s *story) untilOf(op publication.OperationID, what string, so func(publication.Snapshot) bool) (snap publication.Snapshot) {
	s.t.Helper()
	s.eventually(what, func() (bool, any) {
		snap = s.statusOf(op)
		return so(snap), snap
	})
	return snap
}

// edited makes an edit past postonce, as the owner in a browser would: it counts as no arrival.
func (s *story) edited(field, text string) {
	s.t.Helper()
	s.control(http.MethodPost, "edit", map[string]any{"owner": "autora", "slug": s.slug, field: text}, nil)
}

// moderated hides or deletes the story's content past postonce.
func (s *story) moderated(action string) {
	s.t.Helper()
	s.control(http.MethodPost, "moderate", map[string]string{"owner": "autora", "slug": s.slug, "action": action}, nil)
}

// cancel cancels an operation's workflow with the official binary.
func (s *story) cancel(op publication.OperationID) {
	s.t.Helper()
	if code, out, talk := s.command("temporal", "workflow", "cancel", "--workflow-id", string(op)); code != 0 {
		s.t.Fatalf("cancel: %s%s", out, talk)
	}
}

// rewrite writes the article with another text.
func (s *story) rewrite(title, body string) {
	s.t.Helper()
	s.writeFile(s.file, fmt.Sprintf("---\ntitle: %s\nslug: %s\n---\n%s\n", title, s.slug, body))
}

// commentFile writes a comment, which needs no title, and gives the file's name.
func (s *story) commentFile(body string) string {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "comentario.md")
	s.writeFile(file, "---\n---\n"+body+"\n")
	return file
}

func (s *story) writeFile(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// wordsOf is all that a snapshot says, to look for words in.
func wordsOf(snap publication.Snapshot) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(snap); err != nil {
		return err.Error()
	}
	return b.String()
}

// wantWords looks for words in all that a snapshot says, whatever their case.
func (s *story) wantWords(snap publication.Snapshot, words ...string) {
	s.t.Helper()
	said := strings.ToLower(wordsOf(snap))
	for _, w := range words {
		if !strings.Contains(said, strings.ToLower(w)) {
			s.t.Errorf("%q is not said in:\n%s", w, wordsOf(snap))
		}
	}
}

// untilClosed waits until an operation's workflow has ended, however.
func (s *story) untilClosed(op publication.OperationID) {
	s.t.Helper()
	s.command("temporal", "workflow", "result", "--workflow-id", string(op)) // its exit code is that of the workflow
}
