package tabnewstest

import "net/http"

// login is POST sessions.
func (q *request) login() (*answer, *refusal) {
	u, _, ref := q.authenticate()
	if ref != nil {
		return nil, ref
	}
	if ref := u.require("create:session"); ref != nil {
		return nil, ref
	}
	in, ref := loginSchema.validate(q.body)
	if ref != nil {
		return nil, ref
	}
	s, ref := q.store.openSession(in.text("email"), in.text("password"))
	if ref != nil {
		return nil, ref
	}
	a := jsonAnswer(http.StatusCreated, s.fields())
	a.header.Set("Set-Cookie", sessionCookie(s.token))
	return a, nil
}

// whoami is GET user, the one route that renews a session: when under 21 days remain, with the same token.
func (q *request) whoami() (*answer, *refusal) {
	u, s, ref := q.authenticate()
	if ref != nil {
		return nil, ref
	}
	if ref := u.require("read:session"); ref != nil {
		return nil, ref
	}
	a := jsonAnswer(http.StatusOK, u.fields())
	if s != nil && q.store.renew(s.id) {
		a.header.Set("Set-Cookie", sessionCookie(s.token))
	}
	return a, nil
}

// logout is DELETE sessions.
func (q *request) logout() (*answer, *refusal) {
	u, s, ref := q.authenticate()
	if ref != nil {
		return nil, ref
	}
	if ref := u.require("read:session"); ref != nil {
		return nil, ref
	}
	a := jsonAnswer(http.StatusOK, q.store.expire(s.id).fields().without("token"))
	a.header.Set("Set-Cookie", clearedCookie)
	return a, nil
}

// clearedCookie goes with every 401.
const clearedCookie = "session_id=invalid; Max-Age=-1; Path=/; HttpOnly; Secure"

func sessionCookie(token string) string {
	return "session_id=" + token + "; Max-Age=2592000; Path=/; HttpOnly; Secure"
}
