// Package temporalclient opens the connection to Temporal that the worker and the command line share. It reads the
// same settings as the official temporal command: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY,
// TEMPORAL_TLS_*, and the profiles of temporal.toml. It may import the Temporal SDK alone and knows no publication.
package temporalclient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/log"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// DefaultRPCTimeout bounds one call to Temporal, its retries included. The SDK's own 10 s lose the result of an
// activity when the server is away for longer just then (measured: away for 22 s, result lost without a warning).
const DefaultRPCTimeout = 60 * time.Second

// Option changes the options of the connection after the environment was read, such as its metrics or interceptors.
type Option func(*client.Options)

// WithRPCTimeout replaces DefaultRPCTimeout.
func WithRPCTimeout(d time.Duration) Option {
	return func(o *client.Options) { o.RPCTimeout = d }
}

// Dial connects to the Temporal of the environment that getenv reads, and fails when nobody answers there. The error
// is an *UnreachableError then, and a *ConfigError when a setting cannot be used. A nil logger keeps the SDK silent.
func Dial(ctx context.Context, getenv func(string) string, logger *slog.Logger, options ...Option) (client.Client, error) {
	opts, err := Options(getenv, logger, options...)
	if err != nil {
		return nil, err
	}
	c, err := client.DialContext(ctx, opts)
	if err != nil {
		return nil, dialError(opts, err)
	}
	return c, nil
}

// Options gives what Dial connects with.
func Options(getenv func(string) string, logger *slog.Logger, options ...Option) (client.Options, error) {
	opts, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{EnvLookup: environment(getenv)})
	if err != nil {
		return client.Options{}, &ConfigError{Err: err}
	}
	if opts.HostPort == "" {
		opts.HostPort = client.DefaultHostPort
	}
	if opts.Namespace == "" {
		opts.Namespace = client.DefaultNamespace
	}
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	opts.Logger = log.NewStructuredLogger(logger)
	opts.RPCTimeout = DefaultRPCTimeout
	for _, option := range options {
		option(&opts)
	}
	return opts, nil
}

// ConfigError is a setting that cannot be used.
type ConfigError struct{ Err error }

func (e *ConfigError) Error() string {
	return fmt.Sprintf("Temporal settings: %s; correct TEMPORAL_* in the environment or temporal.toml", oneLine(e.Err))
}

func (e *ConfigError) Unwrap() error { return e.Err }

// UnreachableError says that no Temporal answered at Address, or that it turned the caller away.
type UnreachableError struct {
	Address string
	Refused bool // somebody answered, and refused the credentials
	Err     error
}

func (e *UnreachableError) Error() string {
	if e.Refused {
		return fmt.Sprintf("Temporal at %s: refused the credentials (%s); set TEMPORAL_API_KEY or TEMPORAL_TLS_* for TEMPORAL_ADDRESS=%s",
			e.Address, oneLine(e.Err), e.Address)
	}
	return fmt.Sprintf("Temporal: nobody answers at %s (%s); start it (bin/devstack up), or set TEMPORAL_ADDRESS", e.Address, oneLine(e.Err))
}

func (e *UnreachableError) Unwrap() error { return e.Err }

func dialError(opts client.Options, err error) error {
	return &UnreachableError{Address: opts.HostPort, Refused: refused(err), Err: err}
}

// refused sees through both forms that the SDK gives: its own error types, and gRPC's where it has none.
func refused(err error) bool {
	var denied *serviceerror.PermissionDenied
	return errors.As(err, &denied) || status.Code(err) == codes.Unauthenticated
}

// oneLine gives what gRPC says of a failed connection without what it says around it.
func oneLine(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if _, cause, ok := strings.Cut(text, "Error while dialing: "); ok {
		text = strings.TrimSuffix(cause, `"`)
	}
	return strings.TrimPrefix(text, "failed reaching server: ")
}
