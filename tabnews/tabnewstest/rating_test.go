package tabnewstest_test

import (
	"fmt"
	"testing"
	"time"

	"postonce/tabnews/tabnewstest"
)

const negative = "MODEL:CONTENT:CREDIT_OR_DEBIT_TABCOINS:NEGATIVE_USER_EARNINGS"

func short(slug string) object {
	return object{"title": "T", "slug": slug, "body": "curto", "status": "published"}
}

// each gives the client an IP of its own for every request, so that the firewall stays out of the way.
func (c *client) each(i int) *client { return c.at(fmt.Sprintf("10.7.%d.%d", i/250, i%250+1)) }

func TestFourthLowValueRootIsRefused(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	for i := range 3 {
		want(t, c.each(i).do("POST", "/api/v1/contents", short(fmt.Sprintf("c-%d", i))), 201, object{"tabcoins": 0})
	}
	want(t, c.each(4).do("POST", "/api/v1/contents", short("c-3")), 403, object{"name": "ForbiddenError", "error_location_code": negative,
		"message": "Não é possível publicar porque há outras publicações mal avaliadas que ainda não foram excluídas."})
	want(t, c.each(5).do("POST", "/api/v1/contents", article("bom", "published")), 403, nil)
	want(t, c.each(6).do("POST", "/api/v1/contents", article("rascunho", "draft")), 201, nil)
	want(t, c.do("PATCH", "/api/v1/contents/autora/rascunho", object{"status": "published"}), 403, object{"error_location_code": negative})
	if got := statusOf(s, "rascunho"); got != "draft" {
		t.Errorf("the draft is %s", got)
	}
	if got := statusOf(s, "c-3"); got != "absent" {
		t.Errorf("the refused one is %s", got)
	}
	want(t, control(t, s, "settings", object{"rating_rule": false}), 200, object{"rating_rule": false})
	want(t, c.each(7).do("POST", "/api/v1/contents", short("c-4")), 201, nil)
}

func TestFifthReplyToOneselfIsRefused(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	id := c.create(article("raiz", "published")).text("id")
	for i := range 4 {
		want(t, c.each(i).do("POST", "/api/v1/contents", comment(id, fmt.Sprintf("r-%d", i))), 201, object{"tabcoins": 0})
	}
	want(t, c.each(9).do("POST", "/api/v1/contents", comment(id, "r-4")), 403, object{"error_location_code": negative})
}

func TestTwelveGoodRootsPass(t *testing.T) {
	c := login(t, start(t), "autora")
	for i := range 12 {
		want(t, c.each(i).do("POST", "/api/v1/contents", article(fmt.Sprintf("b-%d", i), "published")), 201, object{"tabcoins": 1})
	}
}

func TestOldOnesAlwaysCount(t *testing.T) {
	clock := newClock()
	s := start(t, tabnewstest.WithClock(clock.Now))
	c := login(t, s, "autora")
	c.each(1).create(short("velho"))
	clock.pass(49 * time.Hour)
	want(t, c.each(2).do("POST", "/api/v1/contents", article("novo", "published")), 403, object{"error_location_code": negative})
	free := start(t, tabnewstest.WithClock(clock.Now), tabnewstest.WithoutRatingRule())
	d := login(t, free, "autora")
	d.each(1).create(short("velho"))
	clock.pass(49 * time.Hour)
	d.each(2).create(article("novo", "published"))
}

func TestWhatEarnsATabCoin(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	for i, row := range []struct {
		body string
		coin int
	}{
		{"aaaaa bbbbb ccccc ddddd eeeee", 1},
		{"AAAAA BBBBB CCCCC DDDDD EEEEE", 1},
		{"aaaaa bbbbb ccccc ddddd", 0},
		{"publicação reação ligação criação canção", 0},
	} {
		slug := fmt.Sprintf("m-%d", i)
		r := c.each(i).do("POST", "/api/v1/contents", object{"title": "T", "slug": slug, "body": row.body, "status": "published"})
		want(t, r, 201, object{"tabcoins": row.coin})
		c.do("PATCH", "/api/v1/contents/autora/"+slug, object{"status": "deleted"})
	}
}
