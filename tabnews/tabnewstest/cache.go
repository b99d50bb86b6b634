package tabnewstest

import (
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// freshFor is s-maxage of the public reads.
const freshFor = 10 * time.Second

// cache is a shared cache before the public reads, as a CDN keeps one (TabNews API, sections 0 and 1): keyed by the full
// URL, it keeps a 404 like anything else, and what is too old it serves once more while it asks again. The client's
// requests are counted as arrivals even when the cache answers them.
type cache struct {
	mu   sync.Mutex
	on   bool
	kept map[string]cached
}

type cached struct {
	answer *answer
	at     time.Time
}

// answer gives what is kept for a URL, or else what produce gives.
func (c *cache) answer(url string, now func() time.Time, produce func() *answer) *answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return produce()
	}
	old, known := c.kept[url]
	age := now().Sub(old.at)
	if !known || age >= freshFor {
		fresh := produce()
		if fresh.status == http.StatusOK || fresh.status == http.StatusNotFound || fresh.status == http.StatusBadRequest {
			c.kept[url] = cached{fresh, now()}
		}
		if !known {
			return fresh.copy()
		}
	}
	a := old.answer.copy()
	a.header.Set("Age", strconv.Itoa(int(age.Seconds())))
	return a
}

func (c *cache) set(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on, c.kept = on, map[string]cached{}
}

func (c *cache) isOn() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.on
}

func (a *answer) copy() *answer {
	b := *a
	b.header = maps.Clone(a.header)
	return &b
}
