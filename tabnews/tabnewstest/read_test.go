package tabnewstest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"postonce/tabnews/tabnewstest"
)

const shared = "public, s-maxage=10, stale-while-revalidate"

func TestOnlyWhatIsPublishedIsRead(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	c.create(article("publico", "published"))
	c.create(article("rascunho", "draft"))
	r := c.do("GET", "/api/v1/contents/AuToRa/publico", nil)
	want(t, r, 200, object{"slug": "publico", "owner_username": "autora", "children_deep_count": 0, "body": good})
	if !strings.HasSuffix(fieldOrder(t, r.raw), "tabcoins tabcoins_credit tabcoins_debit children_deep_count") {
		t.Errorf("fields are %s", fieldOrder(t, r.raw))
	}
	absent := object{"name": "NotFoundError", "key": "slug", "message": "O conteúdo informado não foi encontrado no sistema.",
		"error_location_code": "CONTROLLER:CONTENT:GET_HANDLER:SLUG_NOT_FOUND"}
	for _, path := range []string{"autora/rascunho", "autora/nada"} {
		for _, who := range []*client{c, anonymous(t, s)} {
			r := who.do("GET", "/api/v1/contents/"+path, nil)
			want(t, r, 404, absent)
			if got := r.header.Get("Cache-Control"); got != shared {
				t.Errorf("Cache-Control of a 404 is %q", got)
			}
		}
	}
	list := c.do("GET", "/api/v1/contents/autora?strategy=new", nil)
	if slugs(list.list) != "publico" {
		t.Errorf("listed %s", slugs(list.list))
	}
}

func TestPathsAreValidated(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	c.create(article("um", "published"))
	want(t, c.do("GET", "/api/v1/contents/autora/um-", nil), 200, object{"slug": "um"})
	want(t, c.do("GET", "/api/v1/contents/autora/um%20", nil), 200, object{"slug": "um"})
	want(t, c.do("GET", "/api/v1/contents/autora/UM", nil), 400, object{"key": "slug", "type": "string.pattern.base"})
	want(t, c.do("GET", "/api/v1/contents/ninguem/um", nil), 404, object{"key": "username"})
	want(t, c.do("GET", "/api/v1/contents/ninguem", nil), 404, object{"key": "username"})
	want(t, c.do("GET", "/api/v1/contents/a_b/um", nil), 400, object{"key": "username", "type": "string.alphanum"})
	want(t, c.do("GET", "/api/v1/contents/ab/um", nil), 400, object{"key": "username", "type": "string.min"})
	want(t, c.do("GET", "/api/v1/contents/"+strings.Repeat("a", 31)+"/um", nil), 400, object{"type": "string.max"})
	want(t, c.do("GET", "/api/v1/contents/users/um", nil), 400, object{"type": "username.reserved"})
	want(t, control(t, s, "users", object{"username": "autora", "rename": "Escritora"}), 200, nil)
	want(t, c.do("GET", "/api/v1/contents/autora/um", nil), 404, object{"key": "username"})
	want(t, c.do("GET", "/api/v1/contents/escritora/um", nil), 200, object{"owner_username": "Escritora"})
}

