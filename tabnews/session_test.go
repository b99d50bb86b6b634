package tabnews

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"postonce/publication"
)

const userJSON = `{"id":"7b4b3c1e-8d0f-4d52-9a0e-5f3f6d7c8b9a","username":"AutorA","email":"x","features":["create:content"],"tabcoins":3,"tabcash":1}`

// accounts is a TabNews that knows sessions only. Logins hand out sessions in order; those in ended are refused.
type accounts struct {
	mu     sync.Mutex
	issued []string
	ended  map[string]bool
	login  func(w http.ResponseWriter) bool // answers a login itself, when it is set and says so
	user   func(w http.ResponseWriter) bool // likewise GET /user
}

func (a *accounts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	session := strings.TrimPrefix(r.Header.Get("Cookie"), "session_id=")
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	switch r.Method + " " + r.URL.Path {
	case "POST /api/v1/sessions":
		if a.login != nil && a.login(w) {
			return
		}
		a.issued = append(a.issued, strings.Repeat(string(rune('a'+len(a.issued))), 96))
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, `{"id":"`+testID+`","token":"`+a.issued[len(a.issued)-1]+`"}`)
	case "GET /api/v1/user":
		switch {
		case a.user != nil && a.user(w):
		case a.ended[session]:
			w.Header().Set("Set-Cookie", "session_id=invalid; Max-Age=-1")
			w.WriteHeader(http.StatusUnauthorized)
			w.Write(apiErrorJSON(401, "UnauthorizedError", "Usuário não possui sessão ativa."))
		default:
			io.WriteString(w, userJSON)
		}
	case "DELETE /api/v1/sessions":
		if a.ended[session] {
			w.WriteHeader(http.StatusUnauthorized)
			w.Write(apiErrorJSON(401, "UnauthorizedError", "Usuário não possui sessão ativa."))
			return
		}
		a.ended[session] = true
		io.WriteString(w, `{}`)
	}
}

func newAccounts(t *testing.T) (*accounts, string, *arrivals) {
	a := &accounts{ended: map[string]bool{}}
	base, seen := serve(t, a.ServeHTTP)
	return a, base, seen
}

func byPassword(cfg *Config) {
	cfg.Session, cfg.Email, cfg.Password = "", "autora@example.com", testPassword
}

func TestCheckSessionWithAGivenSessionTakesTheStoredSpelling(t *testing.T) {
	_, base, seen := newAccounts(t)
	c := newTestClient(t, base)
	if c.Account() != "autora" {
		t.Errorf("account %q before", c.Account())
	}
	user, err := c.CheckSession(t.Context())
	if err != nil || user.Username != "AutorA" || user.TabCoins != 3 || c.Account() != "AutorA" {
		t.Errorf("%+v, %v, account %q", user, err, c.Account())
	}
	if err := c.Logout(t.Context()); err != nil {
		t.Error(err)
	}
	seen.mustBe(t, 1) // a session that was given is not ended
}

