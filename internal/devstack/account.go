package devstack

import (
	"context"
	"fmt"
	"os"
	"strings"

	"postonce/tabnews"
)

// findAccount settles whom the workers publish as, before anything is started: the emulator's user, the one that
// POSTONCE_ACCOUNT names, or whoever the credentials log in at a real server.
func (s *Stack) findAccount(ctx context.Context) error {
	if s.opts.TabNewsURL == "" {
		s.account = account
		return nil
	}
	if s.account = lookup(s.opts.Environ, "POSTONCE_ACCOUNT"); s.account != "" {
		return nil
	}
	client, err := tabnews.New(tabnews.Config{
		BaseURL: s.opts.TabNewsURL, Version: "devstack",
		Email: s.secret("TABNEWS_EMAIL"), Password: s.secret("TABNEWS_PASSWORD"), Session: s.secret("TABNEWS_SESSION"),
	})
	if err != nil {
		return err
	}
	user, err := client.CheckSession(ctx)
	if err != nil {
		return fmt.Errorf("asking %s who logs in: %w", s.opts.TabNewsURL, err)
	}
	s.account = user.Username
	if err := client.Logout(ctx); err != nil {
		s.opts.say("the session that asked who logs in was not ended: %v", err)
	}
	return nil
}

// secret is a variable's value, or what the file that NAME_FILE names holds.
func (s *Stack) secret(name string) string {
	if value := lookup(s.opts.Environ, name); value != "" {
		return value
	}
	file := lookup(s.opts.Environ, name+"_FILE")
	if file == "" {
		return ""
	}
	content, _ := os.ReadFile(file) // what cannot be read is empty, and refused with the variable's name
	return strings.TrimRight(string(content), "\r\n")
}
