package main

import (
	"strings"
	"testing"

	"postonce/tabnews"
)

const password = "senha-secreta-123"

func withSession(t *testing.T, e engine, s *fakeSession) *bench {
	b := newBench(t, e)
	b.env["TABNEWS_URL"], b.env["TABNEWS_EMAIL"], b.env["TABNEWS_PASSWORD"] = "https://tabnews.example", "ana@example.com", password
	b.openSession = func(credentials) (session, error) { return s, nil }
	return b
}

func TestBadSessionStartsNothing(t *testing.T) {
	for _, c := range []struct {
		session fakeSession
		words   []string
	}{
		{fakeSession{err: &tabnews.SessionError{Problem: tabnews.SessionWrongPassword}}, []string{"TABNEWS_PASSWORD"}},
		{fakeSession{err: &tabnews.SessionError{Problem: tabnews.SessionExpired}}, []string{"log in again"}},
		{fakeSession{username: "leitor"}, []string{"leitor, not of ana", "POSTONCE_ACCOUNT=leitor"}},
	} {
		e := &fakeEngine{}
		b := withSession(t, e, &c.session)
		b.mustRun(t, 1, "publish", "--yes", olaFile(t))
		b.saysOnStderr(t, c.words...)
		if len(e.started) != 0 {
			t.Error("it was started")
		}
		if lines := strings.Count(b.err.String(), "\n"); lines != 1 {
			t.Errorf("%d lines, want 1:\n%s", lines, &b.err)
		}
		if c.session.logouts != 1 {
			t.Errorf("logged out %d times", c.session.logouts)
		}
	}
}

func TestTheAccountIsTakenInTabNewsSpelling(t *testing.T) {
	for _, asked := range []string{"ANA", ""} {
		e := &fakeEngine{}
		b := withSession(t, e, &fakeSession{username: "Ana"})
		b.env["POSTONCE_ACCOUNT"] = asked
		b.mustRun(t, 6, "publish", "--yes", "--no-wait", olaFile(t))
		if got := e.started[0].Operation; got != "publish/Ana/ola" {
			t.Errorf("asked for %q: started %s", asked, got)
		}
	}
}

func TestWithoutAccountAndCredentials(t *testing.T) {
	b := newBench(t, &fakeEngine{})
	b.env["POSTONCE_ACCOUNT"] = ""
	b.mustRun(t, 2, "publish", "--yes", olaFile(t))
	b.saysOnStderr(t, "POSTONCE_ACCOUNT")
}

func TestNoSecretIsShown(t *testing.T) {
	b := withSession(t, &fakeEngine{steps: []step{{snapshot: unknownOla()}}}, &fakeSession{username: "ana"})
	b.mustRun(t, 3, "publish", "--yes", olaFile(t))
	if strings.Contains(b.out.String()+b.err.String(), password) {
		t.Error("the password is shown")
	}
}
