package tabnewstest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"postonce/tabnews/tabnewstest"
)

// ok stands for the status of success: 201 of a creation, 200 of an update.
const ok = -1

// outcome is what a fault must look like: to the client, and in the store.
type outcome struct {
	stored bool
	status int  // 0: no answer at all
	broken bool // the exchange or the reading of the body ended in an error
	says   string
	header string // one that must be there
}

// outcomes holds every fault that a write can meet.
var outcomes = map[string]outcome{
	"refuse":               {false, 0, true, "", ""},
	"drop_before_read":     {false, 0, true, "", ""},
	"drop_in_body":         {false, 0, true, "", ""},
	"keepalive_close":      {true, ok, false, `"slug":"um"`, ""}, // a fresh connection passes
	"drop_before_store":    {false, 0, true, "", ""},
	"stall_before_store":   {true, ok, false, `"slug":"um"`, ""},
	"stall_in_transaction": {true, ok, false, `"slug":"um"`, ""},
	"html_403":             {false, 403, false, "Cloudflare", "Cf-Ray"},
	"html_429":             {false, 429, false, "Cloudflare", "Cf-Ray"},

	"drop_after_store":     {true, 0, true, "", ""},
	"stall_after_store":    {true, ok, false, `"slug":"um"`, ""},
	"close_after_headers":  {true, ok, true, "", "Content-Length"},
	"cut_body":             {true, ok, true, `"slug":"um",`, "Content-Length"},
	"cut_body_early":       {true, ok, true, `{"id":`, "Content-Length"},
	"slow_drip":            {true, ok, false, `"slug":"um"`, ""},
	"endless_body":         {true, ok, false, `"slug":"um"`, ""}, // the client here stops reading by itself
	"wrong_content_length": {true, ok, false, `"slug":"um"`, ""},
	"gzip_unterminated":    {true, ok, true, "", ""},

	"informational_first": {true, ok, false, `"slug":"um"`, ""},
	"garbage_201":         {true, 201, false, `{"id": ok`, ""},
	"html_201":            {true, 201, false, "<html>", ""},
	"empty_200":           {true, 200, false, "", ""},
	"empty_204":           {true, 204, false, "", ""},
	"status_202":          {true, 202, false, `"slug":"um"`, ""},
	"wrong_owner_201":     {true, ok, false, `"owner_username":"outra"`, ""},
	"wrong_slug_201":      {true, ok, false, `"slug":"um-2"`, ""},
	"wrong_status_201":    {true, ok, false, `"status":"draft"`, ""},

	"status_500_before_store": {false, 500, false, `"name":"InternalServerError"`, ""},
	"status_500_after_store":  {true, 500, false, `"name":"InternalServerError"`, ""},
	"status_503_before_store": {false, 503, false, "INFRA:DATABASE:QUERY", ""},
	"status_503_after_store":  {true, 503, false, "<html>", "X-Vercel-Id"},
	"status_504_before_store": {false, 504, false, "FUNCTION_INVOCATION_TIMEOUT", "X-Vercel-Id"},
	"status_504_after_store":  {true, 504, false, "FUNCTION_INVOCATION_TIMEOUT", "X-Vercel-Id"},

	"tabnews_json_403_after_store": {true, 403, false, `"name":"ForbiddenError"`, ""},
	"tabnews_json_422_after_store": {true, 422, false, `"name":"UnprocessableEntityError"`, ""},
	"tabnews_json_500_after_store": {true, 500, false, `"name":"InternalServerError"`, ""},
	"tabnews_json_502_after_store": {true, 502, false, `"name":"InternalServerError"`, ""},

	"h2_refused_stream":             {false, 0, true, "", ""},
	"h2_refused_stream_after_store": {true, 0, true, "", ""},
	"h2_rst_stream_after_store":     {true, 0, true, "", ""},
	"h2_goaway":                     {false, 0, true, "", ""},
	"h2_goaway_after_store":         {true, 0, true, "", ""},
}

