// Package publication is the domain of postonce: what a person wants on TabNews, what was approved, what is known of
// it, and what may safely happen next. It is pure and imports the standard library alone; every other package may
// import it.
//
// The words are those of docs/states.md: an operation is one intended change, an attempt is one send of it (at most
// one request on the wire, ever), an identity is what TabNews returned, evidence is what was seen of an attempt.
package publication
