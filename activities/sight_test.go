package activities

import (
	"context"
	"testing"

	"postonce/publication"
	"postonce/tabnews"
)

// moody is a TabNews whose first reads of a content are answered otherwise.
type moody struct {
	TabNews
	errs []error // one for each read; nil and none: the real answer
}

func (m *moody) Content(ctx context.Context, ref publication.Reference) (tabnews.Content, error) {
	var err error
	if len(m.errs) > 0 {
		err, m.errs = m.errs[0], m.errs[1:]
	}
	if err != nil {
		return tabnews.Content{}, err
	}
	return m.TabNews.Content(ctx, ref)
}

func absent(key string) error {
	return &tabnews.NotFoundError{Reference: payloadRef, API: &publication.APIError{StatusCode: 404, Key: key}}
}

var payloadRef = publication.Reference{Owner: "autora", Slug: "ola"}

// T18: a stale 404 is no absence.
func TestLookWantsASecondReadToAgree(t *testing.T) {
	l := newLookout(t)
	l.TabNews = &moody{l.TabNews, []error{absent("slug")}}
	l.look(t)
	l.saw(t, publication.SeenUnchanged, "")
	l.probes(t, 0)

	l.edit(t, "Um texto de outra pessoa.")
	l.TabNews = &moody{l.TabNews, []error{absent("slug")}}
	l.look(t)
	if len(l.watch.sights) != 0 || len(l.watch.failed) != 1 {
		t.Errorf("saw %+v, failed %q", l.watch.sights, l.watch.failed)
	}
}

// A user who was renamed or banned has no slug that could be asked for.
func TestLookAsksForNoSlugOfAUserWhoIsGone(t *testing.T) {
	l := newLookout(t)
	l.TabNews = &moody{l.TabNews, []error{absent("username"), absent("username")}}
	l.look(t)
	l.saw(t, publication.SeenGone, "no such user")
	l.probes(t, 0)
}

// A slug has one content that is not deleted: whoever finds another one there knows.
func TestLookKnowsThatAnotherContentUnderTheSlugMeansDeleted(t *testing.T) {
	l := newLookout(t)
	l.watch.watched.Content = "0b6f0d3c-8b0a-4a7e-9d55-3f1f6b1f9999"
	l.look(t)
	l.saw(t, publication.SeenDeleted, "another content")
	l.probes(t, 0)
}

func TestLookWithoutSessionTellsThatItIsGoneAllTheSame(t *testing.T) {
	l := newLookout(t)
	l.tabnews.Moderate("autora", "ola", "hide")
	l.TabNews = &loggedOut{l.TabNews}
	l.look(t)
	l.saw(t, publication.SeenGone, "could not be asked for")
	l.probes(t, 0)
}

type loggedOut struct{ TabNews }

func (*loggedOut) CheckSession(context.Context) (tabnews.User, error) {
	return tabnews.User{}, &tabnews.SessionError{Problem: tabnews.SessionExpired}
}
