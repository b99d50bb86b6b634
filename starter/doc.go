// Command starter is the command line of postonce: it shows an article exactly as it would be sent, takes a person's
// approval and decisions to the workflow, and tells what is known. It sends nothing to TabNews itself but a login that
// checks the credentials, and reads what is to be answered, changed or removed.
//
// Results go to standard output, talk to standard error; --json prints one JSON document. The exit code tells the
// operation's state (exit.go). A command stands in the file of its name, a large one in several (batch_*.go). Temporal,
// the ledger and TabNews are reached through the small interfaces in engine.go, records.go, session.go and reader.go,
// which tests replace; export, import and audit work on the ledger as a whole and take a real one (wholeLedger).
package main
