package tabnews

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"postonce/publication"
)

// FuzzClassify looks for an answer that is taken for more than it proves. The proofs are looked for here once more, in
// another way than classify's own.
func FuzzClassify(f *testing.F) {
	add := func(status int, body []byte) {
		f.Add(status, "application/json; charset=utf-8", body, true, false, false)
		f.Add(status, "text/html", body, true, true, false)
	}
	for _, r := range slices.Concat(refusalsOfBoth, refusalsOfCreate, refusalsOfUpdate) {
		add(r.status, r.json())
	}
	whole := createdJSON(samplePayload(), nil)
	for _, status := range []int{101, 200, 201, 202, 204, 304, 307, 500, 502, 503} {
		add(status, whole)
	}
	add(201, whole[:120])
	add(201, createdJSON(samplePayload(), map[string]any{"status": "firewall"}))
	add(201, createdJSON(samplePayload(), map[string]any{"owner_username": "leitor"}))
	add(201, []byte(`{"id":"x",`+string(whole[1:])))
	f.Add(0, "", []byte(nil), true, false, false)
	f.Add(0, "", []byte(nil), false, false, false)
	f.Fuzz(func(t *testing.T, status int, contentType string, body []byte, tried, broke, tooLong bool) {
		for _, w := range writes() {
			asked, seen := w.asked, answered(status, body)
			asked.sent.tried = tried
			seen.header, seen.tooLong = http.Header{"Content-Type": {contentType}}, tooLong
			if broke {
				seen.bodyErr = errors.New("unexpected EOF")
			}
			checkProof(t, classify(asked, seen), asked, seen, w.listed)
		}
	})
}

func checkProof(t *testing.T, v Verdict, asked request, seen answer, refusals []listedRefusal) {
	complete := seen.bodyErr == nil && !seen.tooLong
	switch v.Outcome {
	case publication.OutcomeAccepted:
		var c map[string]any // a map takes keys as they are; a struct would take "ID" for "id"
		if err := json.Unmarshal(seen.body, &c); err != nil {
			t.Fatalf("accepted what is no JSON: %v", err)
		}
		id, owner := v.Identity.ID, v.Identity.OwnerUsername
		same := c["id"] == id && len(id) == 36 && c["owner_username"] == owner && strings.EqualFold(owner, asked.account) &&
			c["slug"] == "ola" && (c["status"] == "published" || c["status"] == "firewall" || c["status"] == "draft" && asked.method == "PATCH") &&
			(c["parent_id"] == nil || asked.method == "PATCH") && (id == testID || asked.method == "POST")
		status := map[string]int{"POST": 201, "PATCH": 200}[asked.method]
		if !complete || seen.status != status || !asked.sent.tried || !same {
			t.Fatalf("accepted without proof: %v as %+v", c, v.Identity)
		}
	case publication.OutcomeRejected:
		var e publication.APIError
		if err := json.Unmarshal(seen.body, &e); err != nil {
			t.Fatalf("rejected by what is no JSON: %v", err)
		}
		if !complete || !asked.sent.tried || e.StatusCode != seen.status || seen.status >= 500 || !listed(e, refusals) || e.ErrorID == "" || e.RequestID == "" {
			t.Fatalf("rejected without proof: %+v", e)
		}
	case publication.OutcomeNotSent:
		if asked.sent.tried || seen.status != 0 || !v.Evidence.ProvenUnsent {
			t.Fatal("not sent without proof")
		}
	case publication.OutcomeUnknown:
		if !asked.sent.tried && seen.status == 0 {
			t.Fatal("unknown what is proven unsent")
		}
	default:
		t.Fatalf("outcome %q", v.Outcome)
	}
	if v.Outcome != publication.OutcomeAccepted && v.Identity != nil || v.Evidence.Summary == "" {
		t.Fatalf("%+v", v)
	}
}

// listed looks an error up among those that the tests know.
func listed(e publication.APIError, refusals []listedRefusal) bool {
	for _, r := range refusals {
		if r.status == e.StatusCode && r.name == e.Name && r.code == e.ErrorLocationCode && (r.code != "" || r.message == e.Message) {
			return true
		}
	}
	return strings.HasPrefix(e.Message, "Identificamos a criação de muitos comentários")
}

// FuzzRedactor looks for a text in which a secret survives.
func FuzzRedactor(f *testing.F) {
	f.Add("a ", " b", 96)
	f.Add(testSession[:40], testSession[50:], 96)
	f.Add(`"`, `…"`, 80)
	f.Fuzz(func(t *testing.T, before, after string, cut int) {
		if cut < 12 || cut > len(testSession) {
			return
		}
		r := newRedactor(testSession, testPassword)
		for _, text := range []string{before + testSession[:cut] + after, before + testPassword + after} {
			clean := r.text(text)
			if strings.Contains(clean, testSession[:12]) || strings.Contains(clean, testPassword) {
				t.Fatalf("%q became %q", text, clean)
			}
		}
	})
}
