package devstack

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// Options say what to start. The zero value starts everything but workers, on free ports, with fresh state.
type Options struct {
	// Dir keeps Temporal's database file and the Postgres cluster for the next start; the emulator starts empty all
	// the same. Empty: a temporary folder, removed at the end.
	Dir string
	// Workers is how many workers are started at once.
	Workers int
	// TabNewsURL is a TabNews server to use instead of the emulator, with the credentials of Environ.
	TabNewsURL string
	// BinDir is where worker and temporal are, and where temporal is built. Empty: see BinDir.
	BinDir string
	// Environ is what the workers inherit. Nil: this process's environment.
	Environ []string
	// Env is added to the workers' environment, and wins.
	Env []string
	// UsualPorts asks for Temporal on 7233, its Web UI on 8233, Postgres on 5432 and the emulator on 3900, where free.
	UsualPorts bool
	// Log hears of steps that take minutes. Nil: nothing is said.
	Log io.Writer
	// Steps makes Log hear of every step, with its time; Output, of all that the parts write.
	Steps, Output bool
}

// UsageError is a wrong or missing setting: nothing was started.
type UsageError struct{ reason string }

func (e UsageError) Error() string { return e.reason }

func (o Options) withDefaults() (Options, error) {
	if o.Workers < 0 {
		return o, UsageError{fmt.Sprintf("workers: %d is less than 0", o.Workers)}
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.BinDir == "" {
		o.BinDir = BinDir()
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	o.Log = &oneAtATime{to: o.Log} // several parts write to it
	return o, o.checkCredentials()
}

// checkCredentials refuses a real server without a user, before anything is started.
func (o Options) checkCredentials() error {
	if o.TabNewsURL == "" {
		return nil
	}
	has := func(name string) bool { return lookup(o.Environ, name) != "" || lookup(o.Environ, name+"_FILE") != "" }
	if has("TABNEWS_SESSION") || has("TABNEWS_EMAIL") && has("TABNEWS_PASSWORD") {
		return nil
	}
	return UsageError{fmt.Sprintf("%s needs credentials in the environment: set TABNEWS_EMAIL and TABNEWS_PASSWORD (or TABNEWS_SESSION)", o.TabNewsURL)}
}

// lookup returns the last value of name in environ, as a process started with it sees it; "" when there is none.
func lookup(environ []string, name string) string {
	for _, pair := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// say writes one line about what happens.
func (o Options) say(format string, args ...any) {
	_, _ = fmt.Fprintf(o.Log, "devstack: "+format+"\n", args...)
}

// step runs f and, with Steps, says how long it took.
func (o Options) step(what string, f func() error) error {
	began := time.Now()
	err := f()
	if err == nil && o.Steps {
		o.say("%s (%s)", what, time.Since(began).Round(10*time.Millisecond))
	}
	return err
}
