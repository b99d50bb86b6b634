package tabnewstest

import (
	"net/http"
	"strconv"
)

// behaviour is what a fault does with the requests that meet it.
type behaviour struct {
	on   []string // the kinds that can meet it; nil for all
	meet func(*exchange)
}

var (
	writes    = []string{"create", "update"}
	publicGet = []string{"read", "list"}
)

// behaviours by the name of the fault, in the order of the moments of a request.
var behaviours = map[string]behaviour{
	// While the request is read.
	"drop_before_read": {nil, func(x *exchange) { x.reset() }},
	"drop_in_body":     {writes, dropInBody},
	keepaliveClose:     {nil, func(x *exchange) { x.read(); x.abort() }},

	// Before the store.
	"drop_before_store":    {nil, func(x *exchange) { x.read(); x.reset() }},
	"stall_before_store":   {nil, func(x *exchange) { x.stall(PauseBegin) }},
	"stall_in_transaction": {writes, func(x *exchange) { x.stall(PauseCommit) }},
	"html_403":             {nil, func(x *exchange) { x.read(); x.send(cloudflarePage(http.StatusForbidden)) }},
	"html_429":             {nil, func(x *exchange) { x.read(); x.send(cloudflarePage(http.StatusTooManyRequests)) }},
	"edit_between":         {[]string{"update"}, editBetween},

	// After the store, without an answer that could be read.
	"drop_after_store":     {nil, func(x *exchange) { x.read(); x.answer(); x.reset() }},
	"stall_after_store":    {nil, func(x *exchange) { x.read(); a := x.answer(); x.wait(); x.send(a) }},
	"close_after_headers":  {nil, func(x *exchange) { x.read(); x.sendPart(x.answer(), 0) }},
	"cut_body":             {nil, func(x *exchange) { x.read(); a := x.answer(); x.sendPart(a, afterSlug(a.body)) }},
	"cut_body_early":       {nil, func(x *exchange) { x.read(); a := x.answer(); x.sendPart(a, min(6, len(a.body))) }},
	"slow_drip":            {nil, slowDrip},
	"endless_body":         {nil, endlessBody},
	"wrong_content_length": {nil, wrongContentLength},
	"gzip_unterminated":    {nil, gzipUnterminated},

	// After the store, with an answer that is not TabNews' own.
	"informational_first": {nil, informationalFirst},
	"garbage_201":         {writes, instead(func(*answer) *answer { return newAnswer(201, "application/json", `{"id": ok`) })},
	"html_201":            {writes, instead(func(*answer) *answer { return newAnswer(201, htmlType, "<html><body>ok</body></html>") })},
	"empty_200":           {writes, instead(func(*answer) *answer { return newAnswer(200, "", "") })},
	"empty_204":           {writes, instead(func(*answer) *answer { return newAnswer(204, "", "") })},
	"status_202":          {writes, instead(func(a *answer) *answer { a.status = http.StatusAccepted; return a })},
	"wrong_owner_201":     {writes, falsify(func(c *Content) { c.OwnerUsername, c.OwnerID = "outra", newID() })},
	"wrong_slug_201":      {writes, falsify(func(c *Content) { c.Slug += "-2" })},
	"wrong_status_201":    {writes, falsify(func(c *Content) { c.Status, c.PublishedAt = "draft", nil })},

	// Reads.
	"not_found": {publicGet, func(x *exchange) { x.read(); x.send(x.absent()) }},
	"stale_404": {publicGet, func(x *exchange) { x.read(); a := x.absent(); a.header.Set("Age", "40"); x.send(a) }},
	"diverged":  {[]string{"read"}, diverged},
}

// Faults that come in families: an edge's or TabNews' status before or after the store, errors that lie about a store,
// redirects to a second host.
func init() {
	for _, status := range []int{500, 502, 503, 504, 520, 522, 524} {
		name := "status_" + strconv.Itoa(status)
		behaviours[name+"_before_store"] = behaviour{nil, func(x *exchange) { x.read(); x.send(x.failed(status, true)) }}
		behaviours[name+"_after_store"] = behaviour{nil, func(x *exchange) { x.read(); x.answer(); x.send(x.failed(status, false)) }}
	}
	for _, status := range []int{403, 422, 500, 502} {
		after := func(make func(*exchange) *answer) behaviour {
			return behaviour{nil, func(x *exchange) { x.read(); x.answer(); x.send(make(x)) }}
		}
		name := "_" + strconv.Itoa(status) + "_after_store"
		behaviours["html"+name] = after(func(*exchange) *answer { return cloudflarePage(status) })
		behaviours["foreign_json"+name] = after(func(*exchange) *answer { return foreignJSON(status) })
		behaviours["tabnews_json"+name] = after(func(x *exchange) *answer { return x.q.refuse(lying(status)) })
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		behaviours["redirect_"+strconv.Itoa(status)] = behaviour{nil, func(x *exchange) { x.redirect(status) }}
	}
}
