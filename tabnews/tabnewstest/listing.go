package tabnewstest

import (
	"net/url"
	"strconv"
	"strings"
)

// listing is what a list is asked for (TabNews API, section 5).
type listing struct {
	strategy               string
	page, perPage          int
	withRoot, withChildren *bool // nil when not sent
}

// listingOf validates the query; what it does not know is ignored.
func listingOf(query url.Values) (listing, *refusal) {
	l := listing{strategy: "relevant", page: 1, perPage: 30}
	for _, n := range []struct {
		key  string
		most int
		to   *int
	}{{"page", 1 << 53, &l.page}, {"per_page", 100, &l.perPage}} {
		if query.Has(n.key) {
			value, ref := numberRule(n.key, query.Get(n.key), n.most)
			if ref != nil {
				return l, ref
			}
			*n.to = value
		}
	}
	if query.Has("strategy") {
		s, ref := oneOf("new", "old", "relevant")("strategy", query.Get("strategy"))
		if ref != nil {
			return l, ref
		}
		l.strategy = *s
	}
	var ref *refusal
	if l.withRoot, ref = booleanOf(query, "with_root"); ref != nil {
		return l, ref
	}
	l.withChildren, ref = booleanOf(query, "with_children")
	return l, ref
}

func numberRule(key, text string, most int) (int, *refusal) {
	f, err := strconv.ParseFloat(trimSpaces(text), 64)
	switch {
	case err != nil:
		return 0, invalid(key, "number.base", `"`+key+`" deve ser do tipo Number.`)
	case f != float64(int(f)):
		return 0, invalid(key, "number.integer", `"`+key+`" deve ser um Inteiro.`)
	case f < 1:
		return 0, invalid(key, "number.min", `"`+key+`" deve possuir um valor mínimo de 1.`)
	case f > float64(most):
		return 0, invalid(key, "number.max", `"`+key+`" deve possuir um valor máximo de `+strconv.Itoa(most)+`.`)
	}
	return int(f), nil
}

func booleanOf(query url.Values, key string) (*bool, *refusal) {
	if !query.Has(key) {
		return nil, nil
	}
	switch text := strings.ToLower(query.Get(key)); text {
	case "true", "false":
		value := text == "true"
		return &value, nil
	}
	return nil, invalid(key, "boolean.base", `"`+key+`" deve ser do tipo Boolean.`)
}

// links are the absolute addresses of the other pages. Beyond the last page, prev is the last.
func (q *request) links(l listing, last int) string {
	base := "http://" + q.Host + q.URL.Path + "?strategy=" + l.strategy
	if l.withRoot != nil {
		base += "&with_root=" + strconv.FormatBool(*l.withRoot)
	}
	if l.withChildren != nil {
		base += "&with_children=" + strconv.FormatBool(*l.withChildren)
	}
	var links []string
	add := func(rel string, page int) {
		if page > 0 {
			links = append(links, "<"+base+"&page="+strconv.Itoa(page)+"&per_page="+strconv.Itoa(l.perPage)+`>; rel="`+rel+`"`)
		}
	}
	add("first", 1)
	if l.page > 1 {
		add("prev", min(l.page-1, last))
	}
	if l.page < last {
		add("next", l.page+1)
	}
	add("last", last)
	return strings.Join(links, ", ")
}
