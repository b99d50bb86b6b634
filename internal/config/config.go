package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"time"

	"postonce/workflows"
)

// Config is what a worker is made of. Secrets may also come from a file named by VARIABLE_FILE.
type Config struct {
	DatabaseURL  string             // DATABASE_URL
	TabNewsURL   string             // TABNEWS_URL
	Email        string             // TABNEWS_EMAIL
	Password     string             // TABNEWS_PASSWORD
	Session      string             // TABNEWS_SESSION, instead of e-mail and password
	Account      string             // POSTONCE_ACCOUNT: the user name that the session must belong to; empty: whoever logs in
	Lane         string             // POSTONCE_LANE: name of the egress IP that this worker shares with others
	LaneInterval time.Duration      // POSTONCE_LANE_INTERVAL: between two write starts of the lane
	LaneWindow   time.Duration      // POSTONCE_LANE_WINDOW: in which TabNews counts creations of a kind
	LaneLimit    int                // POSTONCE_LANE_LIMIT: how many of them it lets pass
	LanePause    time.Duration      // POSTONCE_LANE_PAUSE: how long a firewall incident pauses the lane
	ResendUnsent bool               // POSTONCE_RESEND_UNSENT: plan again what provably did not leave
	DriftAfter   []time.Duration    // POSTONCE_DRIFT_AFTER: when accepted contents are read again; off: never
	DriftProbe   bool               // POSTONCE_DRIFT_PROBE: tell hidden from deleted by asking for the slug
	HealthAddr   string             // POSTONCE_HEALTH_ADDR: host:port of /healthz, /readyz, /metrics; empty: none
	Settings     workflows.Settings // timeouts and waits of a publication, from several variables
	StopTimeout  time.Duration      // POSTONCE_STOP_TIMEOUT: how long a stopping worker waits for what it is sending
}

// databaseForm is a connection URL, or PostgreSQL's keywords and values.
var databaseForm = regexp.MustCompile(`^(postgres(ql)?://\S+|\w+\s*=.*)$`)

// Measured limits of the public TabNews (TabNews API, section 6).
const (
	minLaneInterval = 2600 * time.Millisecond
	minLaneWindow   = 5 * time.Second
	maxLaneLimit    = 2
	minLanePause    = 10 * time.Minute // what a refusal hides is not older
	minQuietTime    = 20 * time.Second
)

// Load reads the environment through getenv. All that is wrong comes back at once, one line each.
func Load(getenv func(string) string) (Config, error) {
	r := &reader{getenv: getenv}
	d := workflows.DefaultSettings()
	c := Config{
		DatabaseURL: r.secret("DATABASE_URL"),
		TabNewsURL:  getenv("TABNEWS_URL"),
		Email:       getenv("TABNEWS_EMAIL"),
		Password:    r.secret("TABNEWS_PASSWORD"),
		Session:     r.secret("TABNEWS_SESSION"),
		Account:     getenv("POSTONCE_ACCOUNT"),
		Lane:        r.text("POSTONCE_LANE", "default"),
		HealthAddr:  getenv("POSTONCE_HEALTH_ADDR"),

		LaneInterval: r.duration("POSTONCE_LANE_INTERVAL", minLaneInterval),
		LaneWindow:   r.duration("POSTONCE_LANE_WINDOW", minLaneWindow),
		LaneLimit:    r.count("POSTONCE_LANE_LIMIT", maxLaneLimit),
		LanePause:    r.duration("POSTONCE_LANE_PAUSE", minLanePause),
		ResendUnsent: r.boolean("POSTONCE_RESEND_UNSENT"),
		DriftAfter:   r.steps("POSTONCE_DRIFT_AFTER", defaultDriftAfter),
		DriftProbe:   r.unless("POSTONCE_DRIFT_PROBE"),
		Settings: workflows.Settings{
			SendTimeout:     r.duration("POSTONCE_SEND_TIMEOUT", d.SendTimeout),
			RPCTimeout:      r.duration("POSTONCE_RPC_TIMEOUT", d.RPCTimeout),
			QuietTime:       r.duration("POSTONCE_QUIET_TIME", d.QuietTime),
			ReadBackWindow:  r.duration("POSTONCE_READ_BACK_WINDOW", d.ReadBackWindow),
			ActivityTimeout: r.duration("POSTONCE_ACTIVITY_TIMEOUT", d.ActivityTimeout),
			ScheduleToStart: r.duration("POSTONCE_SCHEDULE_TO_START", d.ScheduleToStart),
		},
	}
	c.Settings.StartToClose = r.duration("POSTONCE_SEND_START_TO_CLOSE", c.Settings.NeededStartToClose())
	c.StopTimeout = r.duration("POSTONCE_STOP_TIMEOUT", c.Settings.NeededStopTimeout())
	r.checkProxies()
	return c, errors.Join(append(r.problems, c.check()...)...)
}

