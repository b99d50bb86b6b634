// Package workflows holds the Temporal workflows that model publications: Publish, and under the names Revise and Remove
// the same for changes; Track, which takes up what exists; RepairRecord, which writes a record that the ledger could not
// take; and Watch, which reads what was accepted again. With them come their signals, query, search attributes and
// activity options. It is deterministic: it may import publication and the Temporal SDK, and knows activities by their
// names and inputs alone (activities/api), so that neither HTTP nor SQL can be reached from here.
package workflows
