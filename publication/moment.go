package publication

import "time"

// Moment writes a time for people, in UTC, which is what TabNews and the ledger speak. Where a machine reads along it is
// written as RFC 3339 instead.
func Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// Clock is Moment for a time of today.
func Clock(t time.Time) string { return t.UTC().Format("15:04:05Z") }
