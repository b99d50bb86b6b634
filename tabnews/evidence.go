package tabnews

import (
	"net/http"
	"strings"

	"postonce/publication"
)

// keptHeaders are the answer's headers that help: who answered, when, and their names for the request.
var keptHeaders = []string{
	"cf-ray", "x-vercel-id", "date", "age", "content-type", "content-encoding", "content-length", "location", "server",
}

// summaryLimit bounds a line for people, and headerTextLimit a kept header, in bytes.
const (
	summaryLimit    = 400
	headerTextLimit = 256
)

// evidence writes down what was seen, without a judgement. The body is still whole here: the redactor must see it before
// it is clipped, else half a secret could remain.
func evidence(asked request, seen answer) publication.Evidence {
	e := publication.Evidence{
		Phase: seen.phase.String(), RequestBytes: asked.sent.written, HTTPStatus: seen.status,
		Headers: headerSubset(seen.header), Body: string(seen.body), Proxy: asked.proxy,
		StartedAt: seen.started.UTC(), DurationMS: seen.duration.Milliseconds(),
	}
	switch {
	case seen.err != nil:
		e.Error = seen.err.Error()
	case seen.bodyErr != nil:
		e.Error = seen.bodyErr.Error()
	}
	return e
}

func headerSubset(h http.Header) map[string]string {
	var kept map[string]string
	for _, name := range keptHeaders {
		if values := h.Values(name); len(values) > 0 {
			if kept == nil {
				kept = map[string]string{}
			}
			kept[name] = strings.Join(values, ", ")
		}
	}
	return kept
}

// verdict takes the secrets out of a verdict, and then clips its texts.
func (r *redactor) verdict(v Verdict) Verdict {
	e := &v.Evidence
	e.Summary = publication.Clip(r.text(e.Summary), summaryLimit)
	e.Error = publication.Clip(r.text(e.Error), publication.EvidenceBodyLimit)
	e.Body = publication.Clip(r.text(e.Body), publication.EvidenceBodyLimit)
	for name, value := range e.Headers {
		e.Headers[name] = publication.Clip(r.text(value), headerTextLimit)
	}
	e.APIError = r.apiError(e.APIError)
	if e.Hint != nil {
		e.Hint.Slug = r.text(e.Hint.Slug)
	}
	return v
}

// apiError takes the secrets out of TabNews' words, which may be those of somebody who looks like TabNews.
func (r *redactor) apiError(e *publication.APIError) *publication.APIError {
	if e == nil {
		return nil
	}
	clean := *e
	for _, field := range []*string{
		&clean.Name, &clean.Message, &clean.Action, &clean.ErrorID, &clean.RequestID, &clean.ErrorLocationCode, &clean.Key, &clean.Type,
	} {
		*field = publication.Clip(r.text(*field), publication.EvidenceBodyLimit)
	}
	return &clean
}
