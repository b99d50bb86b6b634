package tabnewstest

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
)

const htmlType = "text/html; charset=UTF-8"

// failed is an answer that leaves open whether anything was stored: TabNews' own bare 500, its word for a database that
// fails (only ever before the store), else a page of what stands before it (TabNews API, section 8).
func (x *exchange) failed(status int, beforeStore bool) *answer {
	switch {
	case status == http.StatusInternalServerError:
		return x.q.own(internalError(status, ""))
	case status == http.StatusServiceUnavailable && beforeStore:
		return x.q.own(databaseFailed())
	case status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout:
		return vercelPage(status)
	}
	return cloudflarePage(status)
}

// own is a refusal with the Cache-Control that a write's answer has.
func (q *request) own(ref *refusal) *answer {
	a := q.refuse(ref)
	a.header.Set("Cache-Control", noCache)
	return a
}

// lying is a refusal in TabNews' own words that does not hold, for the content was stored.
func lying(status int) *refusal {
	switch status {
	case http.StatusForbidden:
		return cannotRequest("create:content")
	case http.StatusUnprocessableEntity:
		return &refusal{
			name: "UnprocessableEntityError", message: "Não foi possível criar a publicação.",
			action: "Você precisa de pelo menos 100 TabCash para realizar esta ação.", status: status,
			code: "MODEL:CONTENT:UPDATE_TABCASH:NOT_ENOUGH",
		}
	}
	return internalError(status, "")
}

// foreignJSON is an error of somebody else.
func foreignJSON(status int) *answer {
	return jsonAnswer(status, object{{"error", object{{"code", status}, {"message", "request blocked"}}}})
}

// edgeWords are the titles of Cloudflare's pages, by status.
var edgeWords = map[int]string{
	403: "Attention Required!", 429: "You are being rate limited", 502: "Bad gateway", 504: "Gateway time-out",
	520: "Web server is returning an unknown error", 522: "Connection timed out", 524: "A timeout occurred",
}

func cloudflarePage(status int) *answer {
	words := edgeWords[status]
	if words == "" {
		words = http.StatusText(status)
	}
	ray := randomHex(8)
	a := newAnswer(status, htmlType, fmt.Sprintf("<!DOCTYPE html>\n<html lang=\"en-US\"><head><title>www.tabnews.com.br | "+
		"%d: %s</title></head>\n<body><h1>Error %d</h1><p>%s</p><p>Cloudflare Ray ID: %s</p></body></html>\n",
		status, words, status, words, ray))
	a.header.Set("Server", "cloudflare")
	a.header.Set("Cf-Ray", ray+"-GRU")
	a.header.Set("Cache-Control", "private, max-age=0, no-store, no-cache, must-revalidate, post-check=0, pre-check=0")
	return a
}

func vercelPage(status int) *answer {
	id := "gru1::iad1::" + randomHex(12)
	code := "FUNCTION_INVOCATION_TIMEOUT"
	if status != http.StatusGatewayTimeout {
		code = "FUNCTION_THROTTLED"
	}
	a := newAnswer(status, "text/html; charset=utf-8", fmt.Sprintf("<!doctype html><html><head><title>%d: %s</title></head>"+
		"<body><p>An error occurred with this application.</p><p>%s</p><p>ID: %s</p></body></html>\n",
		status, http.StatusText(status), code, id))
	a.header.Set("Server", "Vercel")
	a.header.Set("X-Vercel-Id", id)
	a.header.Set("X-Vercel-Error", code)
	return a
}

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails (crypto/rand)
	return hex.EncodeToString(b)
}
