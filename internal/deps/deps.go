// Package deps is temporary: it holds the module's requirements until the packages that use them exist.
package deps

import (
	_ "charm.land/glamour/v2"
	_ "charm.land/huh/v2"
	_ "charm.land/lipgloss/v2"
	_ "github.com/aymanbagabas/go-udiff"
	_ "github.com/compose-spec/compose-go/v2/loader"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/uuid"
	_ "github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/tern/v2/migrate"
	_ "github.com/mattn/go-isatty"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/yuin/goldmark"
	_ "go.opentelemetry.io/otel/exporters/prometheus"
	_ "go.temporal.io/sdk/client"
	_ "go.temporal.io/sdk/contrib/envconfig"
	_ "go.temporal.io/sdk/contrib/opentelemetry"
	_ "go.temporal.io/sdk/testsuite"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/net/http2"
	_ "pgregory.net/rapid"
)
