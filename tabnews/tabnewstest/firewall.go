package tabnewstest

import (
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// The firewall's numbers (TabNews API, section 6).
const (
	firewallLimit  = 2                // creations of a kind from one IP that pass
	firewallWindow = 5 * time.Second  // in this time
	firewallReach  = 10 * time.Minute // how far back it hides when it refuses
)

// clientIP is the last element of X-Forwarded-For split at comma and space, else the peer's address. What is no address
// is given as it stands: TabNews fails on it only where the database needs it.
func clientIP(r *http.Request) string {
	ip := r.RemoteAddr
	if addrPort, err := netip.ParseAddrPort(ip); err == nil {
		ip = addrPort.Addr().String()
	}
	if forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ", "); forwarded != "" {
		parts := strings.Split(forwarded, ", ")
		ip = parts[len(parts)-1]
	}
	if ip == "::1" {
		return "127.0.0.1"
	}
	return strings.TrimPrefix(ip, "::ffff:")
}

func isAddress(ip string) bool {
	_, err := netip.ParseAddr(ip)
	return err == nil
}

// askFirewall counts the creations of this kind from the IP and, when there are too many, hides all that was created in
// the last ten minutes, again at each refusal. The check and the creation are two steps: requests in flight do not see
// each other.
func (st *store) askFirewall(ip string, k kind) *refusal {
	if !isAddress(ip) {
		return databaseFailed()
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	now, recent := st.now(), 0
	for _, c := range st.creations {
		if c.ip == ip && c.kind == k && c.at.After(now.Add(-st.window)) {
			recent++
		}
	}
	if recent < firewallLimit || st.firewallOff {
		return nil
	}
	for _, c := range st.creations {
		if c.ip == ip && c.kind == k && c.at.After(now.Add(-firewallReach)) {
			st.hide(c.row)
		}
	}
	st.changed()
	return tooManyRequests(k)
}

// hide makes a row firewall, a draft or a deleted one too; none of its times move. The author loses the TabCoins that a
// published one earned.
func (st *store) hide(r *row) {
	old := r.Content
	r.Status = "firewall"
	if old.Status != "firewall" {
		r.taken = st.takeBack(old, r)
	}
}

func tooManyRequests(k kind) *refusal {
	what := "muitas publicações em um curto período, então publicações criadas recentemente podem ter sido removidas."
	if k == childKind {
		what = "muitos comentários em um curto período, então comentários criados recentemente podem ter sido removidos."
	}
	return &refusal{
		name: "TooManyRequestsError", message: "Identificamos a criação de " + what,
		action: "Tente novamente mais tarde ou contate o suporte caso acredite que isso seja um erro.",
		status: http.StatusTooManyRequests,
	}
}

// moderate does what only a moderator can (TabNews API, section 6, Moderator). Undo publishes again whatever was hidden
// and not deleted, also what had been a draft; delete confirms the hiding and frees the slug.
func (st *store) moderate(owner, slug, action string) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	u := st.userByName(owner)
	if u == nil {
		return false
	}
	r := st.find(u.id, slug, "draft", "published", "firewall")
	if r == nil {
		return false
	}
	switch {
	case action == "hide":
		st.hide(r)
	case action == "delete":
		now := st.now()
		r.Status, r.DeletedAt = "deleted", &now
	case action == "undo" && r.Status == "firewall":
		r.Status = "published"
		u.tabcoins += r.taken
		r.taken = 0
	}
	st.changed()
	return true
}
