package tabnews

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestNewNamesTheSettingThatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		words  string
	}{
		"no address":          {func(c *Config) { c.BaseURL = "" }, "TABNEWS_URL: is missing"},
		"no scheme":           {func(c *Config) { c.BaseURL = "www.tabnews.com.br" }, "TABNEWS_URL: must be an http or https address"},
		"ftp":                 {func(c *Config) { c.BaseURL = "ftp://tabnews.com.br" }, "TABNEWS_URL: must be an http or https address"},
		"no address at all":   {func(c *Config) { c.BaseURL = "http://%zz" }, "TABNEWS_URL: must be an http"},
		"no host":             {func(c *Config) { c.BaseURL = "https://" }, "TABNEWS_URL: must be an http"},
		"a password in it":    {func(c *Config) { c.BaseURL = "https://u:" + testPassword[9:] + "@tabnews.com.br" }, "TABNEWS_URL: must not hold a user"},
		"a path":              {func(c *Config) { c.BaseURL = "https://tabnews.com.br/api/v1" }, "TABNEWS_URL: must be scheme and host alone"},
		"a query":             {func(c *Config) { c.BaseURL = "https://tabnews.com.br?x=1" }, "TABNEWS_URL: must be scheme and host alone"},
		"account":             {func(c *Config) { c.Account = "autora da silva" }, "POSTONCE_ACCOUNT: must be 3 to 30 letters and digits"},
		"session and more":    {func(c *Config) { c.Password = testPassword }, "TABNEWS_SESSION: is set beside TABNEWS_PASSWORD"},
		"short session":       {func(c *Config) { c.Session = testSession[:95] }, "TABNEWS_SESSION: must be 96 letters and digits"},
		"odd session":         {func(c *Config) { c.Session = testSession[:95] + "-" }, "it holds other characters"},
		"password alone":      {func(c *Config) { c.Session, c.Password = "", testPassword }, "TABNEWS_EMAIL: is missing"},
		"address alone":       {func(c *Config) { c.Session, c.Email = "", "autora@example.com" }, "TABNEWS_PASSWORD: is missing"},
		"time before nothing": {func(c *Config) { c.ReadTimeout = -time.Second }, "ReadTimeout: must not be negative"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{BaseURL: "https://www.tabnews.com.br", Account: "autora", Session: testSession}
			c.change(&cfg)
			_, err := New(cfg)
			if err == nil || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%v, want %q", err, c.words)
			}
			for _, secret := range []string{testSession[:12], testPassword, testPassword[9:]} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("a secret is in %q", err)
				}
			}
		})
	}
	_, err := New(Config{BaseURL: "https://www.tabnews.com.br", Session: "x"})
	var problem *SessionError
	if !errors.As(err, &problem) || problem.Problem != SessionMalformed || problem.Unwrap() != nil {
		t.Errorf("%v", err)
	}
}

func TestNewWithoutCredentialsReadsOnly(t *testing.T) {
	c, err := New(Config{BaseURL: "https://www.tabnews.com.br/"})
	if err != nil || c.Account() != "" || c.userAgent() != "postonce" || c.url(nil, "contents", "a b", "x").String() != "https://www.tabnews.com.br/api/v1/contents/a%20b/x" {
		t.Errorf("%v, %q", err, c.url(nil, "contents", "a b", "x"))
	}
}
