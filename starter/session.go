package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"postonce/tabnews"
)

// session is what the commands need of TabNews: whether the credentials are good, and whose they are.
type session interface {
	CheckSession(context.Context) (tabnews.User, error)
	Logout(context.Context) error
}

// credentials are those of the environment. They are passed on to TabNews alone, and never shown.
type credentials struct{ url, email, password, session string }

func (a *app) credentials() (credentials, bool) {
	c := credentials{
		url: a.getenv("TABNEWS_URL"), email: a.getenv("TABNEWS_EMAIL"),
		password: a.getenv("TABNEWS_PASSWORD"), session: a.getenv("TABNEWS_SESSION"),
	}
	return c, c.url != "" && (c.session != "" || c.email != "" || c.password != "")
}

func openTabNews(c credentials) (session, error) {
	return tabnews.New(tabnews.Config{BaseURL: c.url, Email: c.email, Password: c.password, Session: c.session, Version: versionName()})
}

// logoutTimeout bounds the logout: a session left behind ends by itself.
const logoutTimeout = 5 * time.Second

// accountFor gives the account to publish as, in TabNews' own spelling where the credentials of the environment can
// tell it. It finds a wrong password, an expired session and somebody else's account before anything is started.
func (a *app) accountFor(ctx context.Context, flag string) (string, error) {
	asked, err := a.askedAccount(flag)
	if err != nil {
		return "", err
	}
	c, given := a.credentials()
	if !given {
		if asked == "" {
			return "", errNoAccount
		}
		return asked, nil
	}
	found, err := a.whoami(ctx, c)
	switch {
	case err != nil:
		return "", err
	case asked != "" && !strings.EqualFold(asked, found):
		return "", failed(fmt.Errorf("account: the credentials are those of %s, not of %s; nothing was started; set POSTONCE_ACCOUNT=%s, or log in as %s (TABNEWS_EMAIL and TABNEWS_PASSWORD, or TABNEWS_SESSION)",
			found, asked, found, asked))
	}
	return found, nil
}

// whoami checks the session and ends it again if it was opened here.
func (a *app) whoami(ctx context.Context, c credentials) (string, error) {
	s, err := a.openSession(c)
	if err != nil {
		return "", failed(err)
	}
	user, err := s.CheckSession(ctx)
	out, cancel := context.WithTimeout(context.WithoutCancel(ctx), logoutTimeout)
	defer cancel()
	_ = s.Logout(out) // nothing hangs on it; a session that was given is left alone
	if err != nil {
		return "", sessionFailure(c, err)
	}
	return user.Username, nil
}

// sessionFailure tells what a person must mend from a TabNews that could not be asked. The address may hold a secret
// only by mistake, and tabnews.New refuses it then.
func sessionFailure(c credentials, err error) error {
	var problem *tabnews.SessionError
	if errors.As(err, &problem) {
		return failedTo("session", err)
	}
	return failed(fmt.Errorf("session: could not be checked at %s: %w; check TABNEWS_URL", c.url, err))
}
