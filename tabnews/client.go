package tabnews

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"sync"
	"time"
)

// Config says which TabNews is spoken to, and as whom. Give Email and Password, or Session, or neither for a client
// that only reads public contents.
type Config struct {
	BaseURL  string // scheme and host, such as https://www.tabnews.com.br
	Account  string // the user name that the session must belong to, in any case; empty: whoever logs in
	Email    string
	Password string
	Session  string // the value of the cookie session_id: 96 letters and digits
	Version  string // for the user agent, postonce/VERSION

	// The phases' limits. Zero means the default. ConnectTimeout and TLSTimeout are 10 s by default. The other three
	// are 10 s, 30 s and 30 s for reads; a write, where giving up early only loses the answer, waits until its sendBy
	// unless they are set.
	ConnectTimeout   time.Duration // name lookup and TCP connection, for a proxy too
	TLSTimeout       time.Duration // TLS handshake
	WriteTimeout     time.Duration // from the request's first byte to its last
	FirstByteTimeout time.Duration // from the request's last byte to the answer's headers
	ReadTimeout      time.Duration // from the answer's headers to the end of its body
}

// Client speaks to one TabNews as one user. It may be used by any number of goroutines.
type Client struct {
	cfg     Config
	base    *url.URL
	limits  limits
	secrets *redactor
	reader  *http.Client
	tls     *tls.Config                           // nil: the machine's own roots
	proxy   func(*http.Request) (*url.URL, error) // the environment's
	now     func() time.Time                      // the wall clock
	login   sync.Mutex                            // one login at a time; held around checks of the session

	mu      sync.Mutex // guards what follows
	session string
	opened  bool   // this client logged in, so it may log out
	account string // stored spelling once known, else as configured
}

var (
	sessionPattern  = regexp.MustCompile(`^[A-Za-z0-9]{96}$`)   // TabNews API, "Authentication"
	usernamePattern = regexp.MustCompile(`^[A-Za-z0-9]{3,30}$`) // TabNews API, "Usernames"
)

// New makes a client and sends nothing. An error names the setting that is wrong by the variable that a worker reads it
// from (TABNEWS_URL and so on), the rule and the way out, and holds no secret. A session of the wrong form is a
// SessionError.
func New(cfg Config) (*Client, error) {
	base, err := parseBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := cfg.checkAccount(); err != nil {
		return nil, err
	}
	if err := cfg.checkCredentials(); err != nil {
		return nil, err
	}
	limits, err := cfg.limits()
	if err != nil {
		return nil, err
	}
	c := &Client{
		cfg: cfg, base: base, limits: limits, secrets: newRedactor(cfg.Password, cfg.Session),
		proxy: http.ProxyFromEnvironment, now: time.Now, session: cfg.Session, account: cfg.Account,
	}
	c.reader = c.newReader()
	return c, nil
}

// Account is the user name that the client acts for: in TabNews' stored spelling once CheckSession succeeded, before
// that as configured, which may be empty.
func (c *Client) Account() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.account
}

// parseBase takes scheme and host. The address is not repeated in errors, for it may hold a password.
func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case s == "":
		return nil, errors.New("TABNEWS_URL: is missing; give https://www.tabnews.com.br")
	case err != nil, u.Scheme != "https" && u.Scheme != "http", u.Hostname() == "":
		return nil, errors.New("TABNEWS_URL: must be an http or https address; give https://www.tabnews.com.br")
	case u.User != nil:
		return nil, errors.New("TABNEWS_URL: must not hold a user or password; give TABNEWS_EMAIL and TABNEWS_PASSWORD")
	case u.Path != "" && u.Path != "/", u.RawQuery != "", u.Fragment != "":
		return nil, errors.New("TABNEWS_URL: must be scheme and host alone; give https://www.tabnews.com.br")
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host}, nil
}

func (cfg Config) checkAccount() error {
	if cfg.Account == "" || usernamePattern.MatchString(cfg.Account) {
		return nil
	}
	return fmt.Errorf("POSTONCE_ACCOUNT: must be 3 to 30 letters and digits, not %q; give the user name as in the profile's address", cfg.Account)
}

func (cfg Config) checkCredentials() error {
	switch {
	case cfg.Session != "" && cfg.Password != "":
		return errors.New("TABNEWS_SESSION: is set beside TABNEWS_PASSWORD; give one of the two")
	case cfg.Session != "" && !sessionPattern.MatchString(cfg.Session):
		return malformedSession(cfg.Session)
	case cfg.Email == "" && cfg.Password != "":
		return errors.New("TABNEWS_EMAIL: is missing beside TABNEWS_PASSWORD; give the e-mail address of the account")
	case cfg.Email != "" && cfg.Password == "" && cfg.Session == "":
		return errors.New("TABNEWS_PASSWORD: is missing beside TABNEWS_EMAIL; give the account's password, or TABNEWS_SESSION instead")
	}
	return nil
}

// url is the address of an API path; elements go into it escaped.
func (c *Client) url(query url.Values, elements ...string) *url.URL {
	u := *c.base
	u.Path, u.RawPath = "/api/v1", "/api/v1"
	for _, e := range elements {
		u.Path += "/" + e
		u.RawPath += "/" + url.PathEscape(e)
	}
	u.RawQuery = query.Encode()
	return &u
}

func (c *Client) userAgent() string {
	if c.cfg.Version == "" {
		return "postonce"
	}
	return "postonce/" + c.cfg.Version
}
