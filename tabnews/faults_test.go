package tabnews

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"postonce/publication"
	"postonce/tabnews/tabnewstest"
)

// emulated is a fresh emulator and a client that is logged in. With TLS it speaks HTTP/2 to whoever offers it.
func emulated(t *testing.T, withTLS bool, options ...tabnewstest.Option) (*tabnewstest.Server, *Client) {
	t.Helper()
	s := tabnewstest.New(options...)
	start := s.Start
	if withTLS {
		start = s.StartTLS
	}
	if err := start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := newTestClient(t, s.URL(), func(cfg *Config) {
		cfg.Session, cfg.Email, cfg.Password = "", "autora@example.com", "senha-autora-123"
	})
	if withTLS {
		c.trust(s.Certificate())
	}
	if _, err := c.CheckSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, c
}

// arrived counts the requests with a method at the contents.
func arrived(s *tabnewstest.Server, method string) int {
	return len(slices.DeleteFunc(s.Arrivals(), func(a tabnewstest.Arrival) bool {
		return a.Method != method || !strings.HasPrefix(a.Path, "/api/v1/contents")
	}))
}

const (
	accepted = publication.OutcomeAccepted
	rejected = publication.OutcomeRejected
	unknown  = publication.OutcomeUnknown
)

// faultCase is what a fault makes of a write.
type faultCase struct {
	want   publication.Outcome
	words  string
	stored int    // 1: the write had its effect
	hint   string // the slug of the hint
}