func TestMethodsAndRedirects(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	r := c.do("DELETE", "/api/v1/contents/autora/x", nil)
	want(t, r, 405, object{"name": "MethodNotAllowedError", "action": "Utilize um método HTTP válido para este recurso.",
		"message": `Método "DELETE" não permitido para "/api/v1/contents/autora/x".`})
	if _, there := r.json["error_location_code"]; there || r.header.Get("Allow") != "" || r.header.Get("Cache-Control") != "" {
		t.Errorf("405 with %v %v", r.json, r.header)
	}
	want(t, c.do("PUT", "/api/v1/contents", nil), 405, nil)
	want(t, c.do("POST", "/api/v1/contents/autora/x", object{"title": "x"}), 405, nil)
	slash := c.do("POST", "/api/v1/contents/?a=b", article("um", "draft"))
	if slash.status != 308 || slash.header.Get("Location") != "/api/v1/contents?a=b" || len(s.Contents()) != 0 {
		t.Errorf("trailing slash: %d %v", slash.status, slash.header)
	}
	options := c.do("OPTIONS", "/api/v1/contents", nil)
	if options.status != 200 || options.raw != "" || options.header.Get("Access-Control-Allow-Origin") != "*" || options.header.Get("Cache-Control") != "" {
		t.Errorf("OPTIONS: %d %q %v", options.status, options.raw, options.header)
	}
	c.create(article("um", "published"))
	get, head := c.do("GET", "/api/v1/contents/autora/um", nil), c.do("HEAD", "/api/v1/contents/autora/um", nil)
	if head.status != 200 || head.raw != "" || head.header.Get("ETag") != get.header.Get("ETag") || get.header.Get("ETag") == "" {
		t.Errorf("HEAD: %d %q %v", head.status, head.raw, head.header)
	}
	known := c.do("GET", "/api/v1/contents/autora/um", nil, "If-None-Match", get.header.Get("ETag"))
	if known.status != 304 || known.header.Get("Cache-Control") != shared {
		t.Errorf("known ETag: %d %v", known.status, known.header)
	}
	if got := get.header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("Content-Type is %q", got)
	}
}

func TestListings(t *testing.T) {
	clock := newClock()
	s := start(t, tabnewstest.WithClock(clock.Now))
	c := login(t, s, "autora")
	root := ""
	for i := range 5 {
		clock.pass(10 * time.Second)
		r := c.create(article(fmt.Sprintf("raiz-%d", i), "published"))
		root = r.text("id")
	}
	long := comment(root, "comentario")
	long["body"] = "**forte** " + strings.Repeat("palavras ", 40)
	c.create(long)
	for _, row := range []struct{ path, slugs string }{
		{"?strategy=new", "raiz-4 raiz-3 raiz-2 raiz-1 raiz-0"},
		{"?strategy=old&per_page=2", "raiz-0 raiz-1"},
		{"?strategy=new&with_children=true&per_page=2", "comentario raiz-4"},
		{"?strategy=new&page=3&per_page=2", "raiz-0"},
		{"?strategy=new&page=9", ""},
		{"/autora?strategy=new&per_page=2", "comentario raiz-4"},
		{"/autora?strategy=new&with_root=false", "comentario"},
		{"/autora?strategy=new&with_children=false&per_page=1", "raiz-4"},
		{"/leitor", ""},
	} {
		r := c.do("GET", "/api/v1/contents"+row.path, nil)
		if r.status != 200 || slugs(r.list) != row.slugs {
			t.Errorf("%s: %d %q, want %q", row.path, r.status, slugs(r.list), row.slugs)
		}
		for _, o := range r.list {
			if _, there := o["body"]; there && o["parent_id"] == nil {
				t.Errorf("%s: a root has a body", row.path)
			}
		}
	}
	of := c.do("GET", "/api/v1/contents/autora?strategy=new", nil)
	if body := fmt.Sprint(of.list[0]["body"]); !strings.HasPrefix(body, "forte palavras") || !strings.HasSuffix(body, "...") || len(body) > 255 {
		t.Errorf("a comment's body is %q", body)
	}
	page := c.do("GET", "/api/v1/contents?strategy=new&with_children=false&page=2&per_page=2&x=1", nil)
	base := s.URL() + "/api/v1/contents?strategy=new&with_children=false&page="
	links := fmt.Sprintf(`<%[1]s1&per_page=2>; rel="first", <%[1]s1&per_page=2>; rel="prev", <%[1]s3&per_page=2>; rel="next", <%[1]s3&per_page=2>; rel="last"`, base)
	if got := page.header.Get("Link"); got != links {
		t.Errorf("Link is %s, want %s", got, links)
	}
	if got := page.header.Get("X-Pagination-Total-Rows"); got != "5" {
		t.Errorf("total is %s", got)
	}
	beyond := c.do("GET", "/api/v1/contents?strategy=new&page=9&per_page=2", nil)
	if got := beyond.header.Get("Link"); !strings.Contains(got, `page=3&per_page=2>; rel="prev"`) || strings.Contains(got, "next") {
		t.Errorf("Link beyond the last page is %s", got)
	}
}

