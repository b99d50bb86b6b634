package devstack

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The emulator's first user, whose account the set serves.
const (
	account  = "autora"
	email    = account + "@example.com"
	password = "senha-" + account + "-123"
)

// Env is what a program needs to talk to the set: NAME=value pairs.
func (s *Stack) Env() []string {
	env := []string{
		"POSTONCE_ACCOUNT=" + s.Account(),
		"TEMPORAL_ADDRESS=" + address(s.temporal.grpc),
		"TEMPORAL_NAMESPACE=default",
		// an empty file, so that a profile of the person's own does not turn TLS or another namespace on
		"TEMPORAL_CONFIG_FILE=" + s.temporalConfig(),
		"TEMPORAL_UI_URL=" + s.UIURL(),
		"DATABASE_URL=" + s.postgres.URL(database),
		"TABNEWS_URL=" + s.TabNewsURL(),
	}
	if s.emulator != nil {
		env = append(env, "TABNEWS_EMAIL="+email, "TABNEWS_PASSWORD="+password)
	}
	return env
}

// Environ is the whole environment for a program that works with the set: the inherited one, without what would lead
// it elsewhere, then Env.
func (s *Stack) Environ() []string { return append(s.inherited(), s.Env()...) }

func (s *Stack) inherited() []string {
	return slices.DeleteFunc(slices.Clone(s.opts.Environ), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return s.leadsElsewhere(name)
	})
}

// leadsElsewhere names the settings of another server: a real session, say, would otherwise go to the emulator, or a
// Temporal API key turn on TLS.
func (s *Stack) leadsElsewhere(name string) bool {
	switch {
	case strings.HasPrefix(name, "TEMPORAL_"), name == "DATABASE_URL_FILE":
		return true
	case strings.HasPrefix(name, "TABNEWS_"):
		return s.emulator != nil
	default:
		return false
	}
}

// plainEnviron is for the parts that are not ours: no setting of a TEMPORAL_ variable reaches the server.
func plainEnviron(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(pair string) bool { return strings.HasPrefix(pair, "TEMPORAL_") })
}

// WriteEnv writes Env into a file that a shell can read with the dot command, and returns its path. It holds the
// passwords of the set, so only its owner may read it.
func (s *Stack) WriteEnv() (string, error) {
	var text strings.Builder
	for _, pair := range s.Env() {
		name, value, _ := strings.Cut(pair, "=")
		fmt.Fprintf(&text, "export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
	}
	path := filepath.Join(s.dir, "env")
	return path, os.WriteFile(path, []byte(text.String()), 0o600)
}

// Account is the TabNews user that the workers publish as.
func (s *Stack) Account() string { return s.account }
