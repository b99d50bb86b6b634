package tabnewstest_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"postonce/tabnews/tabnewstest"
)

const noStore = "no-cache, no-store, max-age=0, must-revalidate"

func TestSessionFromLoginToLogout(t *testing.T) {
	s := start(t)
	c := anonymous(t, s)
	r := c.do("POST", "/api/v1/sessions", object{"email": "AUTORA@example.com ", "password": " senha-autora-123 "})
	want(t, r, 201, nil)
	if got := fieldOrder(t, r.raw); got != "id token expires_at created_at updated_at" {
		t.Errorf("fields are %s", got)
	}
	token := r.text("token")
	if !regexp.MustCompile(`^[a-zA-Z0-9]{96}$`).MatchString(token) {
		t.Errorf("token is %q", token)
	}
	if got := r.header.Get("Set-Cookie"); got != "session_id="+token+"; Max-Age=2592000; Path=/; HttpOnly; Secure" {
		t.Errorf("Set-Cookie is %q", got)
	}
	if got := r.header.Get("Cache-Control"); got != noStore {
		t.Errorf("Cache-Control is %q", got)
	}
	c.token = token
	other := login(t, s, "autora")
	user := c.do("GET", "/api/v1/user", nil)
	want(t, user, 200, object{"username": "autora", "email": "autora@example.com", "tabcoins": 0,
		"features": "[create:session read:session create:content create:content:text_root create:content:text_child " +
			"update:content update:user]"})
	if user.header.Get("Set-Cookie") != "" {
		t.Error("a fresh session was renewed")
	}
	out := c.do("DELETE", "/api/v1/sessions", nil)
	want(t, out, 200, nil)
	if got := fieldOrder(t, out.raw); got != "id expires_at created_at updated_at" {
		t.Errorf("fields are %s", got)
	}
	if out.text("expires_at") >= out.text("created_at") {
		t.Errorf("expires %s, created %s", out.text("expires_at"), out.text("created_at"))
	}
	gone := c.do("DELETE", "/api/v1/sessions", nil)
	want(t, gone, 401, nil)
	if !strings.HasPrefix(gone.header.Get("Set-Cookie"), "session_id=invalid; Max-Age=-1") {
		t.Errorf("Set-Cookie is %q", gone.header.Get("Set-Cookie"))
	}
	want(t, other.do("GET", "/api/v1/user", nil), 200, nil)
	want(t, anonymous(t, s).do("GET", "/api/v1/user", nil), 403, object{"error_location_code": "MODEL:AUTHORIZATION:CAN_REQUEST:FEATURE_NOT_FOUND"})
	want(t, anonymous(t, s).do("DELETE", "/api/v1/sessions", nil), 403, nil)
}

func TestLoginIsRefused(t *testing.T) {
	s := start(t)
	c := anonymous(t, s)
	mismatch := object{"name": "UnauthorizedError", "message": "Dados não conferem.",
		"error_location_code": "CONTROLLER:SESSIONS:POST_HANDLER:DATA_MISMATCH"}
	for _, row := range []struct {
		body   object
		status int
		want   object
	}{
		{object{"email": "autora@example.com", "password": "errada-123"}, 401, mismatch},
		{object{"email": "ninguem@example.com", "password": "senha-autora-123"}, 401, mismatch},
		{object{"password": "senha-autora-123"}, 400, object{"key": "email", "type": "any.required"}},
		{object{"email": "autora", "password": "senha-autora-123"}, 400, object{"key": "email", "type": "string.email"}},
		{object{"email": "autora@example.com"}, 400, object{"key": "password", "type": "any.required"}},
		{object{"email": "autora@example.com", "password": "curta"}, 400, object{"key": "password", "type": "string.min"}},
		{object{"email": "autora@example.com", "password": strings.Repeat("a", 73)}, 400, object{"key": "password", "type": "string.max"}},
	} {
		want(t, c.do("POST", "/api/v1/sessions", row.body), row.status, row.want)
	}
	right := object{"email": "autora@example.com", "password": "senha-autora-123"}
	for _, row := range []struct {
		features string
		status   int
		message  string
	}{
		{"read:activation_token", 403, "O seu usuário ainda não está ativado."},
		{"read:session", 403, "Você não possui permissão para fazer login."},
		{"nuked", 401, "Dados não conferem."},
	} {
		want(t, control(t, s, "users", object{"username": "autora", "features": []string{row.features}}), 200, nil)
		want(t, c.do("POST", "/api/v1/sessions", right), row.status, object{"message": row.message})
	}
}

