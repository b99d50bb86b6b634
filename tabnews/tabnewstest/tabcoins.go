package tabnewstest

import (
	"math"
	"regexp"
	"slices"
	"time"
)

// worthwhile is a body with at least five runs of five or more letters a to z; accents break a run (TabNews API,
// section 3, Rating rule).
func worthwhile(body string) bool { return len(letterRuns.FindAllStringIndex(body, 5)) == 5 }

var letterRuns = regexp.MustCompile(`[A-Za-z]{5,}`)

// settle credits a first publication and takes back what a removal costs (TabNews API, section 10). old is the row as
// the request had read it, nil for a creation; r is as it was just written. The store is locked.
func (st *store) settle(old *Content, r *row) *refusal {
	switch {
	case old != nil && old.PublishedAt != nil && r.Status != "published":
		st.takeBack(*old, r)
	case old == nil && r.PublishedAt != nil, old != nil && old.PublishedAt == nil && r.Status == "published":
		return st.credit(r)
	}
	return nil
}

// credit pays the first publication, or refuses it when the author is badly rated. Two racing publications are both
// paid, since each had read a draft.
func (st *store) credit(r *row) *refusal {
	level := st.prestige(r)
	if level < 0 && st.ratingRule {
		return forbidden("MODEL:CONTENT:CREDIT_OR_DEBIT_TABCOINS:NEGATIVE_USER_EARNINGS",
			"Não é possível publicar porque há outras publicações mal avaliadas que ainda não foram excluídas.",
			"Exclua seus conteúdos mais recentes que estiverem classificados como não relevantes.")
	}
	if !worthwhile(r.Body) {
		return nil
	}
	if !r.isRoot() {
		if parent := st.rowByID(*r.ParentID); parent != nil && parent.OwnerID == r.OwnerID {
			return nil // a comment on one's own content earns nothing
		}
	}
	if r.Type == "content" && level > 0 {
		st.userByID(r.OwnerID).tabcoins += level
		r.initial += level
		r.earned += level
	}
	r.Tabcoins++
	return nil
}

// takeBack takes from the author what a content earned: all of it, or only the first part when its balance is not above
// zero. It gives how much.
func (st *store) takeBack(old Content, r *row) int {
	if old.PublishedAt == nil || old.Status == "deleted" || old.Status == "firewall" {
		return 0
	}
	amount := r.initial
	if old.Tabcoins > 0 {
		amount = r.earned
	}
	st.userByID(r.OwnerID).tabcoins -= amount
	return amount
}

// The rating rule's window.
const (
	newestSpared = 3
	mostRated    = 20
	ratedAnyway  = 48 * time.Hour
)

// prestige rates the author of r, which is already among the rows: the mean of the TabCoins of what the author
// published, less the newest three; of roots alone when r is one. Below zero the author may not publish.
func (st *store) prestige(r *row) int {
	rated := st.rated(r)
	if len(rated) == 0 {
		return level(1, r.isRoot())
	}
	sum := 0
	for _, other := range rated {
		sum += other.Tabcoins
	}
	return level(float64(sum)/float64(len(rated)), r.isRoot())
}

// rated are the rows that count: those after the newest three, and those older than two days, the oldest 20 of them.
func (st *store) rated(r *row) []*row {
	var published []*row
	for _, other := range st.rows {
		if other.OwnerID == r.OwnerID && other.Status == "published" && (!r.isRoot() || other.isRoot()) {
			published = append(published, other)
		}
	}
	slices.SortFunc(published, newestFirst)
	var counted []*row
	spared, old := 0, st.now().Add(-ratedAnyway)
	for _, other := range published {
		aged := other.PublishedAt != nil && other.PublishedAt.Before(old)
		if spared++; aged || spared > newestSpared {
			counted = append(counted, other)
		}
	}
	slices.Reverse(counted)
	return counted[:min(len(counted), mostRated)]
}

// newestFirst orders by publication; what was never dated (a draft that a moderator published) comes first.
func newestFirst(a, b *row) int {
	switch {
	case a.PublishedAt == nil || b.PublishedAt == nil:
		if (a.PublishedAt == nil) == (b.PublishedAt == nil) {
			return b.number - a.number
		}
		if a.PublishedAt == nil {
			return -1
		}
		return 1
	case !a.PublishedAt.Equal(*b.PublishedAt):
		return b.PublishedAt.Compare(*a.PublishedAt)
	}
	return b.number - a.number
}

// level turns a mean into what a publication pays its author; a normal account is at 0.
func level(mean float64, root bool) int {
	bounds := []float64{0.4, 1.0, 1.2, 1.5, 1.7}
	if root {
		bounds = []float64{0.5, 1.1, 1.4, 1.6, 1.8}
	}
	for i, most := range bounds {
		if mean <= most {
			return i - 1
		}
	}
	return int(math.Ceil(mean + 2))
}
