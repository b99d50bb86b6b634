package tabnewstest_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"postonce/tabnews/tabnewstest"
)

func firewalled(t *testing.T) (*tabnewstest.Server, *clock, *client) {
	t.Helper()
	clock := newClock()
	s := start(t, tabnewstest.WithClock(clock.Now))
	return s, clock, login(t, s, "autora").at("10.9.9.9")
}

// post creates an article and gives the answer's status.
func (c *client) post(slug string) int {
	return c.do("POST", "/api/v1/contents", article(slug, "published")).status
}

func statusOf(s *tabnewstest.Server, slug string) string {
	if c := stored(s, slug); c != nil {
		return c.Status
	}
	return "absent"
}

func TestThirdCreationIsRefusedAndHidesTenMinutes(t *testing.T) {
	s, clock, c := firewalled(t)
	other := login(t, s, "leitor").at("10.9.9.9")
	c.post("velho")
	clock.pass(20 * time.Second)
	c.post("quase")
	clock.pass(9*time.Minute + 41*time.Second)
	c.create(article("rascunho", "draft"))
	other.create(article("alheio", "published"))
	clock.pass(6 * time.Second)
	apagado := c.create(article("apagado", "published"))
	want(t, c.do("PATCH", "/api/v1/contents/autora/apagado", object{"status": "deleted"}), 200, nil)
	c.post("um")
	id := stored(s, "velho").ID
	c.create(comment(id, "comentario"))
	login(t, s, "autora").at("10.8.8.8").create(article("outro-ip", "published"))
	updated := stored(s, "um").UpdatedAt

	r := c.do("POST", "/api/v1/contents", article("tres", "published"))
	want(t, r, 429, object{"name": "TooManyRequestsError",
		"message": "Identificamos a criação de muitas publicações em um curto período, então publicações criadas recentemente podem ter sido removidas.",
		"action":  "Tente novamente mais tarde ou contate o suporte caso acredite que isso seja um erro."})
	if got := fieldOrder(t, r.raw); got != "name message action status_code error_id request_id" {
		t.Errorf("fields are %s", got)
	}
	if r.header.Get("Retry-After") != "" {
		t.Error("there is a Retry-After")
	}
	for slug, status := range map[string]string{
		"velho": "published", "quase": "firewall", "rascunho": "firewall", "alheio": "firewall", "apagado": "firewall", "um": "firewall",
		"comentario": "published", "outro-ip": "published", "tres": "absent",
	} {
		if got := statusOf(s, slug); got != status {
			t.Errorf("%s is %s, want %s", slug, got, status)
		}
	}
	if at := stored(s, "um").UpdatedAt; !at.Equal(updated) {
		t.Error("hiding moved updated_at")
	}
	want(t, c.do("GET", um, nil), 404, nil)
	want(t, c.do("PATCH", um, object{"status": "published"}), 404, nil)
	clock.pass(6 * time.Second)
	if got := c.post("um"); got != 400 {
		t.Errorf("the slug of a hidden content: %d, want 400", got)
	}
	again := c.create(article("apagado", "draft"))
	if again.text("id") == apagado.text("id") {
		t.Error("the slug of one deleted before it was hidden was not free")
	}
}

func TestRefusedAndFailedCreationsDoNotCount(t *testing.T) {
	s, clock, c := firewalled(t)
	c.post("um")
	clock.pass(2 * time.Second)
	want(t, c.do("POST", "/api/v1/contents", article("um", "draft")), 400, nil)
	want(t, c.do("POST", "/api/v1/contents", object{"title": "x"}), 400, nil)
	if got := c.post("dois"); got != 201 {
		t.Fatalf("second: %d", got)
	}
	want(t, c.do("POST", "/api/v1/contents", object{"title": "x"}), 400, nil)
	want(t, anonymous(t, s).at("10.9.9.9").do("POST", "/api/v1/contents", article("x", "draft")), 403, nil)
	if statusOf(s, "um") != "published" {
		t.Fatal("an invalid or anonymous creation made the firewall fire")
	}
	for range 3 {
		clock.pass(900 * time.Millisecond)
		if got := c.post("tres"); got != 429 {
			t.Fatalf("third: %d", got)
		}
	}
	clock.pass(400 * time.Millisecond) // 5.1 s after the first
	if got := c.post("tres"); got != 201 {
		t.Errorf("as soon as the first is older than 5 s: %d, want 201", got)
	}
}

func TestDuplicateThatWouldBeTheThirdHidesAll(t *testing.T) {
	s, _, c := firewalled(t)
	c.post("um")
	c.post("dois")
	if got := c.post("um"); got != 429 {
		t.Errorf("%d, want 429 before the duplicate check", got)
	}
	if statusOf(s, "um") != "firewall" {
		t.Error("nothing was hidden")
	}
}

func TestEachRefusalHidesAgain(t *testing.T) {
	s, clock, c := firewalled(t)
	c.post("um")
	c.post("dois")
	c.post("tres")
	s.Moderate("autora", "um", "undo")
	clock.pass(time.Second)
	if got := c.post("tres"); got != 429 || statusOf(s, "um") != "firewall" {
		t.Errorf("%d, and the restored one is %s", got, statusOf(s, "um"))
	}
}

