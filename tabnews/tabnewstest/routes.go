package tabnewstest

import (
	"errors"
	"net/http"
	"strings"
)

const apiRoot = "/api/v1/"

// The two values of Cache-Control (TabNews API, section 1).
const (
	sharedCache = "public, s-maxage=10, stale-while-revalidate"
	noCache     = "no-cache, no-store, max-age=0, must-revalidate"
)

// endpoint is what answers one method of one route.
type endpoint struct {
	serve func(*request) (*answer, *refusal)
	cache func(status int) string
}

func always(value string) func(int) string { return func(int) string { return value } }

// onlyReached: GET user carries no Cache-Control when the cookie was malformed or the database failed.
func onlyReached(status int) string {
	if status == http.StatusBadRequest || status == http.StatusServiceUnavailable {
		return ""
	}
	return noCache
}

// endpoints by route, then method; HEAD is answered as GET.
var endpoints = map[string]map[string]endpoint{
	"sessions": {
		http.MethodPost:   {(*request).login, always(noCache)},
		http.MethodDelete: {(*request).logout, always(noCache)},
	},
	"user": {http.MethodGet: {(*request).whoami, onlyReached}},
	"contents": {
		http.MethodGet:  {(*request).list, always(sharedCache)},
		http.MethodPost: {(*request).create, always(noCache)},
	},
	"contents/user": {http.MethodGet: {(*request).listOf, always(sharedCache)}},
	"contents/user/slug": {
		http.MethodGet:   {(*request).readOne, always(sharedCache)},
		http.MethodPatch: {(*request).update, always(noCache)},
	},
	"contents/user/slug/children": {http.MethodGet: {(*request).readChildren, always(sharedCache)}},
	"contents/user/slug/parent":   {http.MethodGet: {(*request).readParent, always(sharedCache)}},
	"contents/user/slug/root":     {http.MethodGet: {(*request).readRoot, always(sharedCache)}},
}

// route gives the route of a path and the names in it; ok is false for a path that TabNews does not have.
func route(path string) (pattern string, names []string, ok bool) {
	rest, ok := strings.CutPrefix(path, apiRoot)
	if !ok {
		return "", nil, false
	}
	parts := strings.Split(rest, "/")
	if parts[0] == "contents" && len(parts) > 1 {
		names = parts[1:min(3, len(parts))]
		parts = append([]string{"contents", "user", "slug"}[:1+len(names)], parts[1+len(names):]...)
	}
	for _, n := range names {
		if n == "" {
			return "", nil, false
		}
	}
	pattern = strings.Join(parts, "/")
	_, ok = endpoints[pattern]
	return pattern, names, ok
}

// kindOf names a request as a Fault's On does, "" for one that no fault meets.
func kindOf(method, path string) string {
	pattern, _, _ := route(path)
	if method == http.MethodHead {
		method = http.MethodGet
	}
	switch {
	case pattern == "contents" && method == http.MethodPost:
		return "create"
	case pattern == "contents/user/slug" && method == http.MethodPatch:
		return "update"
	case strings.HasPrefix(pattern, "contents/user/slug") && method == http.MethodGet:
		return "read"
	case strings.HasPrefix(pattern, "contents") && method == http.MethodGet:
		return "list"
	case pattern == "sessions" && method == http.MethodPost:
		return "login"
	case pattern == "user" && method == http.MethodGet:
		return "user"
	}
	return ""
}

// respond answers a request whose body was read, with bodyErr as the outcome of that.
func (q *request) respond(bodyErr error) *answer {
	if path, slash := strings.CutSuffix(q.URL.Path, "/"); slash && path != "" {
		a := newAnswer(http.StatusPermanentRedirect, "", path)
		if q.URL.RawQuery != "" {
			path += "?" + q.URL.RawQuery
		}
		a.header.Set("Location", path)
		return a
	}
	pattern, names, ok := route(q.URL.Path)
	if !ok {
		return newAnswer(http.StatusNotFound, "text/html; charset=utf-8", pageNotFound)
	}
	var plain *plainError
	if errors.As(bodyErr, &plain) {
		a := newAnswer(plain.status, "", plain.text)
		a.reason = plain.text
		return a
	}
	if q.Method == http.MethodOptions {
		return newAnswer(http.StatusOK, "", "")
	}
	method := q.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	q.names = names
	e, ok := endpoints[pattern][method]
	if !ok {
		return q.refuse(methodNotAllowed(q.Method, q.URL.Path)).tag(q.Request)
	}
	a, ref := e.serve(q)
	if ref != nil {
		a = q.refuse(ref)
	}
	if value := e.cache(a.status); value != "" {
		a.header.Set("Cache-Control", value)
	}
	return a.tag(q.Request)
}

// refuse renders a refusal. The request's own x-vercel-id is its request_id; every 401 clears the cookie.
func (q *request) refuse(ref *refusal) *answer {
	requestID := q.Header.Get("X-Vercel-Id")
	if requestID == "" {
		requestID = newID()
	}
	a := jsonAnswer(ref.status, ref.fields(newID(), requestID))
	if ref.status == http.StatusUnauthorized {
		a.header.Set("Set-Cookie", clearedCookie)
	}
	return a
}

const pageNotFound = `<!DOCTYPE html><html lang="pt-br"><head><title>Página não encontrada · TabNews</title></head>` +
	`<body><h1>Não encontramos esta página</h1></body></html>`
