// Package activities holds what touches the world: TabNews through the package tabnews, PostgreSQL through the package
// ledger. It may import both, publication, activities/api and Temporal's activity packages. Send is the only activity
// that may change anything on TabNews, and it makes at most one request; all the others may be repeated freely.
//
// Secrets live in the fields of the clients, never in inputs or results, which Temporal keeps in clear.
package activities
