package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestTallyCountsEachDuplicate(t *testing.T) {
	post := func(slug string) arrival { return arrival{"POST", createPath, slug} }
	one := []operation{{Slug: "a", State: "accepted", Attempts: 1}}
	for name, c := range map[string]struct {
		operations []operation
		arrivals   []arrival
		rows       []stored
		want       int
	}{
		"one of each":                    {one, []arrival{post("a")}, []stored{{Slug: "a"}}, 0},
		"nothing arrived":                {one, nil, nil, 0},
		"reads are no creations":         {one, []arrival{post("a"), {"GET", "/api/v1/contents/autora/a", "a"}}, []stored{{Slug: "a"}}, 0},
		"two rows of one slug":           {one, []arrival{post("a")}, []stored{{Slug: "a"}, {Slug: "a"}}, 1},
		"one attempt arrived twice":      {one, []arrival{post("a"), post("a")}, []stored{{Slug: "a"}}, 1},
		"two attempts, two arrivals":     {[]operation{{Slug: "a", Attempts: 2}}, []arrival{post("a"), post("a")}, []stored{{Slug: "a"}}, 0},
		"a creation that nobody planned": {one, []arrival{post("a"), post("b")}, []stored{{Slug: "a"}, {Slug: "b"}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := printTally(&bytes.Buffer{}, tally(c.operations, c.arrivals, c.rows))
			if err != nil || got != c.want {
				t.Errorf("%d duplicates (%v), want %d", got, err, c.want)
			}
		})
	}
}

func TestClipShowsTheFirstAndTheLastLines(t *testing.T) {
	var out bytes.Buffer
	c := &clip{to: &out, view: view{2, 1}}
	for _, piece := range []string{"1\n2", "\n3\n4\n", "5\n"} {
		if _, err := c.Write([]byte(piece)); err != nil {
			t.Fatal(err)
		}
	}
	c.end()
	if got, want := strings.Fields(out.String()), "1 2 […] 2 lines 5"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
