// Package runs reads what Temporal keeps of operations: which workflow runs there are, and what the history of one
// tells, without a worker. A history outlives the worker and the ledger, and holds every answer that an activity gave:
// it is where an identity is found again that the ledger lost. It changes nothing.
package runs