func TestSessionIsRenewedByUserAlone(t *testing.T) {
	clock := newClock()
	s := start(t, tabnewstest.WithClock(clock.Now))
	c := login(t, s, "autora")
	clock.pass(9*24*time.Hour - time.Minute)
	if c.do("GET", "/api/v1/user", nil).header.Get("Set-Cookie") != "" {
		t.Error("renewed with 21 days left")
	}
	clock.pass(2 * time.Minute)
	if c.create(article("um", "draft")).header.Get("Set-Cookie") != "" {
		t.Error("a creation renewed the session")
	}
	if got := c.do("GET", "/api/v1/user", nil).header.Get("Set-Cookie"); !strings.HasPrefix(got, "session_id="+c.token) {
		t.Errorf("Set-Cookie is %q, want the same token", got)
	}
	clock.pass(29 * 24 * time.Hour)
	want(t, c.do("GET", "/api/v1/user", nil), 200, nil)
	clock.pass(30*24*time.Hour + time.Second)
	want(t, c.do("GET", "/api/v1/user", nil), 401, nil)
}

func TestSessionsAreEndedByControl(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	want(t, control(t, s, "users", object{"username": "autora", "expire_sessions": true}), 200, nil)
	want(t, c.do("POST", "/api/v1/contents", article("um", "draft")), 401, nil)
}

func TestFeaturesAreNeeded(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	id := c.create(article("um", "published")).text("id")
	for _, row := range []struct {
		features []string
		method   string
		path     string
		body     object
		code     string
	}{
		{nil, "POST", "/api/v1/contents", article("dois", "draft"), "MODEL:AUTHENTICATION:INJECT_AUTHENTICATED_USER:USER_CANT_READ_SESSION"},
		{[]string{"read:session"}, "POST", "/api/v1/contents", article("dois", "draft"), "MODEL:AUTHORIZATION:CAN_REQUEST:FEATURE_NOT_FOUND"},
		{[]string{"read:session", "create:content"}, "POST", "/api/v1/contents", article("dois", "draft"), "CONTROLLER:CONTENT:POST_HANDLER:CREATE:CONTENT:TEXT_ROOT:FEATURE_NOT_FOUND"},
		{[]string{"read:session", "create:content"}, "POST", "/api/v1/contents", comment(id, "dois"), "CONTROLLER:CONTENT:POST_HANDLER:CREATE:CONTENT:TEXT_CHILD:FEATURE_NOT_FOUND"},
		{[]string{"read:session"}, "PATCH", "/api/v1/contents/autora/um", object{"title": "x"}, "MODEL:AUTHORIZATION:CAN_REQUEST:FEATURE_NOT_FOUND"},
		{[]string{"read:session", "update:content"}, "PATCH", "/api/v1/contents/autora/um", object{"status": "deleted"}, "CONTROLLER:CONTENT:PATCH_HANDLER:CREATE:CONTENT:TEXT_ROOT:FEATURE_NOT_FOUND"},
	} {
		features := row.features
		if features == nil {
			features = []string{}
		}
		want(t, control(t, s, "users", object{"username": "autora", "features": features}), 200, nil)
		want(t, c.do(row.method, row.path, row.body), 403, object{"name": "ForbiddenError", "error_location_code": row.code})
	}
}