func TestFirewallPacing(t *testing.T) {
	for _, row := range []struct {
		apart time.Duration
		third int
	}{{2600 * time.Millisecond, 201}, {2500 * time.Millisecond, 201}, {2450 * time.Millisecond, 429}} {
		_, clock, c := firewalled(t)
		c.post("um")
		clock.pass(row.apart)
		c.post("dois")
		clock.pass(row.apart)
		if got := c.post("tres"); got != row.third {
			t.Errorf("%v apart: %d, want %d", row.apart, got, row.third)
		}
	}
}

func TestCommentsAreCountedApart(t *testing.T) {
	s, _, c := firewalled(t)
	id := c.create(article("um", "published")).text("id")
	c.post("dois")
	c.create(comment(id, "c1"))
	c.create(comment(id, "c2"))
	r := c.do("POST", "/api/v1/contents", comment("0f8fad5b-d9cb-469f-a165-70867728950e", "c3"))
	want(t, r, 429, object{"message": "Identificamos a criação de muitos comentários em um curto período, então comentários criados recentemente podem ter sido removidos."})
	if statusOf(s, "c1") != "firewall" || statusOf(s, "um") != "published" {
		t.Errorf("c1 is %s, um is %s", statusOf(s, "c1"), statusOf(s, "um"))
	}
}

func TestUpdatesAreNotCounted(t *testing.T) {
	_, clock, c := firewalled(t)
	for i := range 6 {
		c.create(article(fmt.Sprintf("r-%d", i), "draft"))
		clock.pass(3 * time.Second)
	}
	for i := range 6 {
		want(t, c.do("PATCH", fmt.Sprintf("/api/v1/contents/autora/r-%d", i), object{"status": "published"}), 200, nil)
	}
}

// What counts is the start of the transaction: a first request that was held up counts later than it was sent.
func TestLateBodyMovesTheWindow(t *testing.T) {
	clock := newClock()
	inside, leave := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s := start(t, tabnewstest.WithClock(clock.Now), tabnewstest.WithPause(func(p tabnewstest.Pause) {
		if p == tabnewstest.PauseBegin {
			once.Do(func() { close(inside); <-leave })
		}
	}))
	c := login(t, s, "autora")
	first := make(chan int, 1)
	go func() { first <- c.post("um") }()
	<-inside
	clock.pass(500 * time.Millisecond)
	close(leave)
	if got := <-first; got != 201 {
		t.Fatalf("first: %d", got)
	}
	clock.pass(2100 * time.Millisecond)
	if got := c.post("dois"); got != 201 {
		t.Fatalf("second: %d", got)
	}
	clock.pass(2600 * time.Millisecond)
	if got := c.post("tres"); got != 429 {
		t.Errorf("third, 5.2 s after the first was sent and 4.7 s after it began: %d, want 429", got)
	}
}

// Requests in flight do not see each other; the next refused one hides them all.
func TestCreationsInFlightAllPass(t *testing.T) {
	var inside sync.WaitGroup
	inside.Add(5)
	leave := make(chan struct{})
	var first sync.Once
	held := 0
	var mu sync.Mutex
	s := start(t, tabnewstest.WithPause(func(p tabnewstest.Pause) {
		mu.Lock()
		held++
		hold := p == tabnewstest.PauseCommit
		mu.Unlock()
		if hold {
			inside.Done()
			<-leave
		}
	}))
	c := login(t, s, "autora")
	var group sync.WaitGroup
	for i := range 5 {
		group.Go(func() {
			if got := c.post(fmt.Sprintf("voo-%d", i)); got != 201 {
				t.Errorf("in flight: %d, want 201", got)
			}
		})
	}
	inside.Wait()
	first.Do(func() { close(leave) })
	group.Wait()
	if got := c.post("mais"); got != 429 {
		t.Errorf("the next: %d, want 429", got)
	}
	for i := range 5 {
		if got := statusOf(s, fmt.Sprintf("voo-%d", i)); got != "firewall" {
			t.Errorf("voo-%d is %s", i, got)
		}
	}
}

func TestClientIP(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	for i, row := range []struct{ forwarded, ip string }{
		{"10.1.1.1", "10.1.1.1"}, {"1.1.1.1, 10.2.2.2", "10.2.2.2"}, {"::1", "127.0.0.1"}, {"::ffff:10.3.3.3", "10.3.3.3"},
	} {
		slug := fmt.Sprintf("ip-%d", i)
		r := c.do("POST", "/api/v1/contents", article(slug, "draft"), "X-Forwarded-For", row.forwarded,
			"X-Real-IP", "9.9.9.9", "CF-Connecting-IP", "9.9.9.9")
		want(t, r, 201, nil)
		if got := stored(s, slug).IP; got != row.ip {
			t.Errorf("%q is taken for %q, want %q", row.forwarded, got, row.ip)
		}
	}
	c.create(article("par", "draft"))
	if got := stored(s, "par").IP; got != "127.0.0.1" {
		t.Errorf("without the header the IP is %q", got)
	}
	failed := object{"name": "InternalServerError", "error_location_code": "INFRA:DATABASE:QUERY", "status_code": 503}
	for _, forwarded := range []string{"abc", "1.1.1.1,2.2.2.2"} {
		want(t, c.do("POST", "/api/v1/contents", article("x", "draft"), "X-Forwarded-For", forwarded), 503, failed)
		want(t, c.do("PATCH", "/api/v1/contents/autora/par", object{"title": "x"}, "X-Forwarded-For", forwarded), 503, failed)
	}
}