// createFaults says what every fault of the emulator makes of a create. Each is one arrival, except the refused
// connection, whose request nobody read.
var createFaults = map[string]faultCase{
	"refuse":               {unknown, "", 0, ""},
	"drop_before_read":     {unknown, "the request was written", 0, ""},
	"drop_in_body":         {unknown, "the request was written", 0, ""},
	"keepalive_close":      {accepted, "accepted", 1, ""}, // no connection is used twice, so the fault is never met
	"drop_before_store":    {unknown, "no answer came: ", 0, ""},
	"stall_before_store":   {unknown, "no answer came: the time was over", 0, ""},
	"stall_in_transaction": {unknown, "no answer came: the time was over", 0, ""},
	"html_403":             {unknown, "403 that is not TabNews' own JSON: somebody in front of TabNews answered (server cloudflare, cf-ray ", 0, ""},
	"html_429":             {unknown, "429 that is not TabNews' own JSON", 0, ""},

	"drop_after_store":     {unknown, "no answer came: ", 1, ""},
	"stall_after_store":    {unknown, "no answer came: the time was over", 1, ""},
	"close_after_headers":  {unknown, "201 seen, then the body stopped after 0 of ", 1, ""},
	"cut_body":             {unknown, "201 seen, then the body stopped after ", 1, "ola"},
	"cut_body_early":       {unknown, "201 seen, then the body stopped after 6 of ", 1, ""},
	"slow_drip":            {unknown, "201 seen, then the body had not ended in time: ", 1, ""},
	"endless_body":         {unknown, "201 seen, then ", 1, "ola"},
	"wrong_content_length": {unknown, "201 seen, but its body is not TabNews' content: its JSON breaks off", 1, "ola"},
	"gzip_unterminated":    {unknown, "201 seen, but its body is not TabNews' content", 1, ""},

	"informational_first": {accepted, "accepted", 1, ""},
	"garbage_201":         {unknown, "201 seen, but its body is not TabNews' content: its JSON breaks off", 1, ""},
	"html_201":            {unknown, "201 seen, but its body is not TabNews' content: it is no JSON", 1, ""},
	"empty_200":           {unknown, "200 seen where TabNews answers 201", 1, ""},
	"empty_204":           {unknown, "204 seen: success without a content", 1, ""},
	"status_202":          {unknown, "202 seen: somebody took the request", 1, "ola"},
	"wrong_owner_201":     {unknown, `201 seen, but it names another owner: "outra" instead of "autora"`, 1, "ola"},
	"wrong_slug_201":      {unknown, `201 seen, but it names another slug: "ola-2" instead of "ola"`, 1, "ola-2"},
	"wrong_status_201":    {unknown, `201 seen, but it names another status: "draft" instead of "published"`, 1, "ola"},

	"status_500_before_store": {unknown, "TabNews answered 500 InternalServerError, which does not prove", 0, ""},
	"status_502_before_store": {unknown, "502 that is not TabNews' own JSON", 0, ""},
	"status_503_before_store": {unknown, "TabNews answered 503 InternalServerError, which does not prove", 0, ""},
	"status_504_before_store": {unknown, "504 that is not TabNews' own JSON: somebody in front of TabNews answered (server Vercel, x-vercel-id ", 0, ""},
	"status_520_before_store": {unknown, "520 that is not", 0, ""},
	"status_522_before_store": {unknown, "522 that is not", 0, ""},
	"status_524_before_store": {unknown, "524 that is not", 0, ""},
	"status_500_after_store":  {unknown, "TabNews answered 500 InternalServerError, which does not prove", 1, ""},
	"status_502_after_store":  {unknown, "502 that is not", 1, ""},
	"status_503_after_store":  {unknown, "503 that is not", 1, ""},
	"status_504_after_store":  {unknown, "504 that is not", 1, ""},
	"status_520_after_store":  {unknown, "520 that is not", 1, ""},
	"status_522_after_store":  {unknown, "522 that is not", 1, ""},
	"status_524_after_store":  {unknown, "524 that is not", 1, ""},

	"html_403_after_store":         {unknown, "403 that is not", 1, ""},
	"html_422_after_store":         {unknown, "422 that is not", 1, ""},
	"html_500_after_store":         {unknown, "500 that is not", 1, ""},
	"html_502_after_store":         {unknown, "502 that is not", 1, ""},
	"foreign_json_403_after_store": {unknown, "403 that is not", 1, ""},
	"foreign_json_422_after_store": {unknown, "422 that is not", 1, ""},
	"foreign_json_500_after_store": {unknown, "500 that is not", 1, ""},
	"foreign_json_502_after_store": {unknown, "502 that is not", 1, ""},
	// A server that lies in TabNews' own exact words cannot be told from TabNews, which never says these after a store.
	"tabnews_json_403_after_store": {rejected, "rejected, nothing was created", 1, ""},
	"tabnews_json_422_after_store": {unknown, "TabNews answered 422 UnprocessableEntityError, which does not prove that nothing was created", 1, ""},
	"tabnews_json_500_after_store": {unknown, "TabNews answered 500", 1, ""},
	"tabnews_json_502_after_store": {unknown, "TabNews answered 502", 1, ""},

	// Over HTTP/2 a client with GetBody would send these again. Ours speaks HTTP/1.1, and meets a reset.
	"h2_refused_stream":             {unknown, "the request was written", 0, ""},
	"h2_refused_stream_after_store": {unknown, "the request was written", 1, ""},
	"h2_rst_stream_after_store":     {unknown, "the request was written", 1, ""},
	"h2_goaway":                     {unknown, "the request was written", 0, ""},
	"h2_goaway_after_store":         {unknown, "the request was written", 1, ""},

	"redirect_301": {unknown, "301 redirect to ", 0, ""},
	"redirect_302": {unknown, "302 redirect to ", 0, ""},
	"redirect_303": {unknown, "303 redirect to ", 0, ""},
	"redirect_307": {unknown, "307 redirect to ", 0, ""},
	"redirect_308": {unknown, "308 redirect to ", 0, ""},
}

