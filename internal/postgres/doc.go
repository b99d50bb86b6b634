// Package postgres runs a private PostgreSQL cluster from the machine's own binaries: for the development stack, which
// keeps its data, and for tests, which throw it away. Production uses a server that somebody else runs.
//
// It knows nothing of the ledger. When the program is root, the server runs as another user, since PostgreSQL refuses
// root (postgresql.org, initdb and Server Setup).
package postgres
