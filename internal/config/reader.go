package config

import (
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// reader reads variables and collects what is wrong with them.
type reader struct {
	getenv   func(string) string
	problems []error
}

func (r *reader) refuse(format string, args ...any) {
	r.problems = append(r.problems, fmt.Errorf(format, args...))
}

func (r *reader) text(name, otherwise string) string {
	if v := strings.TrimSpace(r.getenv(name)); v != "" {
		return v
	}
	return otherwise
}

// secret reads NAME, or the file that NAME_FILE names, as container secrets are given.
func (r *reader) secret(name string) string {
	value, file := r.getenv(name), r.getenv(name+"_FILE")
	if file == "" {
		return value
	}
	if value != "" {
		r.refuse("%s_FILE: is set beside %s; set one of them", name, name)
		return value
	}
	content, err := os.ReadFile(file)
	if err != nil {
		r.refuse("%s_FILE: cannot be read (%v); check the path and its permissions", name, err)
		return ""
	}
	return strings.TrimRight(string(content), "\r\n")
}

func (r *reader) duration(name string, otherwise time.Duration) time.Duration {
	text := strings.TrimSpace(r.getenv(name))
	if text == "" {
		return otherwise
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		r.refuse("%s: %q is not a duration; write a number and a unit, such as 30s or 500ms", name, text)
		return otherwise
	}
	return d
}

// count reads a whole number from 1.
func (r *reader) count(name string, otherwise int) int {
	text := strings.TrimSpace(r.getenv(name))
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		r.refuse("%s: %q is not a whole number from 1 on; leave it unset for %d", name, text, otherwise)
		return otherwise
	}
	return n
}

func (r *reader) boolean(name string) bool {
	text := strings.TrimSpace(r.getenv(name))
	if text == "" {
		return false
	}
	b, err := strconv.ParseBool(text)
	if err != nil {
		r.refuse("%s: %q is neither true nor false; write one of them, or leave it unset", name, text)
	}
	return b
}

// checkProxies refuses a proxy that cannot be read: net/http ignores it silently and goes out directly, from another
// address than the lane's name says.
func (r *reader) checkProxies() {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		text := r.getenv(name)
		if text == "" {
			continue
		}
		if !strings.Contains(text, "://") {
			text = "http://" + text // as net/http reads it
		}
		if u, err := url.Parse(text); err != nil || u.Host == "" {
			r.refuse("%s: is not a proxy's address; write it as http://HOST:PORT, or unset it", name) // it may hold a password
		}
	}
}