// updateFaults are those that make another thing of an update than of a create, beside the words for its own success.
var updateFaults = map[string]faultCase{
	"garbage_201":  {unknown, "201 seen where TabNews answers 200 after it changed", 1, ""},
	"html_201":     {unknown, "201 seen where TabNews answers 200 after it changed", 1, ""},
	"empty_200":    {unknown, "200 seen, but its body is not TabNews' content: it is no JSON", 1, ""},
	"edit_between": {accepted, "accepted", 1, ""}, // TabNews says nothing of the change that came between
	// TabNews asks for no TabCash when a content is changed, so this is no word of its own.
	"tabnews_json_422_after_store": {unknown, "TabNews answered 422 UnprocessableEntityError, which does not prove that nothing was changed", 1, ""},
}

// ofUpdate is what the fault makes of an update.
func ofUpdate(fault string) (faultCase, bool) {
	if c, ok := updateFaults[fault]; ok {
		return c, true
	}
	c, ok := createFaults[fault]
	c.words = strings.NewReplacer("201 seen, ", "200 seen, ", "nothing was created", "nothing was changed").Replace(c.words)
	return c, ok
}

// readFaults are met by reads alone, betweenFaults by updates alone.
var (
	readFaults    = []string{"not_found", "stale_404", "diverged"}
	betweenFaults = []string{"edit_between"}
)

func TestCreateUnderEveryFaultOfTheEmulator(t *testing.T) {
	underEveryFault(t, betweenFaults, func(t *testing.T, name string) {
		c, listed := createFaults[name]
		if !listed {
			t.Fatal("the emulator has a fault of which this table knows nothing: add it")
		}
		s, client := emulated(t, strings.HasPrefix(name, "h2_"))
		s.Inject(tabnewstest.Fault{On: "create", Fault: name, DelayMS: delayOf(name)})
		v := client.Create(t.Context(), samplePayload(), sendByOf(name))
		c.check(t, s, client, v, name, "POST", len(s.Contents()))
	})
}

func TestUpdateUnderEveryFaultOfTheEmulator(t *testing.T) {
	const title = "Olá de novo"
	underEveryFault(t, nil, func(t *testing.T, name string) {
		c, listed := ofUpdate(name)
		if !listed {
			t.Fatal("the emulator has a fault of which this table knows nothing: add it")
		}
		s, client := emulated(t, strings.HasPrefix(name, "h2_"))
		created := client.Create(t.Context(), samplePayload(), soon())
		mustBe(t, created, accepted, "accepted")
		s.Inject(tabnewstest.Fault{On: "update", Fault: name, DelayMS: delayOf(name)})
		v := client.Update(t.Context(), Update{
			Reference: created.Identity.Reference(), ID: created.Identity.ID,
			Patch: publication.Patch{Title: new(title), Status: new(publication.StatusPublished)},
		}, sendByOf(name))
		changed := 0
		if *s.Contents()[0].Title == title {
			changed = 1
		}
		c.check(t, s, client, v, name, "PATCH", changed)
		if got := arrived(s, "POST"); got != 1 {
			t.Errorf("%d creates arrived", got)
		}
	})
}

// underEveryFault tries all faults but those of reads and the others named.
func underEveryFault(t *testing.T, others []string, try func(t *testing.T, name string)) {
	for _, name := range tabnewstest.FaultNames() {
		if slices.Contains(readFaults, name) || slices.Contains(others, name) {
			continue
		}
		t.Run(name, func(t *testing.T) { t.Parallel(); try(t, name) })
	}
}

// check looks at the verdict, and at what the emulator saw and stored.
func (c faultCase) check(t *testing.T, s *tabnewstest.Server, client *Client, v Verdict, fault, method string, stored int) {
	t.Helper()
	mustBe(t, v, c.want, c.words)
	want := 1
	if fault == "refuse" {
		want = 0
	}
	if got := arrived(s, method); got != want {
		t.Errorf("arrivals = %d, want %d", got, want)
	}
	if stored != c.stored && fault != "stall_before_store" && fault != "stall_in_transaction" {
		t.Errorf("stored = %d, want %d", stored, c.stored)
	}
	if hint := v.Evidence.Hint; c.hint != "" && (hint == nil || hint.Slug != c.hint || hint.ID == "") || c.hint == "" && hint != nil && fault != "slow_drip" {
		t.Errorf("hint = %+v, want %q", hint, c.hint)
	}
	if n := len(s.SecondHostArrivals()); n != 0 {
		t.Errorf("%d requests reached the second host", n)
	}
	mustHoldNoSecret(t, client, v)
}