func TestListingQueriesAreValidated(t *testing.T) {
	c := anonymous(t, start(t))
	for _, row := range []struct{ query, key, kind string }{
		{"strategy=best", "strategy", "any.only"},
		{"page=0", "page", "number.min"},
		{"page=x", "page", "number.base"},
		{"page=1.5", "page", "number.integer"},
		{"per_page=101", "per_page", "number.max"},
		{"with_children=talvez", "with_children", "boolean.base"},
	} {
		r := c.do("GET", "/api/v1/contents?"+row.query, nil)
		want(t, r, 400, object{"key": row.key, "type": row.kind})
		if got := r.header.Get("Cache-Control"); got != shared {
			t.Errorf("Cache-Control of a 400 is %q", got)
		}
	}
}

func TestChildrenParentAndRoot(t *testing.T) {
	s := start(t, tabnewstest.WithClock(newClock().Now)) // of equal age, so that relevance keeps their order
	autora, leitor := login(t, s, "autora"), login(t, s, "leitor").at("10.0.0.2")
	root := autora.create(article("raiz", "published")).text("id")
	first := leitor.create(comment(root, "primeiro")).text("id")
	autora.create(comment(first, "segundo"))
	leitor.create(comment(root, "so"))
	tree := autora.do("GET", "/api/v1/contents/autora/raiz/children", nil)
	if slugs(tree.list) != "primeiro so" || tree.list[0]["children_deep_count"] != 1.0 {
		t.Fatalf("children %s", tree.raw)
	}
	want(t, autora.do("GET", "/api/v1/contents/autora/raiz", nil), 200, object{"children_deep_count": 3})
	want(t, autora.do("GET", "/api/v1/contents/autora/segundo/parent", nil), 200, object{"slug": "primeiro"})
	want(t, autora.do("GET", "/api/v1/contents/autora/segundo/root", nil), 200, object{"slug": "raiz"})
	want(t, autora.do("GET", "/api/v1/contents/autora/raiz/parent", nil), 404, object{"key": "parent_id",
		"message": "O conteúdo requisitado é um conteúdo raiz."})
	want(t, leitor.do("PATCH", "/api/v1/contents/leitor/primeiro", object{"status": "deleted"}), 200, nil)
	tree = autora.do("GET", "/api/v1/contents/autora/raiz/children", nil)
	for _, o := range tree.list {
		if o["id"] == first && (len(o) != 5 || o["slug"] != nil) {
			t.Errorf("the placeholder is %v", o)
		}
	}
	parent := autora.do("GET", "/api/v1/contents/autora/segundo/parent", nil)
	want(t, parent, 200, object{"id": first, "status": "deleted"})
	if got := fieldOrder(t, parent.raw); got != "id parent_id status type created_at updated_at published_at deleted_at children_deep_count" {
		t.Errorf("an unpublished parent shows %s", got)
	}
	want(t, autora.do("GET", "/api/v1/contents/leitor/primeiro/children", nil), 404, nil)
}

func TestSharedCacheServesStale404Once(t *testing.T) {
	clock := newClock()
	s := start(t, tabnewstest.WithClock(clock.Now), tabnewstest.WithCache())
	c := login(t, s, "autora")
	path := "/api/v1/contents/autora/um"
	want(t, c.do("GET", path, nil), 404, nil)
	c.create(article("um", "published"))
	clock.pass(3 * time.Second)
	r := c.do("GET", path, nil)
	want(t, r, 404, nil)
	if r.header.Get("Age") != "3" {
		t.Errorf("Age is %q", r.header.Get("Age"))
	}
	want(t, c.do("GET", path+"?fresco=1", nil), 200, nil)
	clock.pass(40 * time.Second)
	stale := c.do("GET", path, nil)
	want(t, stale, 404, nil)
	if stale.header.Get("Age") != "43" {
		t.Errorf("Age is %q", stale.header.Get("Age"))
	}
	want(t, c.do("GET", path, nil), 200, nil)
	want(t, control(t, s, "settings", object{"cache": false}), 200, object{"cache": false, "rating_rule": true})
	want(t, c.do("PATCH", path, object{"status": "deleted"}), 200, nil)
	want(t, c.do("GET", path, nil), 404, nil)
}
