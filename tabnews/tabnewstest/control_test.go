package tabnewstest_test

import (
	"net"
	"strings"
	"testing"

	"postonce/tabnews/tabnewstest"
)

// control sends a control request: GET without a body, POST with one.
func control(t *testing.T, s *tabnewstest.Server, path string, body any) result {
	t.Helper()
	method := "GET"
	if body != nil {
		method = "POST"
	}
	return anonymous(t, s).do(method, "/_emulator/"+path, body)
}

func dial(t *testing.T, s *tabnewstest.Server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestControlOverHTTP(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	want(t, control(t, s, "healthz", nil), 200, object{"status": "ok"})
	want(t, control(t, s, "faults", object{"on": "create", "fault": "drop_after_store"}), 200, object{"times": 1})
	if r := c.do("POST", "/api/v1/contents", article("um", "draft")); r.err == nil {
		t.Fatalf("answered %d, want a dropped connection", r.status)
	}
	arrivals := control(t, s, "arrivals", nil)
	if len(arrivals.list) != 2 {
		t.Fatalf("arrivals %s, want the login and the creation", arrivals.raw)
	}
	last := result{json: arrivals.list[1], status: 200}
	want(t, last, 200, object{"method": "POST", "path": "/api/v1/contents", "slug": "um", "ip": "127.0.0.1",
		"fault": "drop_after_store", "status": 0})
	contents := control(t, s, "contents", nil)
	if len(contents.list) != 1 || contents.list[0]["slug"] != "um" || contents.list[0]["ip"] != "127.0.0.1" {
		t.Errorf("contents %s", contents.raw)
	}
	want(t, control(t, s, "reset", object{}), 200, nil)
	if r := control(t, s, "contents", nil); r.raw != "[]\n" {
		t.Errorf("after reset: contents %q", r.raw)
	}
	if r := control(t, s, "arrivals", nil); r.raw != "[]\n" {
		t.Errorf("after reset: arrivals %q", r.raw)
	}
	want(t, c.do("GET", "/api/v1/user", nil), 401, nil)
}

func TestControlNamesTheWrongField(t *testing.T) {
	s := start(t)
	for _, row := range []struct {
		path string
		body any
		says []string
	}{
		{"faults", object{"on": "create", "fault": "explode"}, []string{"fault:", "explode", "drop_after_store", "refuse"}},
		{"faults", object{"on": "publish", "fault": "drop_after_store"}, []string{"on:", "publish", "create, update"}},
		{"faults", object{"on": "create", "fault": "stale_404"}, []string{"on:", "read, list"}},
		{"faults", object{"on": "create", "fault": "drop_after_store", "times": 0}, []string{"times:", "1 and more"}},
		{"faults", object{"on": "create", "fault": "drop_after_store", "delay_ms": -1}, []string{"delay_ms:"}},
		{"faults", object{"on": "create", "fault": "drop_after_store", "time": 1}, []string{"time"}},
		{"settings", object{"rating": false}, []string{"rating"}},
		{"moderate", object{"owner": "autora", "slug": "x", "action": "zap"}, []string{"action:", "hide, undo, delete"}},
		{"moderate", object{"owner": "autora", "slug": "x", "action": "hide"}, []string{"slug:"}},
		{"edit", object{"owner": "autora", "slug": "x", "body": "y"}, []string{"slug:", "autora/x"}},
		{"edit", object{"owner": "autora", "slug": "x"}, []string{"object:", "uma chave"}},
		{"edit", object{"owner": "autora", "slug": "x", "body": ""}, []string{"body:"}},
		{"edit", object{"owner": "autora", "slug": "x", "status": "deleted"}, []string{"status"}},
		{"users", object{"username": "ninguem"}, []string{"username:"}},
	} {
		r := control(t, s, row.path, row.body)
		want(t, r, 400, nil)
		for _, words := range row.says {
			if !strings.Contains(r.text("error"), words) {
				t.Errorf("%v: %q does not say %q", row.body, r.text("error"), words)
			}
		}
	}
	want(t, control(t, s, "nada", nil), 404, nil)
	if n := len(s.Arrivals()); n != 0 {
		t.Errorf("%d arrivals, want none of control requests", n)
	}
}

func TestInjectPanicsOnAnUnknownFault(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "allowed:") {
			t.Errorf("recovered %v, want the allowed names", r)
		}
	}()
	tabnewstest.New().Inject(tabnewstest.Fault{On: "create", Fault: "explode"})
}

func TestModeration(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	c.create(article("um", "published"))
	want(t, control(t, s, "moderate", object{"owner": "autora", "slug": "um", "action": "hide"}), 200, nil)
	want(t, c.do("GET", "/api/v1/contents/autora/um", nil), 404, nil)
	want(t, c.do("POST", "/api/v1/contents", article("um", "draft")), 400, object{"key": "slug"})
	want(t, control(t, s, "moderate", object{"owner": "autora", "slug": "um", "action": "undo"}), 200, nil)
	want(t, c.do("GET", "/api/v1/contents/autora/um", nil), 200, nil)
	want(t, control(t, s, "moderate", object{"owner": "autora", "slug": "um", "action": "delete"}), 200, nil)
	c.create(article("um", "draft"))
}

func TestUndoPublishesWhatHadBeenADraft(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	c.create(article("um", "draft"))
	s.Moderate("autora", "um", "hide")
	s.Moderate("autora", "um", "undo")
	want(t, c.do("GET", "/api/v1/contents/autora/um", nil), 200, object{"status": "published", "published_at": nil})
}

func TestClosingEndsWhatStalls(t *testing.T) {
	s := tabnewstest.New()
	if err := s.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if s.Start("127.0.0.1:0") == nil {
		t.Error("started twice")
	}
	c := login(t, s, "autora")
	s.Inject(tabnewstest.Fault{On: "create", Fault: "stall_after_store", DelayMS: 3600_000})
	answered := make(chan result, 1)
	go func() { answered <- c.do("POST", "/api/v1/contents", article("um", "draft")) }()
	if err := s.WaitContents(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	<-answered // an error or a late answer; what matters is that it ended
	if err := s.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}
