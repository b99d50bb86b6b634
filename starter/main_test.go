package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"starter": main})
}

// TestStories runs testdata/*.txt: the command as its own process, as a person meets it. The stories need no service but
// pages, which shows one article.
func TestStories(t *testing.T) {
	pages := httptest.NewServer(http.HandlerFunc(servePages))
	t.Cleanup(pages.Close) // the stories run beside each other, after this function
	testscript.Run(t, testscript.Params{
		Dir:  "testdata",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("POSTONCE_ACCOUNT", "ana")
			env.Setenv("PAGES", pages.URL)
			env.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1") // nobody listens on tcpmux
			return nil
		},
	})
}

const olaJSON = `{"id":"11111111-1111-4111-8111-111111111111","owner_id":"22222222-2222-4222-8222-222222222222","parent_id":null,
"slug":"ola","title":"Olá","body":"Um texto com palavras.","status":"published","type":"content","source_url":null,
"created_at":"2026-03-04T05:06:07.089Z","updated_at":"2026-03-04T05:06:07.089Z","published_at":"2026-03-04T05:06:07.090Z",
"deleted_at":null,"owner_username":"ana","tabcoins":1,"tabcoins_credit":0,"tabcoins_debit":0,"children_deep_count":0}`

const absentJSON = `{"name":"NotFoundError","message":"O conteúdo informado não foi encontrado no sistema.",
"action":"Verifique se o \"slug\" está digitado corretamente.","status_code":404,
"error_id":"33333333-3333-4333-8333-333333333333","request_id":"44444444-4444-4444-8444-444444444444",
"error_location_code":"CONTROLLER:CONTENT:GET_HANDLER:SLUG_NOT_FOUND","key":"slug"}`

// servePages answers like TabNews (TabNews API, "Reading") where ana/ola is all that was ever published.
func servePages(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if r.Method == http.MethodGet && r.URL.Path == "/api/v1/contents/ana/ola" {
		io.WriteString(w, olaJSON)
		return
	}
	w.WriteHeader(http.StatusNotFound)
	io.WriteString(w, absentJSON)
}

// exits runs a command and checks its exit code: exits N COMMAND ARGS…
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
