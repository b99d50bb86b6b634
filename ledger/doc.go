// Package ledger is the lasting memory of operations, in PostgreSQL: what is intended, which attempts were claimed and
// how they ended, what people decided, and a journal of it all. Temporal forgets after its retention; the ledger does
// not, so it has the last word on whether a send may start.
//
// The promises that matter most are held by the database itself (migrations/): at most one attempt of an operation that
// may have created content, one request in flight per reference, an authorization used once, a journal that cannot be
// changed.
//
// Every change to an operation locks its row first, then, for a claim, its reference and its lane; nothing locks in
// another order. It may import publication and pgx; it knows neither TabNews nor Temporal.
package ledger
