package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"text/tabwriter"
)

// createPath is where TabNews takes creations (POST).
const createPath = "/api/v1/contents"

// arrival is a request that reached the emulator (GET /_emulator/arrivals).
type arrival struct{ Method, Path, Slug string }

// stored is a row that the emulator holds, whatever its status (GET /_emulator/contents).
type stored struct {
	ID    string
	Slug  string
	Owner string `json:"owner_username"`
}

// operation is what the ledger says (starter status --json), as far as counting needs it.
type operation struct {
	Slug     string
	State    string
	Attempts int
}

// count is what happened to one slug.
type count struct {
	slug, state                        string
	attempts, arrivals, stored, excess int
}

// tally counts, slug by slug, what arrived and what is stored. Excess are the duplicates: each row beyond the first,
// and each creation that arrived beyond one for each attempt, be it for a slug that nobody asked for.
func tally(operations []operation, arrivals []arrival, rows []stored) []*count {
	counts := map[string]*count{}
	of := func(slug string) *count {
		if counts[slug] == nil {
			counts[slug] = &count{slug: slug, state: "nobody's"}
		}
		return counts[slug]
	}
	for _, o := range operations {
		of(o.Slug).state, of(o.Slug).attempts = o.State, o.Attempts
	}
	for _, a := range arrivals {
		if a.Method == http.MethodPost && a.Path == createPath {
			of(a.Slug).arrivals++
		}
	}
	for _, r := range rows {
		of(r.Slug).stored++
	}
	for _, c := range counts {
		c.excess = max(0, c.stored-1) + max(0, c.arrivals-c.attempts)
	}
	return slices.SortedFunc(maps.Values(counts), func(a, b *count) int { return cmp.Compare(a.slug, b.slug) })
}

// printTally prints the table and returns how many duplicates it shows.
func printTally(w io.Writer, counts []*count) (duplicates int, err error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(c *count) {
		_, _ = fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\n", c.slug, c.state, c.attempts, c.arrivals, c.stored, c.excess)
	}
	_, _ = fmt.Fprintln(t, "slug\tstate\tattempts\tarrivals\tcontents stored\tduplicates")
	total := &count{slug: "total"}
	for _, c := range counts {
		row(c)
		total.attempts += c.attempts
		total.arrivals += c.arrivals
		total.stored += c.stored
		total.excess += c.excess
	}
	row(total)
	return total.excess, t.Flush()
}
