package tabnews

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"

	"postonce/publication"
)

// Verdict is all that is known of one send.
type Verdict struct {
	Outcome  publication.Outcome   // accepted, rejected, not_sent or unknown
	Identity *publication.Identity // when accepted
	Stored   *Content              // when accepted: the content as TabNews stored it, which the answer tells
	Evidence publication.Evidence
}

// write is a change that is asked of TabNews, and the answer that accepts it. Creates and updates differ in it alone:
// one request, the gate, the trace, the judgement and the evidence are the same for both.
type write struct {
	method   string
	path     []string // below /api/v1
	body     []byte
	success  int       // the status of an acceptance
	did      string    // the word for what an acceptance did: created, changed
	refusals []refusal // which prove that this request did nothing
	problem  error     // makes the send pointless before a connection is made

	// What the answer must name.
	id       string                      // empty: any
	slug     string                      // as it is afterwards
	statuses []publication.ContentStatus // one of them
	parent   *string                     // empty: a root; nil: not asked for
}

var (
	errSendBy   = errors.New("the time for the send was over")
	errSlowBody = errors.New("the answer's body took longer than ReadTimeout")
)

// send makes the one request that w asks for, and judges what is seen.
func (c *Client) send(ctx context.Context, w write, sendBy time.Time) Verdict {
	asked := request{write: w, host: c.base.Host}
	seen := answer{started: time.Now()}
	session, account := c.identity()
	asked.account = account
	if err := c.ready(ctx, session, asked, sendBy); err != nil {
		seen.err = err
	} else {
		c.exchange(ctx, session, &asked, &seen, sendBy)
	}
	seen.duration = time.Since(seen.started)
	return c.secrets.verdict(classify(asked, seen))
}

func (c *Client) identity() (session, account string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session, c.account
}

// ready names what makes a send pointless before a connection is made.
func (c *Client) ready(ctx context.Context, session string, asked request, sendBy time.Time) error {
	switch {
	case session == "":
		return errNoSession
	case asked.account == "":
		return errNoAccount
	case asked.problem != nil:
		return asked.problem
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", errCancelled, context.Cause(ctx))
	case !c.now().Round(0).Before(sendBy.Round(0)):
		return errPastSendBy
	}
	return nil
}

var (
	errNoSession = errors.New("no session is known: CheckSession must come first")
	errCancelled = errors.New("it was cancelled before it began")
	errNoAccount = errors.New("the session's account is not known: CheckSession must come first")
)

// exchange makes the request and notes what is seen.
func (c *Client) exchange(ctx context.Context, session string, asked *request, seen *answer, sendBy time.Time) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	over := time.AfterFunc(time.Until(sendBy.Round(0)), func() { cancel(errSendBy) })
	defer over.Stop()

	g, t := newGate(sendBy, c.limits.write, c.now), &trace{}
	req := c.newRequest(httptrace.WithClientTrace(ctx, t.hooks(g)), session, asked.write)
	via, err := c.proxyFor(req)
	if err != nil {
		seen.err = err
		return
	}
	asked.proxy = proxyHost(via)
	tr := c.newSendTransport(via, g, t)
	defer tr.CloseIdleConnections()

	// A RoundTripper never follows a redirect and knows no cookie jar (net/http, RoundTripper).
	resp, err := tr.RoundTrip(req)
	if err == nil {
		t.reach(phaseBody)
		c.readAnswer(resp, seen, t, cancel)
	}
	asked.sent = g.seal()
	seen.phase, seen.err = t.phase(), err
}

// readAnswer reads a bounded body within ReadTimeout.
func (c *Client) readAnswer(resp *http.Response, seen *answer, t *trace, cancel context.CancelCauseFunc) {
	defer resp.Body.Close()
	seen.status, seen.header, seen.length = resp.StatusCode, resp.Header, resp.ContentLength
	if c.limits.read > 0 {
		slow := time.AfterFunc(c.limits.read, func() { cancel(errSlowBody) })
		defer slow.Stop()
	}
	seen.body, seen.bodyErr = io.ReadAll(io.LimitReader(resp.Body, bodyLimit+1))
	if len(seen.body) > bodyLimit {
		seen.body, seen.tooLong = seen.body[:bodyLimit], true
	}
	if seen.bodyErr == nil && !seen.tooLong {
		t.reach(phaseAnswered)
	}
}

// newRequest makes the one request. GetBody stays nil, and there is no idempotency or conditional header: each of them
// makes some net/http send a request again, and If-None-Match makes TabNews hide a write that was carried out behind a
// 304 (TabNews API, "Identity and the unknown outcome").
func (c *Client) newRequest(ctx context.Context, session string, w write) *http.Request {
	req := &http.Request{
		Method: w.method, URL: c.url(url.Values{}, w.path...), Host: c.base.Host,
		Header:        c.header(session),
		Body:          io.NopCloser(bytes.NewReader(w.body)),
		ContentLength: int64(len(w.body)),
	}
	req.Header.Set(headerContentType, jsonMediaType)
	return req.WithContext(ctx)
}

// header is what every request carries. The session goes into it by hand: a cookie jar would keep it from an http
// address.
func (c *Client) header(session string) http.Header {
	h := http.Header{
		"User-Agent": {c.userAgent()},
		"Accept":     {jsonMediaType},
		// Compressed answers are not asked for, so that what is read is what was sent, and its length is known.
		"Accept-Encoding": {"identity"},
	}
	if session != "" {
		h.Set("Cookie", "session_id="+session)
	}
	return h
}