func init() {
	for _, status := range []int{502, 520, 522, 524} {
		outcomes[fmt.Sprintf("status_%d_before_store", status)] = outcome{false, status, false, "Cloudflare", "Cf-Ray"}
		outcomes[fmt.Sprintf("status_%d_after_store", status)] = outcome{true, status, false, "Cloudflare", "Cf-Ray"}
	}
	for _, status := range []int{403, 422, 500, 502} {
		outcomes[fmt.Sprintf("html_%d_after_store", status)] = outcome{true, status, false, "Cloudflare", "Cf-Ray"}
		outcomes[fmt.Sprintf("foreign_json_%d_after_store", status)] = outcome{true, status, false, "request blocked", ""}
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		outcomes[fmt.Sprintf("redirect_%d", status)] = outcome{false, status, false, "", "Location"}
	}
}

// ofOneKind are met by reads alone, or by updates alone, and have tests of their own.
var ofOneKind = "not_found stale_404 diverged edit_between"

func TestEveryFaultHasAnOutcome(t *testing.T) {
	for _, name := range tabnewstest.FaultNames() {
		if _, there := outcomes[name]; !there && !strings.Contains(ofOneKind, name) {
			t.Errorf("no outcome is stated for %s", name)
		}
	}
}

func (o outcome) check(t *testing.T, r result, success int) {
	t.Helper()
	status := o.status
	if status == ok {
		status = success
	}
	if r.status != status || (r.err != nil) != o.broken {
		t.Errorf("the client sees %d, error %v; want %d, an error: %v", r.status, r.err, status, o.broken)
	}
	if !strings.Contains(r.raw, o.says) {
		t.Errorf("the body is %.300q, want %q in it", r.raw, o.says)
	}
	if o.header != "" && r.header.Get(o.header) == "" {
		t.Errorf("no header %s in %v", o.header, r.header)
	}
}

func arrivedOf(s *tabnewstest.Server, method string) []tabnewstest.Arrival {
	var arrived []tabnewstest.Arrival
	for _, a := range s.Arrivals() {
		if a.Method == method && !strings.HasSuffix(a.Path, "sessions") {
			arrived = append(arrived, a)
		}
	}
	return arrived
}

func (o outcome) checkArrivals(t *testing.T, s *tabnewstest.Server, method, name string, success int) {
	t.Helper()
	arrived := arrivedOf(s, method)
	if name == "refuse" {
		if len(arrived) != 0 {
			t.Errorf("arrivals %v, want none", arrived)
		}
		return
	}
	status := o.status
	if status == ok {
		status = success
	}
	fault := name
	if name == "keepalive_close" {
		fault = ""
	}
	if len(arrived) != 1 || arrived[0].Fault != fault || arrived[0].Status != status {
		t.Errorf("arrivals %+v, want one with fault %q and status %d", arrived, fault, status)
	}
}

func TestFaultsOnCreate(t *testing.T) {
	for name, want := range outcomes {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			c := login(t, s, "autora")
			s.Inject(tabnewstest.Fault{On: "create", Fault: name, DelayMS: 1})
			r := c.do("POST", "/api/v1/contents", article("um", "published"))
			want.check(t, r, 201)
			want.checkArrivals(t, s, "POST", name, 201)
			row := stored(s, "um")
			if (row != nil) != want.stored {
				t.Errorf("stored: %v, want %v", row != nil, want.stored)
			}
			if row != nil && (row.Status != "published" || row.OwnerUsername != "autora") {
				t.Errorf("the stored row is %+v", row)
			}
		})
	}
}

func TestFaultsOnUpdate(t *testing.T) {
	for name, want := range outcomes {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			c := login(t, s, "autora")
			c.create(article("um", "published"))
			s.Inject(tabnewstest.Fault{On: "update", Fault: name, DelayMS: 1})
			r := c.do("PATCH", um, object{"title": "Outro", "slug": "um"})
			want.check(t, r, 200)
			want.checkArrivals(t, s, "PATCH", name, 200)
			if changed := *stored(s, "um").Title == "Outro"; changed != want.stored {
				t.Errorf("changed: %v, want %v", changed, want.stored)
			}
		})
	}
}

