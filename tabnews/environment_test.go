package tabnews

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"postonce/publication"
)

// childCreate makes the test's own binary a program that creates once at the address given, as a worker would, and
// prints the verdict. net/http reads the proxy from the environment once in a process, so it takes another process.
const childCreate = "POSTONCE_TEST_CREATE_AT"

func TestMain(m *testing.M) {
	base := os.Getenv(childCreate)
	if base == "" {
		os.Exit(m.Run())
	}
	c, err := New(Config{BaseURL: base, Account: "autora", Session: testSession})
	if err != nil {
		os.Exit(2)
	}
	json.NewEncoder(os.Stdout).Encode(c.Create(context.Background(), samplePayload(), soon()))
}

func TestTheProxyOfTheEnvironmentIsUsedAndNamed(t *testing.T) {
	proxy, seen := forwardProxy(t, "", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "bad gateway", 502) })
	host := strings.TrimPrefix(proxy, "http://")
	for name, c := range map[string]struct {
		environment string
		want        publication.Outcome
		words       string
		proxy       string
	}{
		"used":     {"HTTP_PROXY=http://user:proxysecret@" + host, unknown, "somebody in front of TabNews answered (proxy " + host + ")", host},
		"excepted": {"NO_PROXY=tabnews.invalid", publication.OutcomeNotSent, `the name "tabnews.invalid" could not be resolved`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			child := exec.Command(os.Args[0])
			child.Env = []string{childCreate + "=http://tabnews.invalid", "HTTP_PROXY=" + proxy, c.environment}
			out, err := child.Output()
			if err != nil {
				t.Fatal(err)
			}
			var v Verdict
			if err := json.Unmarshal(out, &v); err != nil {
				t.Fatal(err)
			}
			mustBe(t, v, c.want, c.words)
			if v.Evidence.Proxy != c.proxy || strings.Contains(string(out), "proxysecret") || strings.Contains(string(out), testSession[:12]) {
				t.Errorf("proxy %q, want %q: %s", v.Evidence.Proxy, c.proxy, out)
			}
		})
	}
	seen.mustBe(t, 1)
}

func TestConnectLimitProvesThatNothingWasSent(t *testing.T) {
	base, seen := serve(t, accept)
	c := newTestClient(t, base, func(c *Config) { c.ConnectTimeout = time.Nanosecond })
	for _, v := range []Verdict{create(t, c), update(t, c)} {
		mustBe(t, v, publication.OutcomeNotSent, "no connection to 127.0.0.1:")
		if !strings.HasSuffix(v.Evidence.Summary, ": the time was over") || v.Evidence.Phase != "connect" {
			t.Errorf("phase %s, %q", v.Evidence.Phase, v.Evidence.Summary)
		}
	}
	seen.mustBe(t, 0)
}
