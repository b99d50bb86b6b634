package tabnews

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"postonce/publication"
)

// CheckSession makes sure that the client can speak as its account: it logs in when there is no session yet, reads
// GET /api/v1/user, and compares. A session that expired is replaced by one new login where a password is configured.
// It may be repeated; TabNews renews a session on this route and on no other (TabNews API, "Sessions and user").
//
// A SessionError says that a person must act; every other error says that the session could not be judged now.
func (c *Client) CheckSession(ctx context.Context) (User, error) {
	c.login.Lock()
	defer c.login.Unlock()
	fresh, err := c.ensureSession(ctx)
	if err != nil {
		return User{}, err
	}
	user, err := c.readUser(ctx)
	if expired(err) && !fresh && c.cfg.Password != "" {
		if err := c.logIn(ctx); err != nil {
			return User{}, err
		}
		user, err = c.readUser(ctx)
	}
	if err != nil {
		return User{}, err
	}
	return user, c.settleAccount(user)
}

// ensureSession logs in where no session is known, and tells whether it did.
func (c *Client) ensureSession(ctx context.Context) (fresh bool, err error) {
	if session, _ := c.identity(); session != "" {
		return false, nil
	}
	if c.cfg.Password == "" {
		return false, &SessionError{Problem: SessionAbsent, Account: c.cfg.Account}
	}
	return true, c.logIn(ctx)
}

// settleAccount takes the stored spelling of the user name, or refuses another's session.
func (c *Client) settleAccount(user User) error {
	if c.cfg.Account != "" && !strings.EqualFold(user.Username, c.cfg.Account) {
		return &SessionError{
			Problem: SessionOtherAccount, Account: c.cfg.Account, Found: user.Username,
			Detail: "it is " + user.Username + "'s, not " + c.cfg.Account + "'s",
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.account = user.Username
	return nil
}

// logIn opens a session (TabNews API, POST /api/v1/sessions).
func (c *Client) logIn(ctx context.Context) error {
	body, err := json.Marshal(map[string]string{"email": c.cfg.Email, "password": c.cfg.Password})
	if err != nil {
		return err
	}
	answer, err := c.call(ctx, call{op: "logging in", method: http.MethodPost, url: c.url(url.Values{}, "sessions"), body: body, want: http.StatusCreated})
	if err != nil {
		return c.sessionProblem(err)
	}
	var opened struct {
		Token string `json:"token"`
	}
	if err := answer.decode(&opened); err != nil {
		return err
	}
	if !sessionPattern.MatchString(opened.Token) {
		return answer.unusable("its token is no session")
	}
	c.secrets.add(opened.Token)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session, c.opened = opened.Token, true
	return nil
}

func (c *Client) readUser(ctx context.Context) (User, error) {
	session, _ := c.identity()
	answer, err := c.call(ctx, call{op: "reading the session's user", method: http.MethodGet, url: c.url(url.Values{}, "user"), session: session, want: http.StatusOK})
	if err != nil {
		return User{}, c.sessionProblem(err)
	}
	var user User
	if err := answer.decode(&user); err != nil {
		return User{}, err
	}
	if !usernamePattern.MatchString(user.Username) || !uuidPattern.MatchString(user.ID) {
		return User{}, answer.unusable("it names no user")
	}
	return user, nil
}

// Logout ends the session that this client opened (TabNews API, DELETE /api/v1/sessions). A session that was given is
// left alone, and one that TabNews does not know any more is forgotten without an error.
func (c *Client) Logout(ctx context.Context) error {
	c.login.Lock()
	defer c.login.Unlock()
	session, _ := c.identity()
	if session == "" || !c.opened {
		return nil
	}
	_, err := c.call(ctx, call{op: "logging out", method: http.MethodDelete, url: c.url(url.Values{}, "sessions"), session: session, want: http.StatusOK})
	if err := c.sessionProblem(err); err != nil && !expired(err) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session, c.opened = "", false
	return nil
}

func expired(err error) bool {
	var s *SessionError
	return errors.As(err, &s) && s.Problem == SessionExpired
}

// sessionProblems are TabNews' own words about sessions and logins, by error_location_code.
var sessionProblems = map[string]SessionProblem{
	"CONTROLLER:SESSIONS:POST_HANDLER:DATA_MISMATCH":                        SessionWrongPassword,
	"CONTROLLER:SESSIONS:POST_HANDLER:USER_NOT_ACTIVATED":                   SessionNotActivated,
	"CONTROLLER:SESSIONS:POST_HANDLER:CAN_NOT_CREATE_SESSION":               SessionNotPermitted,
	"MODEL:AUTHENTICATION:INJECT_AUTHENTICATED_USER:USER_CANT_READ_SESSION": SessionNotPermitted,
	"MODEL:AUTHORIZATION:CAN_REQUEST:FEATURE_NOT_FOUND":                     SessionNotPermitted,
}

// sessionProblem turns TabNews' own refusals into a SessionError; whatever TabNews did not say itself stays what it is.
func (c *Client) sessionProblem(err error) error {
	var api *publication.APIError
	if !errors.As(err, &api) {
		return err
	}
	problem, known := sessionProblems[api.ErrorLocationCode]
	switch {
	case known:
	case api.StatusCode == http.StatusUnauthorized:
		problem = SessionExpired
	case api.StatusCode == http.StatusBadRequest && api.Key == "session_id":
		problem = SessionMalformed
	case api.StatusCode == http.StatusBadRequest && (api.Key == "email" || api.Key == "password"):
		problem = SessionWrongPassword
	default:
		return err
	}
	return &SessionError{Problem: problem, Account: c.cfg.Account, Detail: api.Message, API: api}
}