func TestFaultIsMetAsOftenAsSaidByItsKindAlone(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	s.Inject(tabnewstest.Fault{On: "create", Fault: "status_500_before_store", Times: 2})
	s.Inject(tabnewstest.Fault{On: "create", Fault: "html_403"})
	want(t, c.do("GET", um, nil), 404, nil)
	var statuses []int
	for range 4 {
		statuses = append(statuses, c.do("POST", "/api/v1/contents", article("um", "draft")).status)
	}
	if got := fmt.Sprint(statuses); got != "[500 500 403 201]" {
		t.Errorf("answers %s", got)
	}
}

func TestDropIsAReset(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	for _, name := range []string{"refuse", "drop_before_read", "drop_before_store", "drop_after_store"} {
		s.Inject(tabnewstest.Fault{On: "create", Fault: name})
		r := c.do("POST", "/api/v1/contents", article(name2slug(name), "draft"))
		if !errors.Is(r.err, syscall.ECONNRESET) && !errors.Is(r.err, syscall.EPIPE) {
			t.Errorf("%s: %v, want a reset", name, r.err)
		}
	}
	s.Inject(tabnewstest.Fault{On: "create", Fault: "cut_body"})
	if r := c.do("POST", "/api/v1/contents", article("cortado", "draft")); !errors.Is(r.err, io.ErrUnexpectedEOF) {
		t.Errorf("cut_body: %v, want an unexpected end", r.err)
	}
}

func name2slug(name string) string { return strings.ReplaceAll(name, "_", "-") }

func TestRefusedOnConnect(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	s.Inject(tabnewstest.Fault{On: "connect", Fault: "refuse"})
	if r := c.do("GET", "/api/v1/contents", nil); r.err == nil {
		t.Errorf("answered %d", r.status)
	}
	want(t, c.do("GET", "/api/v1/contents", nil), 200, nil)
	if n := len(arrivedOf(s, "GET")); n != 1 {
		t.Errorf("%d arrivals, want 1", n)
	}
}

// A refusal of creations leaves polls and control requests alone.
func TestRefusalIsOfItsKindAlone(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	want(t, control(t, s, "faults", object{"on": "create", "fault": "refuse"}), 200, nil)
	want(t, control(t, s, "arrivals", nil), 200, nil)
	want(t, c.do("GET", um, nil), 404, nil)
	if r := c.do("POST", "/api/v1/contents", article("um", "draft")); r.err == nil {
		t.Fatalf("answered %d", r.status)
	}
	if n := len(arrivedOf(s, "POST")); n != 0 {
		t.Errorf("%d arrivals, want none", n)
	}
	c.create(article("um", "draft"))
}

