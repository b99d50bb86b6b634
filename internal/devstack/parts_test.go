package devstack

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// standInGo is a Go that builds: it leaves a program in GOBIN, or part of one and stays.
func standInGo() {
	path := filepath.Join(os.Getenv("GOBIN"), "temporal")
	if os.Getenv("STAND_IN_STAYS") != "" {
		_ = os.WriteFile(path, []byte("half"), 0o755)
		_ = os.WriteFile(os.Getenv("STAND_IN_STAYS"), nil, 0o644)
		select {}
	}
	if os.WriteFile(path, []byte("whole "+strings.Join(os.Args[1:], " ")), 0o755) != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// onlyGo makes a PATH that holds a stand-in for Go and nothing else.
func onlyGo(t *testing.T) {
	t.Helper()
	path := t.TempDir()
	standIn(t, filepath.Join(path, "go"))
	t.Setenv("PATH", path)
}

func TestTemporalIsBuiltOnceWhenItIsMissing(t *testing.T) {
	onlyGo(t)
	bin := filepath.Join(t.TempDir(), "bin")
	if found := findTemporal(bin); found != "" {
		t.Fatalf("found %s", found)
	}
	path, err := installTemporal(t.Context(), bin, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); !strings.HasSuffix(string(text), temporalModule) {
		t.Errorf("built with %q", text)
	}
	if found := findTemporal(bin); found != path {
		t.Errorf("found %q, not %q", found, path)
	}
}

func TestInterruptedBuildLeavesNothing(t *testing.T) {
	onlyGo(t)
	bin := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	building := filepath.Join(t.TempDir(), "building")
	t.Setenv("STAND_IN_STAYS", building)
	go func() {
		waitForFile(ctx, building)
		cancel()
	}()
	if _, err := installTemporal(ctx, bin, t.Logf); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted, it says %v", err)
	}
	if left, err := os.ReadDir(bin); err != nil || len(left) != 0 {
		t.Errorf("left %v (%v)", left, err)
	}
}

// waitForFile looks until a file is there; a file that another process makes has no event that Go can wait for.
func waitForFile(ctx context.Context, path string) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func TestWithoutTemporalAndGoItIsSaidWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := installTemporal(t.Context(), t.TempDir(), t.Logf)
	if err == nil || !strings.Contains(err.Error(), "install the Temporal CLI") {
		t.Errorf("it says %v", err)
	}
}

func TestMissingWorkerIsNamed(t *testing.T) {
	_, err := Start(t.Context(), Options{BinDir: t.TempDir(), Workers: 1})
	if err == nil || !strings.Contains(err.Error(), "worker: build it with `make build`") {
		t.Errorf("it says %v", err)
	}
}

func TestWhatLeadsElsewhereIsNotInherited(t *testing.T) {
	environ := []string{"HOME=/home/ana", "POSTONCE_LANE=casa", "TEMPORAL_API_KEY=x", "TEMPORAL_PROFILE=cloud",
		"TABNEWS_SESSION=x", "TABNEWS_PASSWORD_FILE=/x", "DATABASE_URL_FILE=/x"}
	for name, c := range map[string]struct {
		emulator *emulator
		want     []string
	}{
		"with the emulator":    {&emulator{}, []string{"HOME=/home/ana", "POSTONCE_LANE=casa"}},
		"with a server's name": {nil, []string{"HOME=/home/ana", "POSTONCE_LANE=casa", "TABNEWS_SESSION=x", "TABNEWS_PASSWORD_FILE=/x"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Stack{opts: Options{Environ: environ}, emulator: c.emulator}
			if got := s.inherited(); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestCredentialsOfARealServer(t *testing.T) {
	for name, c := range map[string]struct {
		environ []string
		missing string
	}{
		"e-mail and password":   {[]string{"POSTONCE_ACCOUNT=ana", "TABNEWS_EMAIL=a", "TABNEWS_PASSWORD=b"}, ""},
		"a password in a file":  {[]string{"POSTONCE_ACCOUNT=ana", "TABNEWS_EMAIL=a", "TABNEWS_PASSWORD_FILE=b"}, ""},
		"a session":             {[]string{"POSTONCE_ACCOUNT=ana", "TABNEWS_SESSION=x"}, ""},
		"no account":            {[]string{"TABNEWS_SESSION=x"}, ""},
		"an e-mail alone":       {[]string{"POSTONCE_ACCOUNT=ana", "TABNEWS_EMAIL=a"}, "TABNEWS_PASSWORD"},
		"emptied on the way in": {[]string{"POSTONCE_ACCOUNT=ana", "TABNEWS_SESSION=x", "TABNEWS_SESSION="}, "TABNEWS_SESSION"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Options{TabNewsURL: "https://example.com", Environ: c.environ}.withDefaults()
			switch usage := (UsageError{}); {
			case c.missing == "" && err != nil:
				t.Error(err)
			case c.missing != "" && (!errors.As(err, &usage) || !strings.Contains(err.Error(), c.missing)):
				t.Errorf("it says %v, not what is missing: %s", err, c.missing)
			}
		})
	}
}

func TestFreePortsDiffer(t *testing.T) {
	ports, err := freePorts(20)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ports)
	if len(slices.Compact(slices.Clone(ports))) != 20 {
		t.Errorf("%v", ports)
	}
	for _, port := range ports {
		if !portFree(port) {
			t.Errorf("port %d cannot be used", port)
		}
	}
}

func TestWaitLogTellsHowAProcessEnded(t *testing.T) {
	p, err := startProcess("it", "/bin/sh", []string{"-c", "echo first words; echo last words >&2; exit 3"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.WaitLog(t.Context(), "last words"); err != nil {
		t.Error(err)
	}
	err = p.WaitLog(t.Context(), "never said")
	for _, want := range []string{"exit status 3", "first words", "last words"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

func TestLongOutputKeepsItsEnd(t *testing.T) {
	c := newCapture(nil)
	line := bytes.Repeat([]byte("x"), 1<<20)
	for range 2 * captureLimit / len(line) {
		_, _ = c.Write(line)
	}
	_, _ = c.Write([]byte("the end"))
	if text := c.String(); len(text) > captureLimit+len(line) || !strings.HasSuffix(text, "the end") || !strings.HasPrefix(text, "[older") {
		t.Errorf("%d bytes kept, from %q to %q", len(text), text[:10], text[len(text)-7:])
	}
}
