package tabnewstest

import (
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// store is what TabNews keeps in its database. Methods lock it for as long as one statement of the database takes, so
// that what lies between two statements can race here as it does there.
type store struct {
	now     func() time.Time
	pause   func(Pause)
	closed  <-chan struct{} // releases whoever waits when the server closes
	changed func()          // told after a commit

	mu          sync.Mutex
	ratingRule  bool
	firewallOff bool
	window      time.Duration // in which the firewall counts
	users       []*user
	sessions    []*session
	rows        []*row
	creations   []creation
	held        map[slot]chan struct{} // slugs of transactions in flight
}

// slot is a place in the unique index: a slug of an owner. What has a deleted_at is not in it.
type slot struct{ owner, slug string }

func newStore(o options, closed <-chan struct{}, changed func()) *store {
	st := &store{
		now: o.now, pause: o.pause, closed: closed, changed: changed,
		ratingRule: o.ratingRule, window: firewallWindow, held: map[slot]chan struct{}{},
	}
	for _, name := range []string{"autora", "leitor"} {
		st.users = append(st.users, newUser(name, o.now()))
	}
	return st
}

// contents are copies of all rows in the order they were stored.
func (st *store) contents() []Content {
	st.mu.Lock()
	defer st.mu.Unlock()
	all := make([]Content, 0, len(st.rows))
	for _, r := range st.rows {
		all = append(all, st.copyOf(r))
	}
	return all
}

// copyOf gives r as it is to be read now, with the owner's present name. The store is locked.
func (st *store) copyOf(r *row) Content {
	c := r.Content
	if u := st.userByID(c.OwnerID); u != nil {
		c.OwnerUsername = u.username
	}
	return c
}

func (st *store) userByID(id string) *user {
	for _, u := range st.users {
		if u.id == id {
			return u
		}
	}
	return nil
}

// userByName looks up without regard to case and does not see the banned.
func (st *store) userByName(name string) *user {
	for _, u := range st.users {
		if strings.EqualFold(u.username, name) && !u.has("nuked") {
			return u
		}
	}
	return nil
}

func (st *store) rowByID(id string) *row {
	for _, r := range st.rows {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// find gives the owner's row with this slug in one of the statuses. A deleted and a living row may share a slug.
func (st *store) find(ownerID, slug string, statuses ...string) *row {
	for _, r := range st.rows {
		for _, status := range statuses {
			if r.OwnerID == ownerID && r.Slug == slug && r.Status == status {
				return r
			}
		}
	}
	return nil
}

// occupied tells whether the unique index holds a slug; drafts and hidden ones hold theirs too.
func (st *store) occupied(s slot, exceptID string) bool {
	for _, r := range st.rows {
		if r.OwnerID == s.owner && r.Slug == s.slug && r.DeletedAt == nil && r.ID != exceptID {
			return true
		}
	}
	return false
}

// hold takes a slug for a transaction. It waits for one in flight that holds it, as Postgres does, and gives false when
// that one committed or the slug was occupied before.
func (st *store) hold(s slot) bool {
	for {
		st.mu.Lock()
		if st.occupied(s, "") {
			st.mu.Unlock()
			return false
		}
		other, taken := st.held[s]
		if !taken {
			st.held[s] = make(chan struct{})
			st.mu.Unlock()
			return true
		}
		st.mu.Unlock()
		select {
		case <-other:
		case <-st.closed:
			return false
		}
	}
}

// release ends a transaction's hold. The store is locked.
func (st *store) release(s slot) {
	close(st.held[s])
	delete(st.held, s)
}

// live counts published descendants, children_deep_count in TabNews' JSON.
func (st *store) live(id string) int {
	n := 0
	for _, r := range st.rows {
		if r.Status == "published" && inPath(r, id) {
			n++
		}
	}
	return n
}

func inPath(r *row, id string) bool {
	for _, ancestor := range r.path {
		if ancestor == id {
			return true
		}
	}
	return false
}

func newID() string { return uuid.NewString() }
