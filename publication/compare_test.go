package publication

import (
	"reflect"
	"testing"
)

func TestDifferencesAreToldFieldByFieldAndExactly(t *testing.T) {
	want := root()
	want.SourceURL, want.ParentID = "https://example.com", "e7fdd873-c3af-4962-b843-42737ca37a52"
	same := Observed{
		Owner: "AUTORA", Slug: want.Slug, Title: want.Title, Body: want.Body, SourceURL: want.SourceURL, Status: want.Status, ParentID: want.ParentID,
	}
	if got := want.Differences("autora", same); got != nil {
		t.Errorf("equal content differs in %v", got)
	}
	for field, change := range map[string]func(*Observed){
		"owner_username": func(o *Observed) { o.Owner = "leitor" },
		"slug":           func(o *Observed) { o.Slug += "-2" },
		"title":          func(o *Observed) { o.Title += " " },
		"body":           func(o *Observed) { o.Body += "\n" },
		"source_url":     func(o *Observed) { o.SourceURL = "" },
		"status":         func(o *Observed) { o.Status = StatusPublished },
		"parent_id":      func(o *Observed) { o.ParentID = "" },
	} {
		seen := same
		change(&seen)
		got := want.Differences("autora", seen)
		if len(got) != 1 || got[0].Field != field || got[0].Want == got[0].Got {
			t.Errorf("%s: told %v", field, got)
		}
	}
	body := same
	body.Body = "outro"
	if got := want.Differences("autora", body); !reflect.DeepEqual(got, []Difference{{"body", want.Body, "outro"}}) {
		t.Errorf("told %v", got)
	}
}
