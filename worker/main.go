package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"postonce/internal/config"
)

// version is set by the linker.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Exit codes: 0 stopped as asked, 2 a setting is wrong, 1 anything else.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 0:
	case len(args) == 1 && args[0] == "version":
		fmt.Fprintln(stdout, "worker", version)
		return 0
	case len(args) == 1 && args[0] == "health":
		return health(ctx, getenv("POSTONCE_HEALTH_ADDR"), stdout, stderr)
	default:
		fmt.Fprintln(stderr, "worker: takes no arguments but health and version; its settings come from the environment")
		return 2
	}
	cfg, err := config.Load(getenv)
	if err != nil {
		return refuse(stderr, err)
	}
	w := newWorker(cfg, getenv, slog.New(slog.NewTextHandler(stderr, nil)))
	if err := w.serve(ctx); err != nil {
		return refuse(stderr, err)
	}
	return 0
}

// refuse prints one line for each thing that is wrong.
func refuse(stderr io.Writer, err error) int {
	var several interface{ Unwrap() []error }
	problems := []error{err}
	if errors.As(err, &several) {
		problems = several.Unwrap()
	}
	for _, p := range problems {
		fmt.Fprintln(stderr, "worker:", p)
	}
	return 2
}
