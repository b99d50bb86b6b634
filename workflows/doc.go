// Package workflows holds the Temporal workflows that model publications: Publish and RepairRecord, with their
// signals, query, search attributes and activity options. It is deterministic: it may import publication and the
// Temporal SDK, and knows activities by their names and inputs alone (names.go), so that neither HTTP nor SQL can
// be reached from here.
package workflows