// delayOf makes stalls longer than any send, and a drip slow enough to be cut.
func delayOf(fault string) int {
	switch {
	case strings.HasPrefix(fault, "stall"):
		return 60_000
	case fault == "slow_drip":
		return 20
	}
	return 0
}

func sendByOf(fault string) time.Time {
	if delayOf(fault) > 0 {
		return time.Now().Add(500 * time.Millisecond)
	}
	return soon()
}

// mustHoldNoSecret looks for the client's session and password in everything that can be stored or shown.
func mustHoldNoSecret(t *testing.T, c *Client, shown any) {
	t.Helper()
	text, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	all := string(text)
	if e, ok := shown.(error); ok {
		all += e.Error()
	}
	session, _ := c.identity()
	for _, secret := range []string{session, c.cfg.Session, c.cfg.Password, "senha-autora"} {
		if secret != "" && strings.Contains(all, secret[:min(12, len(secret))]) {
			t.Errorf("a secret is in %s", all)
		}
	}
}

func TestReadsUnderEveryFaultOfTheEmulator(t *testing.T) {
	for _, name := range tabnewstest.FaultNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, client := emulated(t, false)
			if v := client.Create(t.Context(), samplePayload(), soon()); v.Outcome != accepted {
				t.Fatal(v.Evidence.Summary)
			}
			if !injectable(s, tabnewstest.Fault{On: "read", Fault: name, DelayMS: delayOf(name)}) {
				return // this fault is met by writes alone; TestCreateUnderEveryFaultOfTheEmulator has it
			}
			ctx, cancel := context.WithDeadline(t.Context(), sendByOf(name))
			defer cancel()
			content, err := client.Content(ctx, publication.Reference{Owner: "autora", Slug: "ola"})
			if err == nil && name != "diverged" && content.Body != samplePayload().Body {
				t.Errorf("read %+v", content)
			}
			var absent *NotFoundError
			if errors.As(err, &absent) != (name == "not_found") {
				t.Errorf("%v is taken for an absence", err)
			}
			if n := len(s.SecondHostArrivals()); n != 0 {
				t.Errorf("%d requests reached the second host", n)
			}
			if err != nil {
				mustHoldNoSecret(t, client, err)
			}
		})
	}
}

// TestContentGoesRoundASharedCache has one in front of TabNews that goes on telling the 404 from before the creation.
func TestContentGoesRoundASharedCache(t *testing.T) {
	s, client := emulated(t, false, tabnewstest.WithCache())
	ref := publication.Reference{Owner: "autora", Slug: "ola"}
	cached := func() (status int, age string) {
		resp, err := http.Get(s.URL() + "/api/v1/contents/autora/ola")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode, resp.Header.Get("Age")
	}
	cached()
	var absent *NotFoundError
	if _, err := client.Content(t.Context(), ref); !errors.As(err, &absent) {
		t.Fatal(err)
	}
	mustBe(t, client.Create(t.Context(), samplePayload(), soon()), accepted, "accepted")
	if status, age := cached(); status != 404 || age == "" {
		t.Fatalf("the cache is not in front: %d, age %q", status, age)
	}
	if content, err := client.Content(t.Context(), ref); err != nil || content.Body != samplePayload().Body {
		t.Errorf("%+v, %v", content, err)
	}
}

// injectable arms f unless the emulator says that no such request can meet it.
func injectable(s *tabnewstest.Server, f tabnewstest.Fault) (ok bool) {
	defer func() { ok = recover() == nil }()
	s.Inject(f)
	return
}