func TestCheckSessionLogsInOnceAndAgainWhenTheSessionExpired(t *testing.T) {
	a, base, _ := newAccounts(t)
	c := newTestClient(t, base, byPassword)
	for range 3 {
		if _, err := c.CheckSession(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.issued) != 1 {
		t.Errorf("%d logins", len(a.issued))
	}
	a.ended[a.issued[0]] = true
	if _, err := c.CheckSession(t.Context()); err != nil || len(a.issued) != 2 {
		t.Errorf("%v, %d logins", err, len(a.issued))
	}
	if session, _ := c.identity(); session != a.issued[1] {
		t.Error("the new session is not used")
	}
}

func TestCheckSessionOfManyLogsInOnce(t *testing.T) {
	a, base, _ := newAccounts(t)
	c := newTestClient(t, base, byPassword)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := c.CheckSession(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(a.issued) != 1 {
		t.Errorf("%d logins", len(a.issued))
	}
}

func TestCheckSessionGivesUpAfterOneNewLogin(t *testing.T) {
	a, base, _ := newAccounts(t)
	a.user = func(w http.ResponseWriter) bool {
		w.WriteHeader(http.StatusUnauthorized)
		w.Write(apiErrorJSON(401, "UnauthorizedError", "Usuário não possui sessão ativa."))
		return true
	}
	c := newTestClient(t, base, byPassword)
	if _, err := c.CheckSession(t.Context()); !expired(err) || len(a.issued) != 1 {
		t.Errorf("a new session that is refused: %v, %d logins", err, len(a.issued))
	}
	if _, err := c.CheckSession(t.Context()); !expired(err) || len(a.issued) != 2 {
		t.Errorf("an old one: %v, %d logins", err, len(a.issued))
	}
	a.login = refuse(403, "ForbiddenError", "O seu usuário ainda não está ativado.", "error_location_code", "CONTROLLER:SESSIONS:POST_HANDLER:USER_NOT_ACTIVATED")
	var problem *SessionError
	if _, err := c.CheckSession(t.Context()); !errors.As(err, &problem) || problem.Problem != SessionNotActivated {
		t.Errorf("a login that fails: %v", err)
	}
}

func refuse(status int, name, message string, fields ...string) func(http.ResponseWriter) bool {
	return func(w http.ResponseWriter) bool {
		w.WriteHeader(status)
		w.Write(apiErrorJSON(status, name, message, fields...))
		return true
	}
}

func TestSessionProblemsAreToldApart(t *testing.T) {
	const login, none = "login", ""
	for name, c := range map[string]struct {
		on     string
		answer func(http.ResponseWriter) bool
		change func(*Config)
		want   SessionProblem
		words  string
	}{
		"absent":         {none, nil, func(c *Config) { c.Session = "" }, SessionAbsent, "set TABNEWS_EMAIL and TABNEWS_PASSWORD"},
		"expired":        {"user", refuse(401, "UnauthorizedError", "Usuário não possui sessão ativa."), nil, SessionExpired, "log in again"},
		"malformed":      {"user", refuse(400, "ValidationError", `"session_id" deve possuir 96 caracteres.`, "error_location_code", "MODEL:VALIDATOR:FINAL_SCHEMA", "key", "session_id", "type", "string.length"), nil, SessionMalformed, "copy the value of the cookie session_id"},
		"other account":  {none, nil, func(c *Config) { c.Account = "leitor" }, SessionOtherAccount, "it is AutorA's, not leitor's"},
		"may not":        {"user", refuse(403, "ForbiddenError", "Você não possui permissão para executar esta ação.", "error_location_code", "MODEL:AUTHENTICATION:INJECT_AUTHENTICATED_USER:USER_CANT_READ_SESSION"), nil, SessionNotPermitted, "ask TabNews' support"},
		"wrong password": {login, refuse(401, "UnauthorizedError", "Dados não conferem.", "error_location_code", "CONTROLLER:SESSIONS:POST_HANDLER:DATA_MISMATCH"), byPassword, SessionWrongPassword, "check TABNEWS_EMAIL and TABNEWS_PASSWORD"},
		"short password": {login, refuse(400, "ValidationError", `"password" deve conter no mínimo 8 caracteres.`, "error_location_code", "MODEL:VALIDATOR:FINAL_SCHEMA", "key", "password", "type", "string.min"), byPassword, SessionWrongPassword, "mínimo 8"},
		"not activated":  {login, refuse(403, "ForbiddenError", "O seu usuário ainda não está ativado.", "error_location_code", "CONTROLLER:SESSIONS:POST_HANDLER:USER_NOT_ACTIVATED"), byPassword, SessionNotActivated, "follow the link"},
		"may not log in": {login, refuse(403, "ForbiddenError", "Você não possui permissão para fazer login.", "error_location_code", "CONTROLLER:SESSIONS:POST_HANDLER:CAN_NOT_CREATE_SESSION"), byPassword, SessionNotPermitted, "ask TabNews' support"},
	} {
		t.Run(name, func(t *testing.T) {
			a, base, _ := newAccounts(t)
			a.login, a.user = map[bool]func(http.ResponseWriter) bool{true: c.answer}[c.on == login], map[bool]func(http.ResponseWriter) bool{true: c.answer}[c.on == "user"]
			change := c.change
			if change == nil {
				change = func(*Config) {}
			}
			client := newTestClient(t, base, change)
			_, err := client.CheckSession(t.Context())
			var problem *SessionError
			if !errors.As(err, &problem) || problem.Problem != c.want || !strings.Contains(err.Error(), c.words) {
				t.Fatalf("%v, want %s with %q", err, c.want, c.words)
			}
			var api *publication.APIError
			if errors.As(err, &api) != (c.answer != nil) {
				t.Errorf("TabNews' own words: %v", api)
			}
			mustHoldNoSecret(t, client, err)
		})
	}
}

// TestAnEdgeIsNotTakenForALostSession has Cloudflare answer in TabNews' place: a person must not be told to log in.
func TestAnEdgeIsNotTakenForALostSession(t *testing.T) {
	for _, status := range []int{401, 403, 429, 502, 520} {
		base, seen := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Cf-Ray", "8c1-GRU")
			w.Header().Set("X-Vercel-Id", "gru1::x")
			w.Header().Set("Server", "cloudflare")
			w.WriteHeader(status)
			io.WriteString(w, "<html>Attention Required! "+r.Header.Get("Cookie"))
		})
		c := newTestClient(t, base)
		_, err := c.CheckSession(t.Context())
		var edge *EdgeError
		var session *SessionError
		if !errors.As(err, &edge) || errors.As(err, &session) || edge.Status != status || edge.CFRay != "8c1-GRU" || edge.VercelID != "gru1::x" {
			t.Errorf("%d: %v", status, err)
		}
		if !strings.Contains(err.Error(), "cf-ray 8c1-GRU") || edge.Body != "<html>Attention Required! session_id="+redacted {
			t.Errorf("%d: %v, body %q", status, err, edge.Body)
		}
		seen.mustBe(t, 1)
	}
}