// The server goes on when the client hangs up (TabNews API, section 0).
func TestHangingUpCancelsNothing(t *testing.T) {
	for _, name := range []string{"stall_before_store", "stall_in_transaction", "stall_after_store"} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			c := login(t, s, "autora")
			s.Inject(tabnewstest.Fault{On: "create", Fault: name, DelayMS: 100})
			ctx, hangUp := context.WithCancel(t.Context())
			ended := make(chan result, 1)
			go func() { ended <- c.doCtx(ctx, "POST", "/api/v1/contents", article("um", "draft")) }()
			if err := s.WaitArrivals(soon(t), "POST", "/api/v1/contents", 1); err != nil {
				t.Fatal(err)
			}
			// The slug is in the arrival once the body was read.
			if err := s.Wait(soon(t), func() bool { return arrivedOf(s, "POST")[0].Slug == "um" }); err != nil {
				t.Fatal(err)
			}
			hangUp()
			if r := <-ended; !errors.Is(r.err, context.Canceled) {
				t.Fatalf("the client saw %d, %v", r.status, r.err)
			}
			if err := s.WaitContents(soon(t), 1); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	s := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.WaitArrivals(ctx, "POST", "/api/v1/contents", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
}

func TestKeepAliveConnectionClosesAtReuse(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	s.Inject(tabnewstest.Fault{On: "create", Fault: "keepalive_close"})
	conn := dial(t, s)
	answers := bufio.NewReader(conn)
	fmt.Fprint(conn, "GET /api/v1/contents HTTP/1.1\r\nHost: x\r\n\r\n")
	first := receive(http.ReadResponse(answers, nil))
	if first.status != 200 || first.header.Get("Keep-Alive") != "timeout=5" {
		t.Fatalf("%d %v, want a connection that is kept", first.status, first.header)
	}
	body := `{"title":"T","slug":"um","body":"texto"}`
	fmt.Fprintf(conn, "POST /api/v1/contents HTTP/1.1\r\nHost: x\r\nCookie: session_id=%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", c.token, len(body), body)
	if _, err := answers.ReadByte(); err != io.EOF {
		t.Errorf("%v, want the connection closed without an answer", err)
	}
	if arrived := arrivedOf(s, "POST"); len(arrived) != 1 || arrived[0].Fault != "keepalive_close" || len(s.Contents()) != 0 {
		t.Errorf("arrivals %v, contents %v", arrived, s.Contents())
	}
}

func TestReasonPhraseOfInvalidJSON(t *testing.T) {
	s := start(t)
	conn := dial(t, s)
	fmt.Fprint(conn, "POST /api/v1/contents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{")
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || line != "HTTP/1.1 400 Invalid JSON\r\n" {
		t.Errorf("%q %v", line, err)
	}
}

func TestRedirectsGoToASecondHostThatCounts(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	if s.SecondHostArrivals() != nil {
		t.Fatal("the second host is there before a redirect")
	}
	for _, status := range []int{302, 307} {
		s.Inject(tabnewstest.Fault{On: "create", Fault: fmt.Sprintf("redirect_%d", status)})
	}
	moved := c.do("POST", "/api/v1/contents", article("um", "draft"))
	if moved.status != 302 || strings.HasPrefix(moved.header.Get("Location"), s.URL()) {
		t.Fatalf("%d to %s", moved.status, moved.header.Get("Location"))
	}
	following := *c
	following.http = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r := following.do("GET", "/api/v1/contents", nil)
	want(t, r, 200, nil)
	page := receive(http.Get(moved.header.Get("Location")))
	if page.status != 200 || !strings.Contains(page.raw, "<html>") {
		t.Errorf("the second host answers %d %q", page.status, page.raw)
	}
	want(t, c.do("POST", "/api/v1/contents", article("um", "draft")), 307, nil)
	second := control(t, s, "second_host", nil)
	if len(second.list) != 1 || second.list[0]["method"] != "GET" || second.list[0]["cookie"] != false {
		t.Errorf("second host: %s", second.raw)
	}
	if len(s.Contents()) != 0 {
		t.Error("a redirected creation was stored")
	}
	s.Reset()
	if n := len(s.SecondHostArrivals()); n != 0 {
		t.Errorf("%d arrivals at the second host after a reset", n)
	}
}

func TestFaultsOfReads(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	c.create(article("um", "published"))
	s.Inject(tabnewstest.Fault{On: "read", Fault: "not_found"})
	want(t, c.do("GET", um, nil), 404, object{"key": "slug"})
	s.Inject(tabnewstest.Fault{On: "read", Fault: "stale_404", Times: 2})
	for range 2 {
		r := c.do("GET", um+"?fresco=1", nil)
		want(t, r, 404, object{"key": "slug"})
		if r.header.Get("Age") != "40" || r.header.Get("Cache-Control") != shared {
			t.Errorf("headers %v", r.header)
		}
	}
	s.Inject(tabnewstest.Fault{On: "read", Fault: "diverged"})
	r := c.do("GET", um, nil)
	want(t, r, 200, object{"slug": "um"})
	if r.text("body") == good || r.header.Get("Cache-Control") != shared {
		t.Errorf("body %q, headers %v", r.text("body"), r.header)
	}
	want(t, c.do("GET", um, nil), 200, object{"body": good})
	s.Inject(tabnewstest.Fault{On: "login", Fault: "stall_before_store", DelayMS: 1})
	login(t, s, "autora")
	s.Inject(tabnewstest.Fault{On: "user", Fault: "drop_after_store"})
	if r := c.do("GET", "/api/v1/user", nil); r.err == nil {
		t.Errorf("answered %d", r.status)
	}
	s.Inject(tabnewstest.Fault{On: "list", Fault: "status_502_before_store"})
	want(t, c.do("GET", "/api/v1/contents/autora", nil), 502, nil)
}