// check applies the rules; each names the variable.
func (c Config) check() []error {
	var out []error
	refuse := func(broken bool, format string, args ...any) {
		if broken {
			out = append(out, fmt.Errorf(format, args...))
		}
	}
	refuse(c.DatabaseURL == "", "DATABASE_URL: is empty, the ledger needs PostgreSQL; set it to postgres://USER:PASSWORD@HOST:PORT/DATABASE")
	refuse(c.DatabaseURL != "" && !databaseForm.MatchString(c.DatabaseURL), "DATABASE_URL: is not PostgreSQL's form; write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE") // it may hold a password
	out = append(out, c.checkTabNews()...)
	out = append(out, c.checkTimes()...)
	out = append(out, c.checkDrift()...)
	refuse(len(c.Lane) > 100, "POSTONCE_LANE: at most 100 bytes, this has %d; choose a short name of the egress IP", len(c.Lane))
	if c.HealthAddr != "" {
		_, _, err := net.SplitHostPort(c.HealthAddr)
		refuse(err != nil, "POSTONCE_HEALTH_ADDR: %q is not HOST:PORT; such as 127.0.0.1:8081", c.HealthAddr)
	}
	return out
}

func (c Config) checkTabNews() []error {
	var out []error
	if u, err := url.Parse(c.TabNewsURL); err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		out = append(out, errors.New("TABNEWS_URL: is not an http(s) address; set it to https://www.tabnews.com.br, or to an emulator's address"))
	} else if u.Scheme == "http" && !c.loopback() {
		out = append(out, errors.New("TABNEWS_URL: http would send the session in clear; use https, plain http is for an emulator on this machine"))
	}
	switch {
	case c.Session == "" && c.Email == "" && c.Password == "":
		out = append(out, errors.New("TABNEWS_SESSION: no credentials; set it, or TABNEWS_EMAIL and TABNEWS_PASSWORD"))
	case c.Session == "" && c.Email == "":
		out = append(out, errors.New("TABNEWS_EMAIL: is empty while TABNEWS_PASSWORD is set; a login needs both"))
	case c.Session == "" && c.Password == "":
		out = append(out, errors.New("TABNEWS_PASSWORD: is empty while TABNEWS_EMAIL is set; a login needs both"))
	}
	return out
}

// checkTimes refuses times that would break a promise.
func (c Config) checkTimes() []error {
	var out []error
	s := c.Settings
	atLeast := func(name string, got, least time.Duration, why string) {
		if got < least {
			out = append(out, fmt.Errorf("%s: %s is shorter than %s, %s; raise it or leave it unset", name, got, least, why))
		}
	}
	atLeast("POSTONCE_SEND_TIMEOUT", s.SendTimeout, 100*time.Millisecond, "in which no answer can be expected")
	atLeast("POSTONCE_RPC_TIMEOUT", s.RPCTimeout, time.Second, "in which a result can hardly be delivered")
	atLeast("POSTONCE_ACTIVITY_TIMEOUT", s.ActivityTimeout, time.Second, "in which a read can hardly end")
	atLeast("POSTONCE_READ_BACK_WINDOW", s.ReadBackWindow, time.Second, "in which nothing can be read back")
	atLeast("POSTONCE_SCHEDULE_TO_START", s.ScheduleToStart, time.Second, "in which a worker can hardly take a task")
	atLeast("POSTONCE_SEND_START_TO_CLOSE", s.StartToClose, s.NeededStartToClose(), "which a send (POSTONCE_SEND_TIMEOUT) and the delivery of its result (POSTONCE_RPC_TIMEOUT) may take: an answer would be lost")
	atLeast("POSTONCE_STOP_TIMEOUT", c.StopTimeout, s.NeededStopTimeout(), "which a running send may take: stopping would lose its answer")
	if !c.loopback() {
		atLeast("POSTONCE_LANE_INTERVAL", c.LaneInterval, minLaneInterval, "and TabNews' firewall would hide everything of the last ten minutes")
		atLeast("POSTONCE_LANE_WINDOW", c.LaneWindow, minLaneWindow, "in which TabNews' firewall counts, and it would hide everything of the last ten minutes")
		atLeast("POSTONCE_LANE_PAUSE", c.LanePause, minLanePause, "which a refusal of TabNews' firewall reaches back: the next one would hide again")
		if c.LaneLimit > maxLaneLimit {
			out = append(out, fmt.Errorf("POSTONCE_LANE_LIMIT: %d is more than %d, and TabNews' firewall would hide everything of the last ten minutes; lower it or leave it unset", c.LaneLimit, maxLaneLimit))
		}
		atLeast("POSTONCE_QUIET_TIME", s.QuietTime, minQuietTime, "in which TabNews may still be working on a request")
	}
	return out
}

// loopback reports whether TabNews is an emulator on this machine, where the public site's limits may be shortened.
func (c Config) loopback() bool {
	u, err := url.Parse(c.TabNewsURL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
