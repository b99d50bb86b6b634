package tabnews

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postonce/publication"
)

var jsonHeader = http.Header{"Content-Type": {"application/json; charset=utf-8"}}

// written is a request that left whole.
func written(change ...func(*publication.Payload)) request {
	p := samplePayload()
	for _, f := range change {
		f(&p)
	}
	return leftWhole(creation(p))
}

func leftWhole(w write) request {
	return request{write: w, account: "Autora", host: "tabnews.example", sent: sent{tried: true, written: 700}}
}

// payloadOf reads back what a create sends.
func payloadOf(t *testing.T, asked request) (p publication.Payload) {
	t.Helper()
	if err := json.Unmarshal(asked.body, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// answered is a complete answer.
func answered(status int, body []byte) answer {
	return answer{status: status, header: jsonHeader, length: int64(len(body)), body: body, phase: phaseAnswered}
}

func TestClassifyAcceptsOnlyA201ThatNamesWhatWasAskedFor(t *testing.T) {
	null := json.RawMessage("null")
	comment := func(p *publication.Payload) { p.ParentID = "22222222-2222-4222-8222-222222222222" }
	for name, c := range map[string]struct {
		asked   request
		status  int
		changes map[string]any
		want    publication.Outcome
		words   string
	}{
		"exact":                     {written(), 201, nil, publication.OutcomeAccepted, "accepted: TabNews created autora/ola as published"},
		"owner in another case":     {written(), 201, map[string]any{"owner_username": "AUTORA"}, publication.OutcomeAccepted, "AUTORA/ola"},
		"hidden by the firewall":    {written(), 201, map[string]any{"status": "firewall"}, publication.OutcomeAccepted, "only a moderator"},
		"comment":                   {written(comment), 201, nil, publication.OutcomeAccepted, "accepted"},
		"another owner":             {written(), 201, map[string]any{"owner_username": "leitor"}, publication.OutcomeUnknown, `another owner: "leitor" instead of "Autora"`},
		"another slug":              {written(), 201, map[string]any{"slug": "ola-2"}, publication.OutcomeUnknown, `another slug: "ola-2" instead of "ola"`},
		"draft for published":       {written(), 201, map[string]any{"status": "draft"}, publication.OutcomeUnknown, `another status: "draft" instead of "published"`},
		"deleted":                   {written(), 201, map[string]any{"status": "deleted"}, publication.OutcomeUnknown, "another status"},
		"root for a comment":        {written(comment), 201, map[string]any{"parent_id": null}, publication.OutcomeUnknown, `another parent: ""`},
		"comment for a root":        {written(), 201, map[string]any{"parent_id": testID}, publication.OutcomeUnknown, "another parent"},
		"id of another form":        {written(), 201, map[string]any{"id": "17"}, publication.OutcomeUnknown, `its id "17" is no UUID`},
		"id a number":               {written(), 201, map[string]any{"id": 17}, publication.OutcomeUnknown, "id is of the wrong type"},
		"no owner":                  {written(), 201, map[string]any{"owner_username": nil}, publication.OutcomeUnknown, "owner_username is missing"},
		"no parent_id":              {written(), 201, map[string]any{"parent_id": nil}, publication.OutcomeUnknown, "parent_id is missing"},
		"200 with the content":      {written(), 200, nil, publication.OutcomeUnknown, "200 seen where TabNews answers 201"},
		"202 with the content":      {written(), 202, nil, publication.OutcomeUnknown, "202 seen: somebody took the request"},
		"500 with the content":      {written(), 500, nil, publication.OutcomeUnknown, "500 that is not TabNews' own JSON"},
		"a request of no account":   {request{write: creation(samplePayload()), sent: sent{tried: true}}, 201, nil, publication.OutcomeUnknown, "another owner"},
		"answer before the request": {request{write: creation(samplePayload()), account: "autora"}, 201, nil, publication.OutcomeUnknown, "201 seen before any byte of the request was written"},
	} {
		t.Run(name, func(t *testing.T) {
			v := classify(c.asked, answered(c.status, createdJSON(payloadOf(t, c.asked), c.changes)))
			mustBe(t, v, c.want, c.words)
		})
	}
}

func TestClassifyAcceptedIdentityIsTheAnswers(t *testing.T) {
	v := classify(written(), answered(201, createdJSON(samplePayload(), map[string]any{"owner_username": "AutorA"})))
	want := &publication.Identity{ID: testID, OwnerUsername: "AutorA", Slug: "ola", Status: publication.StatusPublished}
	if diff := cmp.Diff(want, v.Identity); diff != "" {
		t.Error(diff)
	}
}

func TestClassifyTellsEveryBrokenAnswerInItsOwnWords(t *testing.T) {
	whole := createdJSON(samplePayload(), nil)
	cut := answered(201, whole[:120])
	cut.length, cut.bodyErr, cut.phase = 600, io.ErrUnexpectedEOF, phaseBody
	endless := answered(201, []byte(strings.Repeat("x", 4000)))
	endless.length, endless.tooLong = -1, true
	slow := answered(502, []byte("<html>"))
	slow.bodyErr, slow.length = errSendBy, -1
	redirect := answered(307, nil)
	redirect.header = http.Header{"Location": {"https://elsewhere.example/x"}}
	edge := answered(403, []byte("<html>Attention Required!</html>"))
	edge.header = http.Header{"Content-Type": {"text/html"}, "Cf-Ray": {"8c1-GRU"}, "Server": {"cloudflare"}}
	for name, c := range map[string]struct {
		seen  answer
		words string
	}{
		"201 cut":             {cut, "201 seen, then the body stopped after 120 of 600 bytes"},
		"201 endless":         {endless, "201 seen, then a body without end: reading stopped after 4000 bytes"},
		"201 short JSON":      {answered(201, whole[:120]), "its JSON breaks off or is damaged after"},
		"201 HTML":            {answered(201, []byte("<html>")), "201 seen, but its body is not TabNews' content: it is no JSON object"},
		"201 empty":           {answered(201, nil), "it is no JSON object"},
		"201 array":           {answered(201, []byte("["+string(whole)+"]")), "it is no JSON object"},
		"201 two lines":       {answered(201, []byte(string(whole)+"\n{}")), "something stands after its JSON"},
		"201 a key twice":     {answered(201, []byte(`{"id":"x",`+string(whole[1:]))), `the key "id" twice`},
		"201 not UTF-8":       {answered(201, []byte("{\"id\":\"\xff\"}")), "it is not UTF-8"},
		"201 upper-case keys": {answered(201, []byte(strings.Replace(string(whole), `"id"`, `"ID"`, 1))), "id is missing"},
		"201 no key":          {answered(201, []byte(`{17:1}`)), "its JSON breaks off"},
		"201 open":            {answered(201, whole[:len(whole)-1]), "its JSON breaks off"},
		"204":                 {answered(204, nil), "204 seen: success without a content"},
		"206":                 {answered(206, whole), "206 seen where TabNews answers 201"},
		"304":                 {answered(304, nil), "304 seen: TabNews answers so after it stored, too"},
		"307":                 {redirect, `307 redirect to "https://elsewhere.example/x", not followed`},
		"101":                 {answered(101, nil), "101 seen as the last answer"},
		"502 body too slow":   {slow, "502 seen, then the body had not ended in time: 6 bytes came"},
		"403 of an edge":      {edge, "403 that is not TabNews' own JSON: somebody in front of TabNews answered (server cloudflare, cf-ray 8c1-GRU)"},
		"400 Invalid JSON":    {answered(400, []byte("Invalid JSON")), "400 that is not TabNews' own JSON"},
		"413 text":            {answered(413, []byte("Body exceeded 1mb limit")), "413 that is not TabNews' own JSON"},
		"503 INFRA":           {answered(503, apiErrorJSON(503, "InternalServerError", "Erro.", "error_location_code", "INFRA:DATABASE:QUERY")), "TabNews answered 503 InternalServerError, which does not prove"},
		"500 bare":            {answered(500, apiErrorJSON(500, "InternalServerError", "Um erro interno não esperado aconteceu.")), "which does not prove that nothing was created"},
	} {
		t.Run(name, func(t *testing.T) {
			mustBe(t, classify(written(), c.seen), publication.OutcomeUnknown, c.words)
		})
	}
}

func TestClassifyWithoutAnAnswer(t *testing.T) {
	reset := &wrapped{syscall.ECONNRESET}
	for name, c := range map[string]struct {
		sent  sent
		phase phase
		err   error
		want  publication.Outcome
		words string
	}{
		"nothing written":         {sent{}, phaseConnect, &wrapped{syscall.ECONNREFUSED}, publication.OutcomeNotSent, "no connection to tabnews.example: the connection was refused"},
		"TLS":                     {sent{}, phaseTLS, errors.New("bad record"), publication.OutcomeNotSent, "the TLS handshake with tabnews.example failed: bad record"},
		"lost before writing":     {sent{}, phaseWrite, reset, publication.OutcomeNotSent, "broke before the request was written: the connection was reset"},
		"held back":               {sent{pastDue: true}, phaseWrite, errPastSendBy, publication.OutcomeNotSent, "the time for the send was over before"},
		"not tried":               {sent{}, phaseConnect, nil, publication.OutcomeNotSent, "the send was not tried"},
		"write took nothing":      {sent{tried: true}, phaseWrite, reset, publication.OutcomeUnknown, "while the request was being written, after 0 bytes"},
		"cut while writing":       {sent{tried: true, written: 40}, phaseWrite, reset, publication.OutcomeUnknown, "after 40 bytes: the connection was reset"},
		"held back while writing": {sent{tried: true, written: 40, pastDue: true}, phaseWrite, errPastSendBy, publication.OutcomeUnknown, "over while the request was being written: 40 bytes had left"},
		"no answer":               {sent{tried: true, written: 700}, phaseWait, errSendBy, publication.OutcomeUnknown, "written (700 bytes) and no answer came: the time was over"},
		"cut headers":             {sent{tried: true, written: 700}, phaseHeaders, io.ErrUnexpectedEOF, publication.OutcomeUnknown, "the answer broke before its headers were complete: unexpected EOF"},
		"no reason":               {sent{tried: true, written: 700}, phaseWait, nil, publication.OutcomeUnknown, "no reason was given"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := written()
			asked.sent = c.sent
			v := classify(asked, answer{phase: c.phase, err: c.err})
			mustBe(t, v, c.want, c.words)
			if c.err != nil && v.Evidence.Error != c.err.Error() {
				t.Errorf("the transport's own words %q became %q", c.err, v.Evidence.Error)
			}
		})
	}
}

type wrapped struct{ cause error }

func (w *wrapped) Error() string { return "read tcp: " + w.cause.Error() }
func (w *wrapped) Unwrap() error { return w.cause }

func TestClassifySalvagesAHintFromABrokenAnswer(t *testing.T) {
	whole := createdJSON(samplePayload(), nil)
	until := func(field string) []byte { return whole[:strings.Index(string(whole), `"`+field+`"`)] }
	id := func(slug, owner, status string) *publication.Identity {
		return &publication.Identity{ID: testID, Slug: slug, OwnerUsername: owner, Status: publication.ContentStatus(status)}
	}
	for name, c := range map[string]struct {
		status int
		body   []byte
		want   *publication.Identity
	}{
		"cut after the id":     {201, until("slug"), id("", "", "")},
		"cut after the slug":   {201, until("title"), id("ola", "", "")},
		"cut within the slug":  {201, whole[:strings.Index(string(whole), `"ola"`)+3], id("", "", "")},
		"cut after the status": {201, until("type"), id("ola", "", "published")},
		"another owner":        {201, createdJSON(samplePayload(), map[string]any{"owner_username": "leitor"}), id("ola", "leitor", "published")},
		"two lines":            {201, append(whole, "\n{}"...), id("ola", "autora", "published")},
		"words before it":      {201, append([]byte("ok "), whole...), id("ola", "autora", "published")},
		"200":                  {200, whole, id("ola", "autora", "published")},
		"foreign values":       {201, []byte(`{"id":"17","slug":"Ola!","owner_username":"a b","status":"x"}`), nil},
		"slug alone":           {201, []byte(`{"slug":"ola","status":"x"}`), &publication.Identity{Slug: "ola"}},
		"within something":     {201, []byte(`{"content":` + string(whole) + `}`), nil},
		"HTML":                 {201, []byte("<html>"), nil},
		"no key":               {201, []byte("{17"), nil},
		"lone brace":           {201, []byte("{"), nil},
		"500":                  {500, whole, nil},
	} {
		t.Run(name, func(t *testing.T) {
			v := classify(written(), answered(c.status, c.body))
			if v.Outcome != publication.OutcomeUnknown || v.Identity != nil {
				t.Fatalf("outcome %s, identity %v", v.Outcome, v.Identity)
			}
			if diff := cmp.Diff(c.want, v.Evidence.Hint); diff != "" {
				t.Error(diff)
			}
		})
	}
}
