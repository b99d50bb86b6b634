package tabnewstest

import (
	"slices"
	"time"
)

// user is an account. Its password is kept in clear: it is no secret.
type user struct {
	id, username, email, password string
	features                      []string
	tabcoins, tabcash             int
	createdAt, updatedAt          time.Time
}

// activatedFeatures are those of every activated user (TabNews API, section 2, Features).
var activatedFeatures = []string{
	"create:session", "read:session", "create:content", "create:content:text_root", "create:content:text_child",
	"update:content", "update:user",
}

func newUser(name string, now time.Time) *user {
	return &user{
		id: newID(), username: name, email: name + "@example.com", password: "senha-" + name + "-123",
		features: slices.Clone(activatedFeatures), createdAt: now, updatedAt: now,
	}
}

// anonymous is who sends no session.
var anonymous = &user{features: []string{"read:activation_token", "create:session", "create:user"}}

func (u *user) has(feature string) bool { return slices.Contains(u.features, feature) }

// require refuses who lacks a feature, as TabNews' canRequest does.
func (u *user) require(feature string) *refusal {
	if !u.has(feature) {
		return cannotRequest(feature)
	}
	return nil
}

// fields are the 200 of GET user.
func (u *user) fields() object {
	return object{
		{"id", u.id}, {"username", u.username}, {"email", u.email}, {"description", ""}, {"notifications", true},
		{"features", u.features}, {"tabcoins", u.tabcoins}, {"tabcash", u.tabcash},
		{"created_at", u.createdAt}, {"updated_at", u.updatedAt},
	}
}
