// Package postgrestest gives each test a fresh schema on a real PostgreSQL server: that of DATABASE_URL when it is set,
// else a private cluster that the test process starts once. A machine without PostgreSQL fails the test with the name
// of what to install; nothing is skipped.
//
// A package whose tests use it stops the cluster with
//
//	func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }
package postgrestest
