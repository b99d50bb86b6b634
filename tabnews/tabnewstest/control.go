package tabnewstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// controlRoot is below what other processes steer the emulator by.
const controlRoot = "/_emulator/"

// controls by method and path. Each gives what to answer as JSON.
var controls = map[string]func(*Server, *json.Decoder) (any, error){
	"GET healthz":     func(*Server, *json.Decoder) (any, error) { return object{{"status", "ok"}}, nil },
	"GET arrivals":    func(s *Server, _ *json.Decoder) (any, error) { return orEmpty(s.Arrivals()), nil },
	"GET contents":    func(s *Server, _ *json.Decoder) (any, error) { return orEmpty(s.Contents()), nil },
	"GET second_host": func(s *Server, _ *json.Decoder) (any, error) { return orEmpty(s.SecondHostArrivals()), nil },
	"POST reset":      func(s *Server, _ *json.Decoder) (any, error) { s.Reset(); return object{}, nil },
	"POST faults":     controlFaults,
	"POST settings":   controlSettings,
	"POST moderate":   controlModerate,
	"POST edit":       controlEdit,
	"POST users":      controlUsers,
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// control answers a control request. None of them is an arrival.
func (s *Server) control(w http.ResponseWriter, r *http.Request, path string) {
	serve, known := controls[r.Method+" "+path]
	if !known {
		writeControl(w, http.StatusNotFound, object{{"error", r.Method + " " + r.URL.Path + " is no control request"}})
		return
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequestBody))
	d.DisallowUnknownFields()
	v, err := serve(s, d)
	if err != nil {
		writeControl(w, http.StatusBadRequest, object{{"error", err.Error()}})
		return
	}
	writeControl(w, http.StatusOK, v)
}

func writeControl(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	w.Write(append(appendJSON(nil, v), '\n'))
}

// controlFaults arms a fault. Times is 1 when it is not there; a 0 that is there is refused.
func controlFaults(s *Server, d *json.Decoder) (any, error) {
	f := Fault{Times: 1}
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	if f.Times < 1 {
		return nil, fmt.Errorf("times: %d; allowed: 1 and more", f.Times)
	}
	f, err := f.check()
	if err != nil {
		return nil, err
	}
	s.current().faults.arm(f)
	return f, nil
}

type settings struct {
	RatingRule *bool `json:"rating_rule"`
	Cache      *bool `json:"cache"`
	// Firewall off is a TabNews whose database lacks the firewall's functions: everything passes (TabNews API, section 6).
	Firewall *bool `json:"firewall"`
	// FirewallWindowMS is the time in which the firewall counts: 5000 on the real server; less lets stories be short.
	FirewallWindowMS *int `json:"firewall_window_ms"`
}

// controlSettings changes what is named and gives what holds now.
func controlSettings(s *Server, d *json.Decoder) (any, error) {
	var in settings
	if err := d.Decode(&in); err != nil {
		return nil, err
	}
	st := s.current()
	if in.Cache != nil {
		st.cache.set(*in.Cache)
	}
	st.store.mu.Lock()
	defer st.store.mu.Unlock()
	if in.RatingRule != nil {
		st.store.ratingRule = *in.RatingRule
	}
	if in.Firewall != nil {
		st.store.firewallOff = !*in.Firewall
	}
	if in.FirewallWindowMS != nil {
		st.store.window = time.Duration(*in.FirewallWindowMS) * time.Millisecond
	}
	return object{{"rating_rule", st.store.ratingRule}, {"firewall", !st.store.firewallOff}, {"firewall_window_ms", st.store.window.Milliseconds()}, {"cache", st.cache.isOn()}}, nil
}

// controlModerate hides, restores or deletes one content, as the firewall and moderators do.
func controlModerate(s *Server, d *json.Decoder) (any, error) {
	var in struct{ Owner, Slug, Action string }
	if err := d.Decode(&in); err != nil {
		return nil, err
	}
	if actions := []string{"hide", "undo", "delete"}; !slices.Contains(actions, in.Action) {
		return nil, fmt.Errorf("action: %q is none; allowed: %s", in.Action, strings.Join(actions, ", "))
	}
	if !s.Moderate(in.Owner, in.Slug, in.Action) {
		return nil, fmt.Errorf("slug: %s/%s is not there to %s", in.Owner, in.Slug, in.Action)
	}
	return object{}, nil
}

// Moderate does to one content what only a moderator or the firewall can: "hide", "undo" or "delete". It gives false
// when there is no such content that is not deleted.
func (s *Server) Moderate(owner, slug, action string) bool {
	return s.current().store.moderate(owner, slug, action)
}

// userChange is what a test may do to an account; what is not there stays.
type userChange struct {
	Username       string
	Rename         *string   `json:"rename"`
	Features       *[]string `json:"features"` // all of them; "nuked" bans
	TabCash        *int      `json:"tabcash"`
	ExpireSessions bool      `json:"expire_sessions"`
}

// controlUsers changes an account: features, name, TabCash; or ends all its sessions.
func controlUsers(s *Server, d *json.Decoder) (any, error) {
	var in userChange
	if err := d.Decode(&in); err != nil {
		return nil, err
	}
	st := s.current().store
	st.mu.Lock()
	defer st.mu.Unlock()
	u := st.userByName(in.Username)
	if u == nil {
		return nil, fmt.Errorf("username: %q is none", in.Username)
	}
	st.change(u, in)
	return u.fields(), nil
}

func (st *store) change(u *user, in userChange) {
	if in.Rename != nil {
		u.username = *in.Rename
	}
	if in.Features != nil {
		u.features = *in.Features
	}
	if in.TabCash != nil {
		u.tabcash = *in.TabCash
	}
	for _, session := range st.sessions {
		if in.ExpireSessions && session.userID == u.id {
			session.expiresAt = st.now()
		}
	}
}
