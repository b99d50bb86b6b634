package tabnewstest_test

import (
	"sync"
	"testing"
	"time"

	"postonce/tabnews/tabnewstest"
)

const um = "/api/v1/contents/autora/um"

// The cases of PATCH that the TabNews API lists in section 7.
func TestUpdateCases(t *testing.T) {
	notFound := object{"error_location_code": "CONTROLLER:CONTENT:PATCH_HANDLER:SLUG_NOT_FOUND", "key": "slug"}
	for _, row := range []struct {
		name, status string // of the content before
		patch        object
		answer       int
		want         object
	}{
		{"edit keeps the slug", "published", object{"title": "Outro", "body": "Novo corpo"}, 200, object{"title": "Outro", "body": "Novo corpo", "slug": "um", "status": "published"}},
		{"same status", "published", object{"status": "published"}, 200, object{"status": "published"}},
		{"draft to published", "draft", object{"status": "published"}, 200, object{"status": "published", "tabcoins": 1}},
		{"draft to draft", "draft", object{"status": "draft"}, 200, object{"status": "draft", "published_at": nil}},
		{"draft to deleted", "draft", object{"status": "deleted", "title": "Fim"}, 200, object{"status": "deleted", "title": "Fim"}},
		{"published to deleted", "published", object{"status": "deleted"}, 200, object{"status": "deleted", "tabcoins": 1}},
		{"published to draft", "published", object{"status": "draft"}, 400, object{"key": "status",
			"message":             "Não é possível alterar para rascunho um conteúdo já publicado.",
			"error_location_code": "MODEL:CONTENT:CHECK_STATUS_CHANGE:STATUS_ALREADY_PUBLISHED"}},
		{"to firewall", "draft", object{"status": "firewall"}, 400, object{"key": "status",
			"message":             `Não é possível atualizar um conteúdo para o status "firewall".`,
			"error_location_code": "MODEL:CONTENT:VALIDATE_UPDATE_SCHEMA:INVALID_STATUS"}},
		{"null title", "draft", object{"title": nil}, 400, object{"key": "title", "error_location_code": "MODEL:CONTENT:CHECK_ROOT_CONTENT_TITLE:MISSING_TITLE"}},
		{"blank title", "draft", object{"title": " "}, 400, object{"key": "title", "type": "string.empty"}},
		{"source cleared", "draft", object{"source_url": nil}, 200, object{"source_url": nil}},
		{"nothing known", "draft", object{"parent_id": nil, "type": "ad", "x": 1}, 400, object{"key": "object", "type": "object.min", "message": "Objeto enviado deve ter no mínimo uma chave."}},
		{"free slug", "published", object{"slug": "novo"}, 200, object{"slug": "novo"}},
		{"occupied slug", "published", object{"slug": "outro"}, 400, object{"key": "slug", "error_location_code": "MODEL:CONTENT:CHECK_FOR_CONTENT_UNIQUENESS:ALREADY_EXISTS"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := start(t)
			c := login(t, s, "autora")
			fields := article("um", row.status)
			fields["source_url"] = "https://example.com"
			c.create(fields)
			c.create(article("outro", "draft"))
			want(t, c.do("PATCH", um, row.patch), row.answer, row.want)
			if row.answer != 200 && stored(s, "um").Status != row.status {
				t.Errorf("status became %s", stored(s, "um").Status)
			}
		})
	}
	t.Run("deleted or hidden is not found", func(t *testing.T) {
		s := start(t)
		c := login(t, s, "autora")
		c.create(article("um", "draft"))
		want(t, c.do("PATCH", um, object{"status": "deleted"}), 200, nil)
		want(t, c.do("PATCH", um, object{"status": "deleted"}), 404, notFound)
		c.create(article("um", "draft"))
		s.Moderate("autora", "um", "hide")
		want(t, c.do("PATCH", um, object{"status": "draft"}), 404, notFound)
	})
}

func TestWhoMayUpdate(t *testing.T) {
	s := start(t)
	autora, leitor := login(t, s, "autora"), login(t, s, "leitor")
	autora.create(article("um", "draft"))
	patch := object{"title": "x"}
	want(t, anonymous(t, s).do("PATCH", um, patch), 403, object{"error_location_code": "MODEL:AUTHORIZATION:CAN_REQUEST:FEATURE_NOT_FOUND"})
	want(t, leitor.do("PATCH", um, patch), 403, object{"error_location_code": "CONTROLLER:CONTENTS:PATCH:USER_CANT_UPDATE_CONTENT_FROM_OTHER_USER"})
	want(t, control(t, s, "users", object{"username": "leitor", "features": []string{"read:session", "update:content",
		"create:content:text_root", "update:content:others"}}), 200, nil)
	want(t, leitor.do("PATCH", um, patch), 200, object{"owner_username": "autora"})
	want(t, autora.do("PATCH", um, patch, "If-Match", `"outra"`, "If-Unmodified-Since", "Mon, 01 Jan 2024 00:00:00 GMT"), 200, nil)
}