func TestCheckSessionTakesNoForeignSuccess(t *testing.T) {
	for name, c := range map[string]struct{ login, user string }{
		"login HTML":     {"<html>", ""},
		"login no token": {`{"id":"x"}`, ""},
		"login invalid":  {`{"token":"invalid"}`, ""},
		"user HTML":      {"", "<html>"},
		"user nobody":    {"", `{"id":"x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			a, base, _ := newAccounts(t)
			a.login = func(w http.ResponseWriter) bool {
				if c.login != "" {
					w.WriteHeader(http.StatusCreated)
					io.WriteString(w, c.login)
				}
				return c.login != ""
			}
			a.user = func(w http.ResponseWriter) bool { io.WriteString(w, c.user); return c.user != "" }
			client := newTestClient(t, base, byPassword)
			var answer *AnswerError
			if _, err := client.CheckSession(t.Context()); !errors.As(err, &answer) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestLogoutEndsTheSessionThatTheClientOpened(t *testing.T) {
	a, base, _ := newAccounts(t)
	c := newTestClient(t, base, byPassword)
	if err := c.Logout(t.Context()); err != nil {
		t.Errorf("before any login: %v", err)
	}
	for range 2 { // the second time TabNews has ended the session by itself
		if _, err := c.CheckSession(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.Logout(t.Context()); err != nil {
			t.Error(err)
		}
		if session, _ := c.identity(); session != "" || !a.ended[a.issued[len(a.issued)-1]] {
			t.Errorf("session %q remains", session)
		}
		a.ended[strings.Repeat("b", 96)] = true
		a.user = func(w http.ResponseWriter) bool { io.WriteString(w, userJSON); return true }
	}
}

func TestLogoutThatFailsCanBeRepeated(t *testing.T) {
	status := http.StatusBadGateway
	a, _, _ := newAccounts(t)
	base, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete && status != 0 {
			w.WriteHeader(status)
			return
		}
		a.ServeHTTP(w, r)
	})
	c := newTestClient(t, base, byPassword)
	if _, err := c.CheckSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	var edge *EdgeError
	if err := c.Logout(t.Context()); !errors.As(err, &edge) {
		t.Errorf("%v", err)
	}
	status = 0
	if err := c.Logout(t.Context()); err != nil || !a.ended[a.issued[0]] {
		t.Errorf("%v", err)
	}
}
