package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"postonce/publication"
	"postonce/tabnews"
)

// bench is a command line whose world is played.
type bench struct {
	*app
	env      map[string]string
	out, err bytes.Buffer
}

func newBench(t *testing.T, e engine) *bench {
	t.Helper()
	b := &bench{env: map[string]string{"POSTONCE_ACCOUNT": "ana", "USER": "eva"}}
	b.app = &app{
		getenv: func(name string) string { return b.env[name] }, stdout: &b.out, stderr: &b.err,
		dial:       func(context.Context) (engine, error) { return e, nil },
		openLedger: func(context.Context) (records, error) { return nil, errNoLedger },
		openSession: func(credentials) (session, error) {
			t.Error("TabNews was spoken to without credentials")
			return nil, errors.New("no session")
		},
		openReader: func(string) (reader, error) {
			t.Error("TabNews was read")
			return nil, errors.New("no reader")
		},
		after: func(time.Duration) <-chan time.Time { // time does not pass in tests
			c := make(chan time.Time, 1)
			c <- time.Time{}
			return c
		},
	}
	return b
}

func (b *bench) withLedger(snapshots ...publication.Snapshot) {
	b.withRecords(&fakeRecords{snapshots: snapshots})
}

func (b *bench) withRecords(r *fakeRecords) {
	b.openLedger = func(context.Context) (records, error) { return r, nil }
}

// withPages makes contents readable.
func (b *bench) withPages(contents ...tabnews.Content) {
	b.env["TABNEWS_URL"] = "https://tabnews.example"
	pages := fakeReader{}
	for _, c := range contents {
		pages[strings.ToLower(c.Reference().String())] = c
	}
	b.openReader = func(string) (reader, error) { return pages, nil }
}

// mustRun runs a command line and checks its exit code. A command that waits for ever is interrupted, and so fails.
func (b *bench) mustRun(t *testing.T, want int, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if got := b.run(ctx, args); got != want || ctx.Err() != nil {
		t.Fatalf("starter %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, want, &b.out, &b.err)
	}
}

// document is the one JSON document on standard output.
func (b *bench) document(t *testing.T) publication.Snapshot {
	t.Helper()
	var s publication.Snapshot
	decoder := json.NewDecoder(&b.out)
	if err := decoder.Decode(&s); err != nil {
		t.Fatal(err)
	}
	if decoder.More() {
		t.Fatal("more than one document")
	}
	return s
}

func (b *bench) saysOnStderr(t *testing.T, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(b.err.String(), word) {
			t.Errorf("standard error lacks %q:\n%s", word, &b.err)
		}
	}
}