func TestTimesOfAContent(t *testing.T) {
	clock := newClock()
	s := start(t, tabnewstest.WithClock(clock.Now))
	c := login(t, s, "autora")
	created := c.create(article("um", "draft"))
	want(t, created, 201, object{"created_at": "2026-11-30T12:00:00.123Z", "updated_at": "2026-11-30T12:00:00.123Z"})
	clock.pass(time.Minute)
	want(t, c.do("PATCH", um, object{"status": "published"}), 200, object{"created_at": "2026-11-30T12:00:00.123Z",
		"updated_at": "2026-11-30T12:01:00.123Z", "published_at": "2026-11-30T12:01:00.123Z"})
	clock.pass(time.Minute)
	want(t, c.do("PATCH", um, object{"status": "published"}), 200, object{"updated_at": "2026-11-30T12:02:00.123Z",
		"published_at": "2026-11-30T12:01:00.123Z"})
	s.Moderate("autora", "um", "hide")
	if at := stored(s, "um").UpdatedAt; !at.Equal(clock.Now()) {
		t.Errorf("hiding moved updated_at to %v", at)
	}
}

// race runs one update that is held between its read and its write while another is done.
func race(t *testing.T, prepare func(*client), held, other object) (*tabnewstest.Server, result, result) {
	t.Helper()
	inside, leave := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s := start(t, tabnewstest.WithPause(func(p tabnewstest.Pause) {
		if p == tabnewstest.PauseWrite {
			first := false
			once.Do(func() { first = true; close(inside) })
			if first {
				<-leave
			}
		}
	}))
	c := login(t, s, "autora")
	prepare(c)
	late := make(chan result, 1)
	go func() { late <- c.do("PATCH", um, held) }()
	<-inside
	early := c.do("PATCH", um, other)
	close(leave)
	return s, early, <-late
}

// The lost updates of section 9: both are answered 200.
func TestConcurrentUpdatesLoseChanges(t *testing.T) {
	published := func(c *client) { c.create(article("um", "published")) }
	draft := func(c *client) { c.create(article("um", "draft")) }
	for _, row := range []struct {
		name        string
		prepare     func(*client)
		held, other object
		check       func(tabnewstest.Content) bool
	}{
		{"a field goes back", published, object{"title": "Título novo"}, object{"body": "Corpo novo"},
			func(c tabnewstest.Content) bool { return *c.Title == "Título novo" && c.Body == good }},
		{"a delete is undone", published, object{"title": "Título novo"}, object{"status": "deleted"},
			func(c tabnewstest.Content) bool { return c.Status == "published" && c.DeletedAt == nil }},
		{"a rename is undone", published, object{"title": "Título novo"}, object{"slug": "novo"},
			func(c tabnewstest.Content) bool { return c.Slug == "um" }},
		{"publishing twice pays twice", draft, object{"status": "published"}, object{"status": "published"},
			func(c tabnewstest.Content) bool { return c.Tabcoins == 2 }},
		{"a probe un-publishes", draft, object{"status": "draft"}, object{"status": "published"},
			func(c tabnewstest.Content) bool { return c.Status == "draft" && c.PublishedAt == nil }},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, early, late := race(t, row.prepare, row.held, row.other)
			want(t, early, 200, nil)
			want(t, late, 200, nil)
			if c := s.Contents()[0]; !row.check(c) {
				t.Errorf("the row is %+v", c)
			}
		})
	}
}

// The probe by comment of section 7: it creates nothing whatever the answer.
func TestProbeByComment(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	probe := comment("0f8fad5b-d9cb-469f-a165-70867728950e", "um")
	want(t, c.do("POST", "/api/v1/contents", probe), 400, object{"key": "parent_id"})
	c.create(article("um", "draft"))
	want(t, c.do("POST", "/api/v1/contents", probe), 400, object{"key": "slug"})
	s.Moderate("autora", "um", "hide")
	want(t, c.do("POST", "/api/v1/contents", probe), 400, object{"key": "slug"})
	if n := len(s.Contents()); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}
