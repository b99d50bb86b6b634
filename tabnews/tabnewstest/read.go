package tabnewstest

import (
	"math"
	"net/http"
	"slices"
	"time"
)

// readOne is GET contents/{user}/{slug}: only what is published, whoever asks (TabNews API, section 5).
func (q *request) readOne() (*answer, *refusal) {
	st := q.store
	path, ref := pathSchema.validate(q.pathValues())
	if ref != nil {
		return nil, ref
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	r, ref := st.published(path, "GET_HANDLER")
	if ref != nil {
		return nil, ref
	}
	a := contentAnswer(http.StatusOK, st.copyOf(r))
	a.setJSON(st.withCount(r))
	return a, nil
}

// published finds the content of a path. The store is locked, as for all below.
func (st *store) published(path values, place string) (*row, *refusal) {
	owner := st.userByName(path.text("username"))
	if owner == nil {
		return nil, usernameNotFound()
	}
	r := st.find(owner.id, path.text("slug"), "published")
	if r == nil {
		return nil, slugNotFound(place)
	}
	return r, nil
}

// withCount are the fields that a GET shows.
func (st *store) withCount(r *row) object {
	return append(st.copyOf(r).fields(), field{"children_deep_count", st.live(r.ID)})
}

// readAncestor is GET …/parent and …/root. Of an ancestor that is not published it shows little, but its status.
func (q *request) readAncestor(place string, pick func(path []string) string) (*answer, *refusal) {
	st := q.store
	path, ref := pathSchema.validate(q.pathValues())
	if ref != nil {
		return nil, ref
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	r, ref := st.published(path, place+":GET_HANDLER")
	if ref != nil {
		return nil, ref
	}
	if r.isRoot() {
		return nil, notFound("CONTROLLER:CONTENT:"+place+":GET_HANDLER:ALREADY_ROOT", "parent_id",
			"O conteúdo requisitado é um conteúdo raiz.", `Busque apenas por conteúdos com "parent_id", pois este `+
				"conteúdo não possui níveis superiores na árvore de conteúdos.")
	}
	ancestor := st.rowByID(pick(r.path))
	shown := st.withCount(ancestor)
	if ancestor.Status != "published" {
		shown = shown.only("id", "parent_id", "status", "type", "created_at", "updated_at", "published_at", "deleted_at",
			"children_deep_count")
	}
	return jsonAnswer(http.StatusOK, shown), nil
}

func (q *request) readParent() (*answer, *refusal) {
	return q.readAncestor("PARENT", func(path []string) string { return path[len(path)-1] })
}

func (q *request) readRoot() (*answer, *refusal) {
	return q.readAncestor("ROOT", func(path []string) string { return path[0] })
}

// readChildren is GET …/children: the trees of published descendants, the most relevant first.
func (q *request) readChildren() (*answer, *refusal) {
	st := q.store
	path, ref := pathSchema.validate(q.pathValues())
	if ref != nil {
		return nil, ref
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	r, ref := st.published(path, "CHILDREN:GET_HANDLER")
	if ref != nil {
		return nil, ref
	}
	trees, _ := st.trees(r.ID)
	return jsonAnswer(http.StatusOK, trees), nil
}

// trees gives the answers to a content and how many published ones there are below it. One that is not published but
// has published answers stays as a placeholder without slug, owner or status.
func (st *store) trees(id string) ([]object, int) {
	var children []*row
	for _, r := range st.rows {
		if r.ParentID != nil && *r.ParentID == id && (r.Status == "published" || st.live(r.ID) > 0) {
			children = append(children, r)
		}
	}
	st.rank(children)
	trees, total := []object{}, 0
	for _, r := range children {
		below, count := st.trees(r.ID)
		total += count
		o := object{
			{"id", r.ID}, {"parent_id", r.ParentID}, {"children", below}, {"children_deep_count", count}, {"type", r.Type},
		}
		if r.Status == "published" {
			total++
			o = append(st.copyOf(r).fields(), field{"children", below}, field{"children_deep_count", count})
		}
		trees = append(trees, o)
	}
	return trees, total
}

// rank sorts by relevance; equals stay in their order.
func (st *store) rank(rows []*row) {
	now := st.now()
	slices.SortStableFunc(rows, func(a, b *row) int {
		switch first, second := score(a, now), score(b, now); {
		case first > second:
			return -1
		case first < second:
			return 1
		}
		return 0
	})
}

// score is TabNews' relevance: TabCoins that fade within hours, with a boost for the first ten minutes.
func score(r *row, now time.Time) float64 {
	if r.Status != "published" {
		return -10
	}
	age, boost := 365*24*time.Hour, 1.0
	if r.PublishedAt != nil {
		age = now.Sub(*r.PublishedAt)
	}
	if age < 10*time.Minute {
		boost = 3
	}
	gravity := math.Exp(-age.Hours() / 6)
	s := (float64(r.Tabcoins) - 0.5) * boost
	if r.Tabcoins > 0 {
		return s * (1 + gravity)
	}
	return s * (1 - gravity)
}
