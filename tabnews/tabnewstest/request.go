package tabnewstest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// maxRequestBody is TabNews' limit; beyond it the answer is a 413.
const maxRequestBody = 1 << 20

// request is a request whose headers were read, and later its body.
type request struct {
	*http.Request
	store *store
	ip    string
	hold  func(Pause)
	names []string // user and slug of the path
	body  any      // JSON or form as TabNews parses it, else the text
}

// pathValues are the user and the slug of the path, for validation.
func (q *request) pathValues() map[string]any {
	v := map[string]any{}
	for i, key := range []string{"username", "slug"} {
		if i < len(q.names) {
			v[key] = q.names[i]
		}
	}
	return v
}

// plainError is what TabNews answers in plain text before its handler is reached (TabNews API, section 1, Not JSON).
type plainError struct {
	status int
	text   string
}

func (e *plainError) Error() string { return e.text }

// errCutShort is a body that ended before it was complete: nothing is answered and nothing happens.
var errCutShort = errors.New("the request's body was cut short")

// readBody reads and parses the body. An error is a *plainError or errCutShort.
func (q *request) readBody() error {
	raw, err := io.ReadAll(io.LimitReader(q.Body, maxRequestBody+1))
	switch {
	case err != nil:
		return errCutShort
	case len(raw) > maxRequestBody:
		io.Copy(io.Discard, io.LimitReader(q.Body, 16*maxRequestBody)) // else the client's write fails before it reads
		return &plainError{http.StatusRequestEntityTooLarge, "Body exceeded 1mb limit"}
	}
	mediaType, _, _ := mime.ParseMediaType(q.Header.Get("Content-Type"))
	text := decodeUTF8(raw)
	switch mediaType {
	case "application/json", "application/ld+json":
		if text == "" {
			q.body = map[string]any{}
			return nil
		}
		if q.body, err = parseJSON(text); err != nil {
			return &plainError{http.StatusBadRequest, "Invalid JSON"}
		}
	case "application/x-www-form-urlencoded":
		q.body = formOf(text)
	default:
		q.body = text
	}
	return nil
}

func formOf(text string) map[string]any {
	sent, _ := url.ParseQuery(text)
	form := map[string]any{}
	for key, list := range sent {
		if form[key] = list[0]; len(list) > 1 {
			form[key] = list // no string, as at TabNews
		}
	}
	return form
}

// decodeUTF8 reads bytes as the WHATWG decoder does: a byte order mark in front is dropped, and each broken sequence,
// as far as it could have been a character, becomes one U+FFFD.
func decodeUTF8(raw []byte) string {
	raw = bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF"))
	if utf8.Valid(raw) {
		return string(raw)
	}
	var text strings.Builder
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		if r == utf8.RuneError && size == 1 {
			size = brokenLength(raw)
		}
		text.WriteRune(r)
		raw = raw[size:]
	}
	return text.String()
}

// brokenLength gives how many bytes of a broken sequence belong together: those that some following byte could still
// have completed.
func brokenLength(raw []byte) int {
	for n := min(3, len(raw)); n > 1; n-- {
		if !utf8.FullRune(raw[:n]) {
			return n
		}
	}
	return 1
}

// parseJSON parses as JSON.parse does, but for half a surrogate pair written as an escape: there it is an invisible
// character until it is stored as U+FFFD, here it is U+FFFD from the start.
func parseJSON(text string) (any, error) {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the JSON value")
	}
	return v, nil
}
