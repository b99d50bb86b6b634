package activities

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"

	"postonce/activities/api"
	"postonce/ledger"
	"postonce/publication"
	"postonce/tabnews"
)

// crowd is a TabNews whose account has many contents that are newer than the one that is watched.
type crowd struct {
	TabNews
	newer  int
	behind []tabnews.Content // the rest of the listing
}

func (c *crowd) UserContents(_ context.Context, _ string, page, perPage int) (listed []tabnews.Content, _ error) {
	for i := (page - 1) * perPage; i < min(page*perPage, c.newer+len(c.behind)); i++ {
		item := tabnews.Content{ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", i), OwnerUsername: "autora", Slug: fmt.Sprintf("novo-%d", i), PublishedAt: new(time.Now())}
		if i >= c.newer {
			item = c.behind[i-c.newer]
		}
		listed = append(listed, item)
	}
	return listed, nil
}

// renamedInACrowd renames the content and gives it newer ones.
func (l *lookout) renamedInACrowd(t *testing.T, newer int) *crowd {
	t.Helper()
	l.rename(t, "outro-lugar")
	item := tabnews.Content{ID: l.watch.watched.Content, OwnerUsername: "autora", Slug: "outro-lugar", PublishedAt: new(time.Now().Add(-time.Hour))}
	older := item
	older.ID, older.PublishedAt = "00000000-0000-4000-8000-999999999999", new(time.Now().Add(-3*time.Hour))
	c := &crowd{l.TabNews, newer, []tabnews.Content{item, older}}
	l.TabNews = c
	return c
}

func TestLookFindsARenamedContentBehindManyNewerOnes(t *testing.T) {
	l := newLookout(t)
	l.renamedInACrowd(t, 777)
	l.look(t)
	if s := l.saw(t, publication.SeenEdited, "renamed to autora/outro-lugar"); s.Slug != "outro-lugar" || s.PublishedAt == nil {
		t.Errorf("got %+v", s)
	}
	l.probes(t, 0)
}

// A free slug is no proof while the content may be listed further on.
func TestLookSaysGoneWhereTheListingIsTooLong(t *testing.T) {
	for name, other := range map[string]bool{"nothing under its slug": false, "another content under its slug": true} {
		t.Run(name, func(t *testing.T) {
			l := newLookout(t)
			l.renamedInACrowd(t, renamedPages*renamedPerPage+1)
			if other {
				l.published(t, payload)
			}
			l.look(t)
			l.saw(t, publication.SeenGone, "too many newer contents")
			if l.watch.taken != 0 {
				t.Error("its slug was asked for, and proves nothing")
			}
		})
	}
}

// The listing ends the search where it is older than the content.
func TestLookSearchesNoFurtherThanTheContentsAge(t *testing.T) {
	l := newLookout(t)
	c := l.renamedInACrowd(t, renamedPages*renamedPerPage-1) // the older one is beyond the bound
	l.tabnews.Moderate("autora", "outro-lugar", "delete")
	c.behind = c.behind[1:]
	l.watch.watched.PublishedAt = new(time.Now().Add(-2 * time.Hour))
	l.look(t)
	l.saw(t, publication.SeenDeleted, "slug is free")
}

// Renamed, then hidden: the old slug is free, and proves nothing.
func TestLookAsksForTheSlugUnderWhichTheContentWasSeenLast(t *testing.T) {
	for action, want := range map[string]publication.Seen{"hide": publication.SeenHidden, "delete": publication.SeenDeleted} {
		l := newLookout(t)
		l.rename(t, "outro-lugar")
		l.look(t)
		s := l.saw(t, publication.SeenEdited, "renamed")
		l.watch.watched.Slug = s.Slug // as the ledger keeps it
		l.tabnews.Moderate("autora", "outro-lugar", action)
		l.look(t)
		l.saw(t, want, "slug")
	}
}

func TestLookReadsARenamedContentWhereItIs(t *testing.T) {
	l := newLookout(t)
	l.rename(t, "outro-lugar")
	l.watch.watched.Slug = "outro-lugar"
	l.look(t)
	l.saw(t, publication.SeenEdited, "renamed to autora/outro-lugar")
}

// What was called hidden, but was renamed, is found all the same.
func TestLookFindsARenamedContentThatWasCalledHidden(t *testing.T) {
	l := newLookout(t)
	l.rename(t, "outro-lugar")
	l.watch.watched.Seen = publication.SeenHidden
	l.look(t)
	l.saw(t, publication.SeenEdited, "renamed")
}

// While the lane has no turn for the probe, nothing is told: gone now and deleted later would be the same change twice.
func TestLookTellsADisappearanceOnceTheSlugCouldBeAskedFor(t *testing.T) {
	l := newLookout(t)
	l.tabnews.Moderate("autora", "ola", "delete")
	l.watch.slot = ledger.ProbeSlot{Wait: time.Hour}
	out := l.look(t)
	if len(l.watch.sights) != 0 || len(l.watch.missing) != 1 || l.watch.missing[0] > probeLater || len(out.Problems) != 1 || !strings.Contains(out.Problems[0], "not known yet") {
		t.Errorf("saw %+v, put off %v, %q", l.watch.sights, l.watch.missing, out.Problems)
	}
	l.watch.slot, l.watch.watched.MissingFor = ledger.ProbeSlot{Taken: true}, time.Minute
	l.look(t)
	l.saw(t, publication.SeenDeleted, "slug is free")
}

// Others' comments may let the firewall refuse the probe, which hides comments: an incident like any other.
func TestAProbeThatSetsOffTheFirewallIsAnIncident(t *testing.T) {
	l := newLookout(t)
	root := l.watch.watched.Identity
	incidents := &incidentLedger{}
	l.Ledger = incidents
	for _, slug := range []string{"resposta-um", "resposta-dois"} {
		comment := publication.Payload{ParentID: root.ID, Slug: slug, Body: "Uma resposta com palavras suficientes.", Status: publication.StatusPublished}
		id := l.published(t, comment)
		incidents.affected = append(incidents.affected, ledger.Affected{Operation: publication.PublishID("autora", slug), Identity: id, RemoteStatus: publication.StatusPublished, Readable: true})
	}
	l.tabnews.Moderate("autora", "ola", "hide")
	out := l.look(t)
	if len(l.watch.refused) != 1 || l.watch.refused[0] != "publish/autora/ola" || l.watch.back != 0 {
		t.Fatalf("incidents of %q; saw %+v, %+v", l.watch.refused, l.watch.sights, out)
	}
	if len(incidents.marked) != 2 || len(l.watch.sights) != 0 || len(l.watch.missing) != 1 {
		t.Errorf("marked %q, saw %+v, put off %v", incidents.marked, l.watch.sights, l.watch.missing)
	}
	if len(out.Problems) != 1 || !strings.Contains(out.Problems[0], "2 comments") {
		t.Errorf("people are told %q", out.Problems)
	}
}

// late runs fn in a round whose time is over.
func (l *lookout) late(t *testing.T, fn func(context.Context, *looking) error) api.Looked {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	round := &looking{Activities: l.Activities, deadline: time.Now().Add(-time.Minute)}
	env.RegisterActivityWithOptions(func(ctx context.Context) error { return fn(ctx, round) }, activity.RegisterOptions{Name: "late"})
	if _, err := env.ExecuteActivity("late"); err != nil {
		t.Fatal(err)
	}
	return round.out
}

// Reads that hang must not keep the round from its end, nor what is due from its turn.
func TestARoundWhoseTimeIsOverAnswersOneAskAndLooksAtOneContent(t *testing.T) {
	l := newLookout(t)
	asks := []api.LookAsk{{ID: "a", Operation: "publish/autora/ola"}, {ID: "b", Operation: "publish/autora/ola"}, {ID: "c", Operation: "publish/autora/ola"}}
	out := l.late(t, func(ctx context.Context, r *looking) error { return r.answerAll(ctx, asks) })
	if len(out.Answers) != 1 || len(out.Unasked) != 2 || out.Unasked[0].ID != "b" {
		t.Errorf("got %+v", out)
	}
	l.watch.sights = nil
	l.late(t, func(ctx context.Context, r *looking) error {
		return r.lookAll(ctx, []ledger.Watched{l.watch.watched, l.watch.watched})
	})
	if len(l.watch.sights) != 1 {
		t.Errorf("%d contents had their turn, want 1", len(l.watch.sights))
	}
}
