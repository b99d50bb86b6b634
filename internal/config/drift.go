package config

import (
	"fmt"
	"strings"
	"time"
)

// defaultDriftAfter is often while a firewall or a moderator is likeliest to act, and then seldom.
const defaultDriftAfter = "1m,10m,1h,24h"

// Bounds of the drift watch.
const (
	maxDriftSteps = 20
	minDriftStep  = 10 * time.Second // on the public site, where each step is a read of every publication
	maxDriftStep  = 366 * 24 * time.Hour
)

// steps reads durations after a common start, separated by commas; off: none.
func (r *reader) steps(name, otherwise string) []time.Duration {
	text := r.text(name, otherwise)
	if text == "off" {
		return nil
	}
	var steps []time.Duration
	for part := range strings.SplitSeq(text, ",") {
		d, err := time.ParseDuration(strings.TrimSpace(part))
		if err != nil || d <= 0 {
			r.refuse("%s: %q is not a duration; write steps such as %s, or off to switch the watch off", name, part, defaultDriftAfter)
			return nil
		}
		steps = append(steps, d)
	}
	return steps
}

// unless reads a boolean that is true where nothing is set.
func (r *reader) unless(name string) bool {
	if strings.TrimSpace(r.getenv(name)) == "" {
		return true
	}
	return r.boolean(name)
}

// checkDrift holds that each step comes after the one before, and that the public site is read gently.
func (c Config) checkDrift() []error {
	var out []error
	refuse := func(format string, args ...any) {
		out = append(out, fmt.Errorf("POSTONCE_DRIFT_AFTER: "+format, args...))
	}
	if len(c.DriftAfter) > maxDriftSteps {
		refuse("at most %d steps, this has %d; leave some out", maxDriftSteps, len(c.DriftAfter))
	}
	for i, step := range c.DriftAfter {
		switch {
		case i > 0 && step <= c.DriftAfter[i-1]:
			refuse("%s does not come after %s; each step counts from the acceptance, so write them in their order", step, c.DriftAfter[i-1])
		case step > maxDriftStep:
			refuse("%s is longer than a year; shorten it", step)
		case i == 0 && step < minDriftStep && !c.loopback():
			refuse("%s is shorter than %s, and TabNews would be read too often; raise it", step, minDriftStep)
		}
	}
	return out
}
