package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// readiness says whether the worker polls, and else what it waits for.
type readiness struct {
	mu      sync.Mutex
	ready   bool
	waiting string
}

func (r *readiness) polls() { r.set(true, "") }

func (r *readiness) waitsFor(what string) { r.set(false, what) }

func (r *readiness) set(ready bool, waiting string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ready, r.waiting = ready, waiting
}

func (r *readiness) state() (bool, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ready, r.waiting
}

// serveHealth serves /healthz (the process lives), /readyz (it polls; else 503 and what it waits for) and /metrics.
func (w *worker) serveHealth() (stop func(), err error) {
	w.ready.waitsFor("starting")
	if w.cfg.HealthAddr == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", w.cfg.HealthAddr)
	if err != nil {
		return nil, fmt.Errorf("POSTONCE_HEALTH_ADDR: %w; choose a free address", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, _ *http.Request) { fmt.Fprintln(rw, "ok") })
	mux.HandleFunc("GET /readyz", func(rw http.ResponseWriter, _ *http.Request) {
		ready, waiting := w.ready.state()
		if !ready {
			http.Error(rw, waiting, http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(rw, "ready")
	})
	mux.Handle("GET /metrics", promhttp.Handler())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			w.log.Error("the health server ended", "error", err)
		}
	}()
	return func() { _ = server.Close() }, nil
}

// health asks a running worker; container health checks use it, since their images have no other client.
func health(ctx context.Context, addr string, stdout, stderr io.Writer) int {
	if addr == "" {
		fmt.Fprintln(stderr, "worker: POSTONCE_HEALTH_ADDR: is empty; set it to the worker's HOST:PORT")
		return 2
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
	if err != nil {
		fmt.Fprintln(stderr, "worker: POSTONCE_HEALTH_ADDR:", err)
		return 2
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Fprintln(stderr, "worker: not running:", err)
		return 1
	}
	defer resp.Body.Close()
	_, _ = io.Copy(stdout, io.LimitReader(resp.Body, 4096))
	if resp.StatusCode != http.StatusOK {
		return 1
	}
	return 0
}
