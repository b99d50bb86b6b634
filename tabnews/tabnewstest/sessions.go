package tabnewstest

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"
)

const (
	sessionLife = 30 * 24 * time.Hour
	renewBelow  = 21 * 24 * time.Hour
)

// session is a login; its token is the cookie's value, 96 alphanumeric characters (TabNews API, sections 1 and 2).
type session struct {
	id, token, userID               string
	expiresAt, createdAt, updatedAt time.Time
}

func (s *session) fields() object {
	return object{
		{"id", s.id}, {"token", s.token}, {"expires_at", s.expiresAt},
		{"created_at", s.createdAt}, {"updated_at", s.updatedAt},
	}
}

// authenticate gives the user of the session cookie, or anonymous when there is none. A bearer token is ignored.
func (q *request) authenticate() (*user, *session, *refusal) {
	token := ""
	if c, err := q.Cookie("session_id"); err == nil {
		token = c.Value
	}
	switch {
	case token == "":
		return anonymous, nil, nil
	case len(token) != 96:
		return nil, nil, invalid("session_id", "string.length", `"session_id" deve possuir 96 caracteres.`)
	case !alphanumeric.MatchString(token):
		return nil, nil, notAlphanumeric("session_id")
	}
	return q.store.userOf(token)
}

// userOf gives copies of the user and session of a token.
func (st *store) userOf(token string) (*user, *session, *refusal) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, s := range st.sessions {
		if s.token != token || !s.expiresAt.After(st.now()) {
			continue
		}
		u, found := *st.userByID(s.userID), *s
		if u.has("nuked") {
			return nil, nil, noSession()
		}
		if !u.has("read:session") {
			return nil, nil, forbidden("MODEL:AUTHENTICATION:INJECT_AUTHENTICATED_USER:USER_CANT_READ_SESSION",
				"Você não possui permissão para executar esta ação.",
				`Verifique se este usuário já ativou a sua conta e recebeu a feature "read:session".`)
		}
		return &u, &found, nil
	}
	return nil, nil, noSession()
}

// openSession checks the login and makes a session; older ones stay valid.
func (st *store) openSession(email, password string) (*session, *refusal) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, u := range st.users {
		if !strings.EqualFold(u.email, email) || u.password != password || u.has("nuked") {
			continue
		}
		if !u.has("create:session") && u.has("read:activation_token") {
			return nil, forbidden("CONTROLLER:SESSIONS:POST_HANDLER:USER_NOT_ACTIVATED",
				"O seu usuário ainda não está ativado.",
				"Verifique seu email, pois acabamos de enviar um novo convite de ativação.")
		}
		if !u.has("create:session") {
			return nil, forbidden("CONTROLLER:SESSIONS:POST_HANDLER:CAN_NOT_CREATE_SESSION",
				"Você não possui permissão para fazer login.",
				`Verifique se este usuário possui a feature "create:session".`)
		}
		now := st.now()
		s := &session{
			id: newID(), token: newToken(), userID: u.id,
			expiresAt: now.Add(sessionLife), createdAt: now, updatedAt: now,
		}
		st.sessions = append(st.sessions, s)
		opened := *s
		return &opened, nil
	}
	return nil, unauthorized("CONTROLLER:SESSIONS:POST_HANDLER:DATA_MISMATCH", "Dados não conferem.",
		"Verifique se os dados enviados estão corretos.")
}

func newToken() string {
	b := make([]byte, 48)
	rand.Read(b) // never fails (crypto/rand)
	return hex.EncodeToString(b)
}

// renew gives a session its full life again when too little is left of it.
func (st *store) renew(id string) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, s := range st.sessions {
		if now := st.now(); s.id == id && s.expiresAt.Sub(now) < renewBelow {
			s.expiresAt, s.updatedAt = now.Add(sessionLife), now
			return true
		}
	}
	return false
}

// expire makes a session end one day before it began, which is how TabNews marks one that was closed.
func (st *store) expire(id string) *session {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, s := range st.sessions {
		if s.id == id {
			s.expiresAt, s.updatedAt = s.createdAt.Add(-24*time.Hour), st.now()
			ended := *s
			return &ended
		}
	}
	return &session{}
}
