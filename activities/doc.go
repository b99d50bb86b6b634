// Package activities holds what touches the world: TabNews through the package tabnews, PostgreSQL through the package
// ledger. It may import both, publication, activities/api and Temporal's activity packages.
//
// Send is the only activity that creates, changes or deletes content on TabNews, and it makes at most one request. Two
// others write there without changing content: Probe makes one PATCH that changes nothing but updated_at, only when a
// person orders it, and is not repeated by itself; Look asks for a slug by a POST that TabNews must refuse, once for each
// disappearance, in a turn of the lane (TabNews API, "Probes for reconciliation"). All the rest read, or write to the
// ledger what is the same when it is written again, and may be repeated freely.
//
// Secrets live in the fields of the clients, never in inputs or results, which Temporal keeps in clear.
package activities
