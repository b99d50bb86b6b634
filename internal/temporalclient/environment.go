package temporalclient

import (
	"os"
	"strings"
)

// environment lets envconfig read through a getenv. An empty variable counts as one that is not set, as in a shell's
// ${NAME:-default}.
type environment func(string) string

func (e environment) LookupEnv(name string) (string, bool) {
	value := e(name)
	return value, value != ""
}

// Environ lists the names of the process, for a getenv cannot be asked what it has; the values are those of getenv.
// envconfig needs it for TEMPORAL_GRPC_META_* alone, whose names are the user's.
func (e environment) Environ() []string {
	var pairs []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if value, ok := e.LookupEnv(name); ok {
			pairs = append(pairs, name+"="+value)
		}
	}
	return pairs
}
