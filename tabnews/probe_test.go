package tabnews

import (
	"context"
	"net/http"
	"testing"
	"time"

	"postonce/publication"
	"postonce/tabnews/tabnewstest"
)

func TestProbeSlugTellsTakenFromFreeAndCreatesNothing(t *testing.T) {
	s, c := newProbed(t)
	probe := func(want bool) {
		t.Helper()
		got := c.ProbeSlug(context.Background(), "ola", time.Now().Add(10*time.Second))
		if !got.Answered || got.Taken != want || len(s.Contents()) > 1 {
			t.Errorf("got %+v, want taken %v; %d contents", got, want, len(s.Contents()))
		}
	}
	probe(false)
	if v := create(t, c); v.Outcome != publication.OutcomeAccepted {
		t.Fatal(v.Evidence.Summary)
	}
	probe(true)
	s.Moderate("autora", "ola", "hide")
	probe(true)
	s.Moderate("autora", "ola", "undo")
	s.Moderate("autora", "ola", "delete")
	probe(false)
}

func newProbed(t *testing.T) (*tabnewstest.Server, *Client) {
	t.Helper()
	s := tabnewstest.New()
	if err := s.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := newTestClient(t, s.URL(), func(cfg *Config) {
		cfg.Session, cfg.Email, cfg.Password = "", "autora@example.com", "senha-autora-123"
	})
	if _, err := c.CheckSession(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s, c
}

// Whatever else is answered tells nothing, above all a 201: the content would be ours, and is not what was asked.
func TestProbeSlugBelievesNothingElse(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"created": accept,
		"an edge": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "slug", http.StatusBadRequest) },
		"no refusal": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.WriteHeader(http.StatusInternalServerError)
			w.Write([]byte(`{"name":"InternalServerError","message":"m","action":"a","status_code":500,"error_id":"` + testID + `","request_id":"` + testID +
				`","error_location_code":"MODEL:CONTENT:CHECK_FOR_CONTENT_UNIQUENESS:ALREADY_EXISTS","key":"slug"}`))
		},
		"no session": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.WriteHeader(http.StatusUnauthorized)
			w.Write([]byte(`{"name":"UnauthorizedError","message":"Usuário não possui sessão ativa.","action":"a","status_code":401,"error_id":"` + testID +
				`","request_id":"` + testID + `"}`))
		},
		"unavailable": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
	} {
		base, seen := serve(t, answer)
		if got := newTestClient(t, base).ProbeSlug(context.Background(), "ola", soon()); got.Answered || got.Taken {
			t.Errorf("%s: %+v", name, got)
		}
		seen.mustBe(t, 1)
	}
}
