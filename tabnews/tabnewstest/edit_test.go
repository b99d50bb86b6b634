package tabnewstest_test

import (
	"testing"
	"time"

	"postonce/tabnews/tabnewstest"
)

const foreign = "Editado por outra pessoa."

// The foreign change is in a field that the PATCH does not send, so that both stand.
func TestEditBetweenChangesWhatThePatchLeavesAlone(t *testing.T) {
	for _, row := range []struct {
		name, status string
		patch, want  object
	}{
		{"a title is sent", "published", object{"title": "Outro"}, object{"title": "Outro", "body": good + "\n\n" + foreign}},
		{"a body is sent", "published", object{"body": "Outro corpo"}, object{"title": foreign, "body": "Outro corpo"}},
		{"both are sent", "published", object{"title": "Outro", "body": "Outro corpo"}, object{"title": "Outro", "body": "Outro corpo", "source_url": "https://example.com/editado"}},
		{"a draft is published", "draft", object{"status": "published"}, object{"status": "published", "body": good + "\n\n" + foreign}},
		{"it is deleted", "published", object{"status": "deleted"}, object{"status": "deleted", "body": good + "\n\n" + foreign}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := start(t)
			c := login(t, s, "autora")
			c.create(article("um", row.status))
			s.Inject(tabnewstest.Fault{On: "update", Fault: "edit_between"})
			want(t, c.do("PATCH", um, row.patch), 200, row.want)
			if arrived := arrivedOf(s, "PATCH"); len(arrived) != 1 || arrived[0].Fault != "edit_between" || arrived[0].Status != 200 {
				t.Errorf("arrivals %+v, want the one PATCH", arrived)
			}
			if len(s.Contents()) != 1 {
				t.Errorf("contents %+v", s.Contents())
			}
		})
	}
}

// With the PATCH refused, the foreign change is all that is left to see: it has an updated_at of its own.
func TestEditBetweenStandsWhenThePatchIsRefused(t *testing.T) {
	clock := newClock()
	s := start(t, tabnewstest.WithClock(clock.Now))
	c := login(t, s, "autora")
	c.create(article("um", "published"))
	clock.pass(time.Minute)
	s.Inject(tabnewstest.Fault{On: "update", Fault: "edit_between"})
	want(t, c.do("PATCH", um, object{"status": "draft"}), 400, object{"key": "status"})
	if row := stored(s, "um"); row.Body != good+"\n\n"+foreign || !row.UpdatedAt.Equal(clock.Now()) || row.Status != "published" {
		t.Errorf("the row is %+v", row)
	}
}

func TestEditBetweenFindsNothingToEdit(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	s.Inject(tabnewstest.Fault{On: "update", Fault: "edit_between", Times: 2})
	want(t, c.do("PATCH", um, object{"title": "Outro"}), 404, object{"key": "slug"})
	want(t, c.do("PATCH", "/api/v1/contents/autora/UM", object{"title": "Outro"}), 400, nil)
	if len(s.Contents()) != 0 {
		t.Errorf("contents %+v", s.Contents())
	}
}

func TestEditByHand(t *testing.T) {
	clock := newClock()
	s := start(t, tabnewstest.WithClock(clock.Now))
	c := login(t, s, "autora")
	c.create(article("um", "published"))
	clock.pass(time.Minute)
	want(t, control(t, s, "edit", object{"owner": "autora", "slug": "um", "title": "Outro"}), 200, nil)
	want(t, c.do("GET", um, nil), 200, object{"title": "Outro", "body": good, "updated_at": "2026-11-30T12:01:00.123Z"})
	clock.pass(time.Minute)
	want(t, control(t, s, "edit", object{"owner": "autora", "slug": "um", "body": "Outro corpo"}), 200, nil)
	want(t, c.do("GET", um, nil), 200, object{"title": "Outro", "body": "Outro corpo", "updated_at": "2026-11-30T12:02:00.123Z"})
	if n := len(arrivedOf(s, "PATCH")); n != 0 {
		t.Errorf("%d PATCHes arrived, want none of a control request", n)
	}
	want(t, c.do("PATCH", um, object{"status": "deleted"}), 200, nil)
	want(t, control(t, s, "edit", object{"owner": "autora", "slug": "um", "body": "Outro corpo"}), 400, nil)
}
