package tabnewstest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"time"
)

// stall waits at a pause of a write; what has no such pause waits before it is answered.
func (x *exchange) stall(p Pause) {
	x.read()
	switch x.kind {
	case "create":
		x.stallAt = p
	case "update":
		x.stallAt = PauseWrite
	default:
		x.wait()
	}
	x.send(x.answer())
}

func dropInBody(x *exchange) {
	x.q.Body.Read(make([]byte, max(1, x.q.ContentLength/2)))
	x.reset()
}

// instead answers another thing after the store; a refusal stays what it is, for nothing was stored.
func instead(make func(*answer) *answer) func(*exchange) {
	return func(x *exchange) {
		x.read()
		a := x.answer()
		if a.accepted() {
			a = make(a)
		}
		x.send(a)
	}
}

// falsify makes the answer's content another than the stored one.
func falsify(change func(*Content)) func(*exchange) {
	return instead(func(a *answer) *answer {
		c := *a.content
		change(&c)
		return contentAnswer(a.status, c)
	})
}

// afterSlug gives where to cut a JSON body so that id, owner_id and slug can be read in what is left.
func afterSlug(body []byte) int {
	const slug = `"slug":"`
	from := bytes.Index(body, []byte(slug))
	if from < 0 {
		return len(body) / 2
	}
	from += len(slug)
	return from + bytes.IndexByte(body[from:], '"') + 2 // the quote and the comma
}

func slowDrip(x *exchange) {
	x.read()
	a := x.answer()
	x.head(a, len(a.body))
	for i := range a.body {
		x.Write(a.body[i : i+1])
		x.flush()
		x.wait()
	}
}

// endlessBody sends the content and goes on inside the same JSON object until the client leaves.
func endlessBody(x *exchange) {
	x.read()
	a := x.answer()
	x.head(a, -1)
	x.Write(append(bytes.TrimSuffix(a.body, []byte("}")), `,"more":"`...))
	filler := bytes.Repeat([]byte("a"), 16<<10)
	pace := time.NewTicker(time.Millisecond)
	defer pace.Stop()
	for {
		if _, err := x.Write(filler); err != nil {
			x.abort()
		}
		x.flush()
		select {
		case <-x.state.done:
			x.abort()
		case <-x.q.Context().Done():
			x.abort()
		case <-pace.C:
		}
	}
}

// wrongContentLength claims half of what it sends, so that the client reads half a JSON without an error.
func wrongContentLength(x *exchange) {
	x.read()
	a := x.answer()
	whole := a.body
	a.body = a.body[:len(a.body)/2]
	x.send(a)
	x.flush()
	if conn, _, err := http.NewResponseController(x.ResponseWriter).Hijack(); err == nil {
		conn.Write(whole[len(a.body):])
		conn.Close()
	}
}

// gzipUnterminated compresses the answer and leaves out the end of the compressed stream.
func gzipUnterminated(x *exchange) {
	x.read()
	a := x.answer()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(a.body)
	z.Flush() // and never closed
	a.body = packed.Bytes()
	a.header.Set("Content-Encoding", "gzip")
	x.send(a)
}

func informationalFirst(x *exchange) {
	x.read()
	x.Header().Set("Link", "</style.css>; rel=preload")
	x.WriteHeader(http.StatusEarlyHints)
	x.Header().Del("Link")
	x.send(x.answer())
}

// absent is the 404 of a content that is not there.
func (x *exchange) absent() *answer {
	a := x.q.refuse(slugNotFound("GET_HANDLER"))
	a.header.Set("Cache-Control", sharedCache)
	return a.tag(x.q.Request)
}

// diverged answers with a text that is not the stored one.
func diverged(x *exchange) {
	x.read()
	a := x.answer()
	if a.content != nil {
		c := *a.content
		c.Body += "\n\n" + byAnother
		cache := a.header.Get("Cache-Control")
		a = contentAnswer(a.status, c)
		a.setJSON(append(c.fields(), field{"children_deep_count", 0}))
		a.header.Set("Cache-Control", cache)
	}
	x.send(a)
}

// redirect sends the client to the second host.
func (x *exchange) redirect(status int) {
	x.read()
	host, err := x.server.secondHost()
	if err != nil {
		x.send(newAnswer(http.StatusInternalServerError, "text/plain", fmt.Sprint("no second host: ", err)))
		return
	}
	a := newAnswer(status, "", "")
	a.header.Set("Location", host.url()+x.q.URL.RequestURI())
	x.send(a)
}
