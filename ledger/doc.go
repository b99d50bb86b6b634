// Package ledger is the lasting memory of operations, in PostgreSQL: what is intended, which attempts were claimed and
// how they ended, what people decided, and a journal of it all; who uses a lane and when, what the drift watch saw of
// accepted content, and what was done with TabNews, counted. It can be exported and imported whole. Temporal forgets
// after its retention; the ledger does not, so it has the last word on whether a send may start.
//
// The promises that matter most are held by the database itself (migrations/): at most one attempt of an operation that
// may have created content, one request in flight per reference, an authorization used once, a journal that cannot be
// changed.
//
// Locks are taken in one order, which excludes deadlocks: an operation's row, then its reference, then its lane (a claim
// takes all three; an outcome that pauses a lane, the first and the third; a slug probe, the lane alone), or the account's
// row of watchers; and after any of these, the rows of watches. Who holds one of those waits for nothing more: that they
// refer to operations does not conflict with an operation's lock (change.go). An import locks every table.
//
// It may import publication and pgx; it knows neither TabNews nor Temporal.
package ledger
