package temporalclient

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func env(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

func TestNobodyAnswersNamesTheVariable(t *testing.T) {
	address := closedAddress(t)
	_, err := Dial(t.Context(), env(map[string]string{"TEMPORAL_ADDRESS": address}), nil)
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) || unreachable.Refused {
		t.Fatalf("Dial = %v, want an UnreachableError that is not refused", err)
	}
	wantLine(t, err, address, "TEMPORAL_ADDRESS", "nobody answers")
}

func TestRefusedCredentialsAreNotSilence(t *testing.T) {
	for _, code := range []codes.Code{codes.PermissionDenied, codes.Unauthenticated} {
		_, err := Dial(t.Context(), env(map[string]string{"TEMPORAL_ADDRESS": refusingServer(t, code)}), nil)
		wantLine(t, err, "refused the credentials", "TEMPORAL_API_KEY")
	}
}

func TestBadSettingNamesItself(t *testing.T) {
	_, err := Options(env(map[string]string{"TEMPORAL_PROFILE": "nowhere"}), nil)
	var config *ConfigError
	if !errors.As(err, &config) {
		t.Fatalf("Options = %v, want a ConfigError", err)
	}
	wantLine(t, err, "nowhere", "TEMPORAL_*")
}

func TestDefaultsAndOptions(t *testing.T) {
	opts, err := Options(env(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if opts.HostPort != "localhost:7233" || opts.Namespace != "default" || opts.RPCTimeout != 60*time.Second {
		t.Errorf("defaults are %q %q %s", opts.HostPort, opts.Namespace, opts.RPCTimeout)
	}
	opts, _ = Options(env(map[string]string{"TEMPORAL_NAMESPACE": "team"}), nil, WithRPCTimeout(5*time.Second))
	if opts.Namespace != "team" || opts.RPCTimeout != 5*time.Second {
		t.Errorf("got %q %s, want team 5s", opts.Namespace, opts.RPCTimeout)
	}
}

// closedAddress was listened on and is not any more.
func closedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// refusingServer answers every call with code.
func refusingServer(t *testing.T, code codes.Code) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(any, grpc.ServerStream) error {
		return status.Error(code, "no")
	}))
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return l.Addr().String()
}

func wantLine(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Fatalf("error %v, want one line", err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error %q lacks %q", err, word)
		}
	}
}
