package tabnews

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"postonce/publication"
)

// TestNoSecretIsRepeatedByAnyAnswer has a server that echoes the cookie and the password everywhere that it can.
func TestNoSecretIsRepeatedByAnyAnswer(t *testing.T) {
	quoted, _ := json.Marshal(testPassword)
	for name, secret := range map[string]string{
		"session": testSession, "password": testPassword, "password in JSON": strings.Trim(string(quoted), `"`),
		"session cut": testSession[:90], "session cut short": testSession[:20], "password cut": testPassword[:15],
	} {
		header := map[string]string{"Server": secret, "Location": "https://x.example/" + secret, "Cf-Ray": secret, "X-Vercel-Id": secret}
		apiError := string(apiErrorJSON(400, secret, secret, "key", secret, "type", secret, "error_location_code", secret))
		for _, answer := range []http.HandlerFunc{
			respond(201, header, secret),
			respond(201, header, `{"`+secret),
			respond(201, header, string(createdJSON(samplePayload(), map[string]any{"slug": strings.ToLower(secret), "id": secret, "status": secret}))),
			respond(201, header, string(createdJSON(samplePayload(), map[string]any{"slug": secret}))),
			respond(201, header, string(createdJSON(samplePayload(), map[string]any{"owner_username": secret}))),
			respond(201, header, `{"`+secret+`":1,"`+secret+`":2}`),
			respond(302, header, secret), respond(400, header, apiError), respond(400, header, secret), respond(502, header, secret),
			respond(200, header, secret), respond(404, header, apiError),
			respond(201, header, strings.Repeat("x", publication.EvidenceBodyLimit-30)+secret+"y"),
		} {
			t.Run(name, func(t *testing.T) {
				base, _ := serve(t, answer)
				c := newTestClient(t, base)
				c.secrets.add(testPassword)
				c.cfg.Password = testPassword
				v := create(t, c)
				shown := fmt.Sprintf("%+v %s", v, v.Evidence.APIError)
				_, err := c.CheckSession(context.Background())
				shown += fmt.Sprintf(" %v %+v", err, err)
				_, err = c.Content(context.Background(), ola)
				shown += fmt.Sprintf(" %v %+v", err, err)
				_, err = c.UserContents(context.Background(), "autora", 1, 1)
				shown += fmt.Sprintf(" %v %+v", err, err)
				for _, s := range []string{testSession[:12], testPassword[:10], strings.Trim(string(quoted), `"`)[:12]} {
					if strings.Contains(shown, s) {
						t.Fatalf("%q of a secret is in\n%s", s, shown)
					}
				}
			})
		}
	}
}

func TestRedactorLeavesOtherWordsAlone(t *testing.T) {
	r := newRedactor("publicacao-secreta-1", "")
	for in, want := range map[string]string{
		"publicacao de exemplo":                    "publicacao de exemplo",
		"a publicacao-secreta-1, e mais":           "a [redacted], e mais",
		"publicacao-secreta-1":                     "[redacted]",
		"publicacao-secreta-1publicacao-secreta-1": "[redacted][redacted]",
		"duas: publicacao-secret…":                 "duas: [redacted]…",
		"cortada: public":                          "cortada: [redacted]",
		"curta: publi":                             "curta: publi",
		"nul \x00 e \xff":                          "nul \uFFFD e \uFFFD",
	} {
		if got := r.text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestANewSessionIsASecretAndTheOldOneStaysOne(t *testing.T) {
	a, base, _ := newAccounts(t)
	c := newTestClient(t, base, byPassword)
	for range 2 {
		if _, err := c.CheckSession(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.ended[a.issued[0]] = true
	}
	if got := c.secrets.text(strings.Join(a.issued, " ")); got != redacted+" "+redacted {
		t.Error(got)
	}
}

func TestEvidenceCanBeStoredInPostgreSQL(t *testing.T) {
	base, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		io.WriteString(w, "<p>\x00\xff"+strings.Repeat("ã", 4000))
	})
	v := create(t, newTestClient(t, base))
	text, err := json.Marshal(v.Evidence)
	if err != nil || strings.Contains(string(text), `\u0000`) || len(v.Evidence.Body) > publication.EvidenceBodyLimit+len("…") {
		t.Errorf("%v, %d bytes", err, len(v.Evidence.Body))
	}
}
