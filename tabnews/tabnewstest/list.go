package tabnewstest

import (
	"net/http"
	"slices"
	"strconv"
)

// list is GET contents: roots of type content without their bodies, and comments too on request.
func (q *request) list() (*answer, *refusal) {
	l, ref := listingOf(q.URL.Query())
	if ref != nil {
		return nil, ref
	}
	st := q.store
	st.mu.Lock()
	defer st.mu.Unlock()
	rows := st.listed(l, func(r *row) bool {
		return r.Type == "content" && (r.isRoot() || isTrue(l.withChildren))
	})
	return q.page(l, rows, func(r *row) object { return st.withCount(r).without("body") }), nil
}

// listOf is GET contents/{user}: roots without a body, comments with an excerpt of theirs.
func (q *request) listOf() (*answer, *refusal) {
	name, ref := nameSchema.validate(q.pathValues())
	if ref != nil {
		return nil, ref
	}
	l, ref := listingOf(q.URL.Query())
	if ref != nil {
		return nil, ref
	}
	st := q.store
	st.mu.Lock()
	defer st.mu.Unlock()
	owner := st.userByName(name.text("username"))
	if owner == nil {
		return nil, usernameNotFound()
	}
	rows := st.listed(l, func(r *row) bool {
		return r.OwnerID == owner.id && !(r.isRoot() && isFalse(l.withRoot)) && !(!r.isRoot() && isFalse(l.withChildren))
	})
	return q.page(l, rows, func(r *row) object {
		o := st.withCount(r)
		if r.isRoot() {
			return o.without("body")
		}
		for i := range o {
			if o[i].name == "body" {
				o[i].value = excerpt(r.Body)
			}
		}
		return o
	}), nil
}

func isTrue(b *bool) bool  { return b != nil && *b }
func isFalse(b *bool) bool { return b != nil && !*b }

// listed are the published rows that match, in the order of the strategy.
func (st *store) listed(l listing, match func(*row) bool) []*row {
	var rows []*row
	for _, r := range st.rows {
		if r.Status == "published" && match(r) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, newestFirst)
	switch l.strategy {
	case "old":
		slices.Reverse(rows)
	case "relevant":
		st.rank(rows)
	}
	return rows
}

// page cuts out the page that was asked for and tells of the others in Link.
func (q *request) page(l listing, rows []*row, show func(*row) object) *answer {
	total := len(rows)
	last := (total + l.perPage - 1) / l.perPage
	from := min(total, (l.page-1)*l.perPage)
	shown := []object{}
	for _, r := range rows[from:min(total, from+l.perPage)] {
		shown = append(shown, show(r))
	}
	a := jsonAnswer(http.StatusOK, shown)
	a.header.Set("Link", q.links(l, last))
	a.header.Set("X-Pagination-Total-Rows", strconv.Itoa(total))
	return a
}
