// Package audit compares three worlds that share no transaction: the ledger, the runs that Temporal keeps, and what
// TabNews shows. It names every difference with its remedy, and knows which of them can be repaired from what is proven
// already, without a send. It changes nothing itself.
package audit
