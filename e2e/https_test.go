package e2e

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"postonce/internal/devstack"
)

// secure starts the emulator as a process of its own, over HTTPS with HTTP/2 and keep-alive as the public site, and a
// stack with one worker that publishes to it.
func secure(t *testing.T) *devstack.Stack {
	t.Helper()
	certificate := filepath.Join(t.TempDir(), "certificate.pem")
	server := exec.Command(filepath.Join(bin, "devstack"), "emulator", "--addr", "127.0.0.1:0", "--tls", certificate)
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	environ := append(os.Environ(), "SSL_CERT_FILE="+certificate, "TABNEWS_EMAIL=autora@example.com", "TABNEWS_PASSWORD=senha-autora-123")
	stack, err := devstack.Start(ctx, devstack.Options{Workers: 1, BinDir: bin, TabNewsURL: strings.TrimSpace(url), Environ: append(environ, "POSTONCE_ACCOUNT=autora"), Env: quick, Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := stack.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return stack
}

// T02, and the replays of net/http and HTTP/2: whatever the server offers to send again, one request arrives, and the
// cookie stays at the first host.
func TestNothingIsReplayedOverHTTPS(t *testing.T) {
	stack := secure(t)
	for fault, want := range map[string]int{
		"keepalive_close":               exitAccepted, // it waits for a reused connection, and a send has a fresh one
		"redirect_307":                  exitUnknown,
		"redirect_302":                  exitUnknown,
		"h2_goaway_after_store":         exitUnknown,
		"h2_refused_stream_after_store": exitUnknown,
		"h2_rst_stream_after_store":     exitUnknown,
		"drop_after_store":              exitUnknown,
	} {
		t.Run(fault, func(t *testing.T) {
			s := newStory(t, stack, "https-"+strings.ReplaceAll(fault, "_", "-"))
			s.fault("create", fault, 0)
			s.publish(want)
			if posts := s.posts(); len(posts) != 1 {
				t.Errorf("%d creations arrived: %+v", len(posts), posts)
			}
			var elsewhere []struct{ Cookie bool }
			s.control(http.MethodGet, "second_host", nil, &elsewhere)
			if len(elsewhere) != 0 {
				t.Errorf("the second host saw %+v", elsewhere)
			}
		})
	}
}
