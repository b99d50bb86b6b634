package tabnews

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"postonce/publication"
)

// call is one request that may be repeated: a login or a read.
type call struct {
	op      string // for errors: what is being done
	method  string
	url     *url.URL
	session string // empty: anonymous
	body    []byte
	want    int  // the status that is a success
	fresh   bool // a cache's copy is refused
}

// reply is the answer to a call, with the status that was wanted.
type reply struct {
	op     string
	status int
	header http.Header
	body   []byte
	text   func(string) string // takes secrets out
}

// call makes the request once and gives the answer when it has the wanted status. TabNews' own errors are
// publication.APIErrors, without secrets.
func (c *Client) call(ctx context.Context, k call) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, c.limits.forReads().total())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, k.method, k.url.String(), bytes.NewReader(k.body))
	if err != nil {
		return reply{}, fmt.Errorf("%s: %w", k.op, err)
	}
	req.Header = c.header(k.session)
	if k.body != nil {
		req.Header.Set(headerContentType, jsonMediaType)
	}
	via, err := c.proxyFor(req)
	if err != nil {
		return reply{}, fmt.Errorf("%s: %w", k.op, err)
	}
	resp, err := c.reader.Do(req)
	if err != nil {
		return reply{}, c.transportError(k.op, proxyHost(via), err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, bodyLimit+1))
	answer := reply{op: k.op, status: resp.StatusCode, header: resp.Header, body: body, text: c.secrets.text}
	switch {
	case err != nil && ctx.Err() != nil:
		return reply{}, c.transportError(k.op, proxyHost(via), err)
	case err != nil:
		return reply{}, answer.unusable(fmt.Sprintf("its body stopped after %d bytes: %v", len(body), err))
	case len(body) > bodyLimit:
		return reply{}, answer.unusable(fmt.Sprintf("its body is longer than %d bytes", bodyLimit))
	case k.fresh && resp.StatusCode <= http.StatusNotFound && answer.stale() != "":
		return reply{}, answer.unusable(answer.stale())
	case resp.StatusCode != k.want:
		return reply{}, c.refused(answer, proxyHost(via))
	}
	return answer, nil
}

// transportError keeps the transport's own words, without its address line and without secrets.
func (c *Client) transportError(op, proxy string, err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return &TransportError{Op: op, Proxy: proxy, Text: publication.Clip(c.secrets.text(err.Error()), publication.EvidenceBodyLimit), cause: err}
}

// refused tells apart who refused: TabNews, or somebody in front of it.
func (c *Client) refused(answer reply, proxy string) error {
	if api := parseAPIError(answer.status, answer.header, answer.body); api != nil {
		return fmt.Errorf("%s: %w", answer.op, c.secrets.apiError(api))
	}
	switch {
	case answer.status >= 400:
		return c.edgeError(answer, proxy)
	case answer.status >= 300:
		return answer.unusable("a redirect to " + quote(answer.header.Get("Location")) + ", not followed")
	default:
		return answer.unusable("another status than TabNews answers here")
	}
}

func (c *Client) edgeError(answer reply, proxy string) *EdgeError {
	kept := func(name string) string {
		return publication.Clip(c.secrets.text(answer.header.Get(name)), headerTextLimit)
	}
	return &EdgeError{
		Status: answer.status, Server: kept("Server"), CFRay: kept("Cf-Ray"), VercelID: kept("X-Vercel-Id"),
		ContentType: kept(headerContentType), Proxy: proxy,
		Body: publication.Clip(c.secrets.text(string(answer.body)), publication.EvidenceBodyLimit),
	}
}

func (r reply) unusable(reason string) *AnswerError {
	return &AnswerError{Op: r.op, Status: r.status, Reason: publication.Clip(r.text(reason), summaryLimit)}
}

// decode reads the answer's JSON.
func (r reply) decode(into any) error {
	if err := json.Unmarshal(r.body, into); err != nil {
		return r.unusable("it is not the JSON that TabNews gives here: " + err.Error())
	}
	return nil
}

// stale says why an answer may be a cache's old copy; empty: it came from TabNews itself. A shared cache tells by Age
// (RFC 9111 section 5.1), Cloudflare and Vercel by their own headers too.
func (r reply) stale() string {
	if text := r.header.Get("Age"); text != "" {
		if age, err := strconv.Atoi(text); err != nil || age > 0 {
			return "it is a cache's copy, " + quote(text) + " seconds old"
		}
	}
	for _, name := range []string{"Cf-Cache-Status", "X-Vercel-Cache"} {
		switch status := r.header.Get(name); status {
		case "HIT", "STALE", "UPDATING":
			return "it is a cache's copy (" + name + ": " + status + ")"
		}
	}
	return ""
}
