package tabnewstest

import (
	"hash/fnv"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// answer is a response before it is sent, so that a fault can falsify it or send it badly.
type answer struct {
	status  int
	header  http.Header
	body    []byte
	content *Content // of a 201 or 200 that carries one content
	reason  string   // a reason phrase other than the usual
}

func newAnswer(status int, contentType, body string) *answer {
	a := &answer{status: status, header: http.Header{}, body: []byte(body)}
	if contentType != "" {
		a.header.Set("Content-Type", contentType)
	}
	return a
}

func jsonAnswer(status int, v any) *answer {
	a := newAnswer(status, "", "")
	a.setJSON(v)
	return a
}

func contentAnswer(status int, c Content) *answer {
	a := jsonAnswer(status, c.fields())
	a.content = &c
	return a
}

func (a *answer) setJSON(v any) {
	a.header.Set("Content-Type", "application/json; charset=utf-8")
	a.body = appendJSON(nil, v)
}

func (a *answer) isJSON() bool { return strings.Contains(a.header.Get("Content-Type"), "json") }

// accepted tells whether a is a write that was carried out.
func (a *answer) accepted() bool { return a.status == http.StatusCreated || a.status == http.StatusOK }

// tag gives the weak hash that TabNews sends as ETag with every JSON, and the 304 that it makes of a request which
// knows the tag or asks with *: also of a POST that was carried out (TabNews API, section 0).
func (a *answer) tag(r *http.Request) *answer {
	if !a.isJSON() || a.header.Get("Content-Type") == "application/x-ndjson" {
		return a
	}
	hash := fnv.New64a()
	hash.Write(a.body)
	tag := `"` + strconv.FormatUint(hash.Sum64(), 36) + strconv.FormatInt(int64(len(a.body)), 36) + `"`
	a.header.Set("ETag", tag)
	if !knows(r, tag) {
		return a
	}
	unchanged := &answer{status: http.StatusNotModified, header: maps.Clone(a.header), content: a.content}
	unchanged.header.Del("Content-Type")
	return unchanged
}

func knows(r *http.Request, tag string) bool {
	if strings.Contains(r.Header.Get("Cache-Control"), "no-cache") {
		return false
	}
	for known := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		known = strings.TrimPrefix(strings.TrimSpace(known), "W/")
		if known == "*" || known == tag {
			return true
		}
	}
	return false
}

// setEdge adds what every answer of the API carries. Header names that Go would add by itself are left to it.
func (a *answer) setEdge(r *http.Request) {
	h := a.header
	h.Set("Access-Control-Allow-Credentials", "true")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "GET,OPTIONS,PATCH,DELETE,POST,PUT")
	h.Set("Access-Control-Allow-Headers", "X-CSRF-Token, X-Requested-With, Accept, Accept-Version, Content-Length, "+
		"Content-MD5, Content-Type, Date, X-Api-Version")
	if r.ProtoMajor == 1 && !r.Close {
		h.Set("Connection", "keep-alive")
		h.Set("Keep-Alive", "timeout=5")
	}
}
