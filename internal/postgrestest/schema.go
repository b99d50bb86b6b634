package postgrestest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// URL gives the address of a fresh, empty schema, which is dropped when the test ends: connections made with it see
// that schema alone.
func URL(t testing.TB) string {
	t.Helper()
	server, err := serverURL()
	if err != nil {
		t.Fatal(err)
	}
	schema := "test_" + strings.ToLower(rand.Text())
	execute(t, server, "create schema "+schema)
	t.Cleanup(func() { execute(t, server, "drop schema "+schema+" cascade") })
	address, err := inSchema(server, schema)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func execute(t testing.TB, address, sql string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		t.Fatal(err)
	}
}

func inSchema(address, schema string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return "", fmt.Errorf("DATABASE_URL must have the form postgres://USER:PASSWORD@HOST:PORT/DATABASE for the tests")
	}
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return u.String(), nil
}
